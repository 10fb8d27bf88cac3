"""The sections of the report, one module or package per question asked; `reports.core.registry` lists them in order."""
