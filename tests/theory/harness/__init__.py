"""Evaluation of the ledger's statements apart from the kernel. Guide: tests/theory/README.md."""
