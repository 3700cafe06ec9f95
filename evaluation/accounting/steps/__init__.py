"""Honest accounting: what runs are worth if what a policy dropped were counted after all, or under other policies.

`case_qrels` makes the qrels, `scoring` scores the runs by all of them, `requests` queues jobs, `jobs` does them.
"""

from evaluation.accounting.steps.jobs import account_policies, account_snapshot
from evaluation.accounting.steps.requests import POLICIES, SNAPSHOT, ask_accounting, ask_policies, quality_measures
from evaluation.accounting.steps.scoring import AccountingRequest, score_policies, score_snapshot

__all__ = [
    "POLICIES",
    "SNAPSHOT",
    "AccountingRequest",
    "account_policies",
    "account_snapshot",
    "ask_accounting",
    "ask_policies",
    "quality_measures",
    "score_policies",
    "score_snapshot",
]
