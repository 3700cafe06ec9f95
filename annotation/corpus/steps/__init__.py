"""The flow of this subject, in verbs; transactions live here."""

from annotation.corpus.steps.collections import create_collection, describe_collection
from annotation.corpus.steps.guidelines import FIRST_GUIDELINE, revise_guideline
from annotation.corpus.steps.pooling import (
    create_pool,
    create_pool_from_file,
    pairs_to_judge,
    record_pool,
    report_unknown,
    rows_here,
    stage_pool,
)
from annotation.corpus.steps.scales import ScaleFixedError, revise_scale, store_scale

__all__ = [
    "FIRST_GUIDELINE",
    "ScaleFixedError",
    "create_collection",
    "create_pool",
    "create_pool_from_file",
    "describe_collection",
    "pairs_to_judge",
    "record_pool",
    "report_unknown",
    "revise_guideline",
    "revise_scale",
    "rows_here",
    "stage_pool",
    "store_scale",
]
