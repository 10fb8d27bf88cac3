"""Commands that write files of the repository: records of slow bounds, README pictures, the findings table."""
