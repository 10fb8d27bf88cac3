"""Movie ratings as bandits (`fig:movie`): reading a copy of MovieLens, a rating matrix, and playing its rows."""
