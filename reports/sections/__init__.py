"""The sections of the report, one module or package per question asked; `reports.core.make` lists them in order."""
