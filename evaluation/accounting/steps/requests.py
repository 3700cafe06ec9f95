"""Queueing an accounting: of a snapshot, or of policies side by side on the same judgments."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import enqueue
from annotation.models import Batch, Collection, Job, Policy, Snapshot, User
from evaluation.engine.measures import DEFAULT_MEASURES, is_quality, parse_measures
from evaluation.models import Run

SNAPSHOT, POLICIES = "account_snapshot", "account_policies"
USUAL = tuple(name for name in DEFAULT_MEASURES if is_quality(name))


def ask_accounting(
    snapshot: Snapshot, runs: Iterable[Run], *, k: int, measures: Sequence[str], created_by: User | None
) -> Job:
    """Queue it. Raises `ValueError` for no runs, for runs of another collection, and as `quality_measures`."""
    with transaction.atomic():
        payload = {**_checked(snapshot.collection, runs, k=k, measures=measures), "snapshot": snapshot.pk}
        return _enqueue(SNAPSHOT, snapshot.collection, snapshot.name, payload, created_by)


def ask_policies(
    collection: Collection,
    *,
    batches: Sequence[Batch],
    policies: Sequence[Policy],
    rules: Sequence[str],
    runs: Iterable[Run],
    k: int,
    measures: Sequence[str],
    created_by: User | None,
) -> Job:
    """Queue it. Raises `ValueError` for no batch, fewer than two policies and rules in all, and as `ask_accounting`."""
    names = [*map(str, policies), *rules]
    if len(names) < 2 or not batches:
        raise ValueError("Choose at least one batch, and two policies or rules.")
    payload = {
        **_checked(collection, runs, k=k, measures=measures),
        "batches": [batch.pk for batch in batches],
        "policies": [str(policy) for policy in policies],
        "rules": list(rules),
    }
    with transaction.atomic():
        return _enqueue(POLICIES, collection, ", ".join(names), payload, created_by)


def quality_measures(names: Sequence[str]) -> list[str]:
    """The usual ones where none is named; each once, as it is printed.

    Raises `ValueError` for unknown ones, and for those that do not say how good a run is.
    """
    measures = [str(one) for name in names or USUAL for one in parse_measures(name)]
    counts = [name for name in measures if not is_quality(name)]
    if counts:
        raise ValueError(f"{', '.join(counts)}: more is not better, so there is no order of runs by it.")
    return list(dict.fromkeys(measures))


def _checked(collection: Collection, runs: Iterable[Run], *, k: int, measures: Sequence[str]) -> dict[str, object]:
    chosen_runs = list(runs)
    if not chosen_runs:
        raise ValueError("Choose at least one run.")
    if any(run.collection_id != collection.pk for run in chosen_runs):
        raise ValueError("The runs are of another collection.")
    if k < 1:
        raise ValueError("k is at least 1.")
    return {"runs": [run.pk for run in chosen_runs], "k": k, "measures": quality_measures(measures)}


def _enqueue(kind: str, collection: Collection, subject: str, payload: dict[str, object], by: User | None) -> Job:
    record_audit("accounting asked for", actor=by, collection=collection, subject=subject)
    return enqueue(kind, collection=collection, created_by=by, about=subject, **payload)
