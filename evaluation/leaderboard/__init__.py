"""Runs scored against a snapshot, ranked and looked at topic by topic."""
