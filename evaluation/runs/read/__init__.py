"""Queries of this subject: the only place where its rows are read for others."""

from evaluation.runs.read.exports import RUN_FORMS, outgoing_run
from evaluation.runs.read.runs import runs_of

__all__ = [
    "RUN_FORMS",
    "outgoing_run",
    "runs_of",
]
