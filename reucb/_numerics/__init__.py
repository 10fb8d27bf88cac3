"""Numerical building blocks: each formula once, accurate at the edges of its range."""
