"""Runs of systems: imported, browsed, pooled, exported."""
