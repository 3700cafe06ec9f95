"""The flow of this subject, in verbs; transactions live here."""

from evaluation.runs.steps.pooling import create_pool_from_runs

__all__ = [
    "create_pool_from_runs",
]
