"""Judgments and items of batches as columns, kept in files beside the database. Judging knows nothing of it."""
