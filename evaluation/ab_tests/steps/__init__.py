"""Logs of A/B tests on their way in, analysed, deleted."""
