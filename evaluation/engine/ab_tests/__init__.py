"""A/B tests: units that were assigned to variants by chance, and what their measures say about the difference."""
