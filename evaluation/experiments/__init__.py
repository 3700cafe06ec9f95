"""Experiments: how large they must be."""
