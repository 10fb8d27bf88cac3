"""The page: one self-contained file that opens offline, in light and dark, on a phone and on paper."""

from reports.page.build import build, render

__all__ = ["build", "render"]
