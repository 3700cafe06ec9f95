"""Queries of this subject: the only place where its rows are read for others."""

from annotation.home.read.collection import Counts, collection_counts

__all__ = ["Counts", "collection_counts"]
