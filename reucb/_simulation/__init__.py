"""The parts of `simulate`: the job, its prior, executors, checkpoint and progress."""
