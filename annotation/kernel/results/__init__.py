"""Results that took long to work out, kept in files beside the database for all processes. Judging
knows nothing of it."""
