"""Clicks of users beside the judgments of a collection."""
