"""Logs of A/B tests, and what was found in them."""
