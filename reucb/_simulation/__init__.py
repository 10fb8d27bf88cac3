"""The parts of `simulate`: the job and where its chunks are computed, the checkpoint file, and progress."""
