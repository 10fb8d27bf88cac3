"""Commands that write files of the repository: README pictures, the findings table."""
