"""Queries of this subject: the only place where its rows are read for others."""
