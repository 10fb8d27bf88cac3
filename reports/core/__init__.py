"""Shared parts of the report: command line, options and units of work, result store, panels and plotting."""
