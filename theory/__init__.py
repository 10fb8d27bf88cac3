import os

# SymPy reads it when it is imported. With its default of 1000 entries per function most of what it computes here is
# computed again; without a limit a process that checks every claim stays below one gigabyte.
os.environ.setdefault("SYMPY_CACHE_SIZE", "None")
# With python-flint installed SymPy would do its arithmetic with FLINT, which is the other engine for identities.
os.environ.setdefault("SYMPY_GROUND_TYPES", "python")
