"""The arms as arrays: state, layout of a slot, groups of equal counts with their heaps."""
