"""Asking for one more judgment where a grade is in doubt, off the request path: a job looks, decides and adds slots.

What is added is an open slot as any other. Nobody who judges can tell it from the ones that were
laid out.
"""

from datetime import timedelta

import numpy as np
from django.db import transaction

from annotation.batches.read.overlap import (
    Pair,
    is_due,
    n_judged,
    ready_items,
    rule_of,
    steered_batches,
    withheld_pairs,
)
from annotation.batches.steps.layout import AddingError, add_slots
from annotation.kernel import clock
from annotation.kernel.jobs import LIVE, JobRefusedError, JobRun, enqueue
from annotation.models import Batch, Job, Policy, User
from annotation.quality.arrays import Bools
from annotation.quality.inputs import Inputs
from annotation.quality.overlap import OverlapRule, Paths, Summary, follow, summary_of, why_not
from annotation.trust.read.judgments import policy_inputs
from annotation.trust.read.policies import parameters_of

KIND = "steer_overlap"
REST = timedelta(hours=1)
REASON = "the grade is not sure enough yet"


@transaction.atomic
def ask_for_steering(batch: Batch, *, created_by: User | None) -> bool:
    """Queue a look at the batch, unless one waits or runs. Gives whether it was queued."""
    Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    under_way = Job.objects.filter(kind=KIND, collection=batch.collection, state__in=LIVE, payload__batch=batch.pk)
    if under_way.exists():
        return False
    enqueue(KIND, collection=batch.collection, created_by=created_by, batch=batch.pk, about=batch.name)
    return True


def sweep_overlap() -> int:
    """Queue a look at every open batch where one is due; how many. For the worker, now and then.

    After a look that failed or was cancelled, the next one waits for an hour.
    """
    due = [batch for batch in steered_batches() if is_due(batch) and not _rests(batch)]
    return sum(ask_for_steering(batch, created_by=None) for batch in due)


def _rests(batch: Batch) -> bool:
    ended = Job.objects.filter(kind=KIND, payload__batch=batch.pk, finished_at__gt=clock.now() - REST)
    return ended.filter(state__in=[Job.State.FAILED, Job.State.CANCELLED]).exists()


def steer_overlap(run: JobRun) -> dict[str, int]:
    """The job: weigh every pair, add a slot to each that is in doubt, and write the result down."""
    batch = steered_batches().filter(collection=run.job.collection, pk=run.job.payload["batch"]).first()
    if batch is None:
        raise JobRefusedError("The batch is not open any more, or nothing steers it.")
    judged = n_judged(batch)
    run.report(done=0, total=2, message="weighing the pairs")
    inputs, paths = _weighed(batch)
    run.report(done=1, total=2, message="adding slots")
    added = _write_down(run, batch, judged, inputs, paths)
    return {"added": added, "stopped": int((paths.stopped & ~paths.gold).sum())}


def _weighed(batch: Batch) -> tuple[Inputs, Paths]:
    rule, policy = _steering(batch)
    inputs = policy_inputs(batch.collection, [batch], batch.criterion)
    parameters = parameters_of(policy)
    if refusal := why_not(parameters, maximum=rule.maximum):
        raise JobRefusedError(refusal)
    return inputs, follow(inputs, parameters, rule, whole=True)


@transaction.atomic
def _write_down(run: JobRun, batch: Batch, judged: int, inputs: Inputs, paths: Paths) -> int:
    """Add a slot to each pair in doubt whose slots are still all judged, whoever else adds; keep the result."""
    run.fence()
    ready = ready_items(batch)
    most = {item: n_slots + 1 for item, n_slots in (ready[pair] for pair in _in_doubt(inputs, paths) if pair in ready)}
    try:
        n_added = add_slots(batch, dict.fromkeys(most, 1), most=most, reason=REASON, actor=None).n_slots
    except AddingError as error:
        raise JobRefusedError(str(error)) from error
    _keep(batch, judged, summary_of(paths, apart=_withheld(batch, inputs, paths)), n_added)
    return n_added


def _in_doubt(inputs: Inputs, paths: Paths) -> list[Pair]:
    """The pairs that want one judgment more. Gold is never asked about again: its grade is known."""
    table, chosen = inputs.table, paths.wanting & ~paths.gold
    topics, documents = paths.topic[chosen].tolist(), paths.document[chosen].tolist()
    return [(table.numbers[t], table.docnos[d]) for t, d in zip(topics, documents, strict=True)]


def _withheld(batch: Batch, inputs: Inputs, paths: Paths) -> Bools:
    """Pairs that wait for an admin instead of for judgments."""
    pairs = withheld_pairs(batch)
    table, topics, documents = inputs.table, paths.topic.tolist(), paths.document.tolist()
    is_withheld = [(table.numbers[t], table.docnos[d]) in pairs for t, d in zip(topics, documents, strict=True)]
    return np.array(is_withheld, dtype=np.bool_)


def _keep(batch: Batch, judged: int, summary: Summary, n_added: int) -> None:
    """The result, for the page; `judged`: slots that were judged before the look."""
    before = int(batch.steering.get("n_added", 0))
    batch.steering = {
        "looked_at": clock.now().isoformat(),
        "n_judged": judged,
        "n_added": before + n_added,
        "summary": summary.to_json(),
    }
    batch.save(update_fields=["steering"])


def _steering(batch: Batch) -> tuple[OverlapRule, Policy]:
    rule, policy = rule_of(batch), batch.steered_by
    if rule is None or policy is None:
        raise JobRefusedError("Nothing steers this batch.")
    return rule, policy
