"""Stratified samples: how many of each stratum, which ones, and what they say about all."""
