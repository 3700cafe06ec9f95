"""Queries about series, and their rows as arrays."""
