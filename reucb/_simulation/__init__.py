"""The parts of `simulate`: the job, the executors of its chunks, the checkpoint file, and progress."""
