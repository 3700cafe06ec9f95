"""Honest accounting: what runs are worth if what a policy dropped were counted after all, or under other policies.

`cases` makes the qrels, `reckoning` scores the runs by all of them, `asking` queues, `running` are the jobs.
"""

from evaluation.accounting.steps.asking import POLICIES, SNAPSHOT, ask_accounting, ask_policies, quality_measures
from evaluation.accounting.steps.reckoning import Asked, reckon_policies, reckon_snapshot
from evaluation.accounting.steps.running import account_policies, account_snapshot

__all__ = [
    "POLICIES",
    "SNAPSHOT",
    "Asked",
    "account_policies",
    "account_snapshot",
    "ask_accounting",
    "ask_policies",
    "quality_measures",
    "reckon_policies",
    "reckon_snapshot",
]
