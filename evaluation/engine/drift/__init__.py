"""Drift between a reference and a window, and changes of a series: a statistic a file (docs/drift.md)."""
