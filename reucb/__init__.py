"""Random effect bandits."""
