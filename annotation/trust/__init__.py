"""Whom to believe: judgments as arrays, policies, exclusions, pauses, the watch, and frozen snapshots."""
