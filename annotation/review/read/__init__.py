"""Queries of this subject: the only place where its rows are read for others."""

from annotation.review.read.appeals import n_open_appeals

__all__ = [
    "n_open_appeals",
]
