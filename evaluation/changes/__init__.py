"""What changed from one snapshot to another: what it was made from, pairs, grades, and what that does to runs."""
