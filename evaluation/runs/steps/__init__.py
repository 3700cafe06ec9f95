"""The flow of this subject, in verbs; transactions live here."""

from evaluation.runs.steps.fusing import ask_fusion, fuse_in_job
from evaluation.runs.steps.pooling import create_pool_from_runs

__all__ = [
    "ask_fusion",
    "create_pool_from_runs",
    "fuse_in_job",
]
