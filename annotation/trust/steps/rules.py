"""Rules that pause people by themselves, and let them go on, where a collection has chosen so. A
job looks every few minutes; nothing that judges waits for it.
"""

from collections.abc import Iterator
from dataclasses import asdict

from django.db import transaction
from django.db.models import Max

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRun, enqueue
from annotation.models import Batch, Collection, GoldEvent, Job, Judgment, PauseEvent, User
from annotation.quality.trust.rules import PauseRules
from annotation.trust.read.gold_effect import Touched
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.proposals import Proposal, proposals, releases, rules_of
from annotation.trust.steps.pausing import PauseError, pause_annotator, resume_annotator

KIND = "apply_rules"


@transaction.atomic
def choose_rules(collection: Collection, rules: PauseRules, *, note: str, actor: User) -> None:
    """Which rules pause by themselves from now on; `note` is what everybody reads who is paused."""
    values = asdict(rules)
    if (collection.pausing, collection.pause_note) == (values, note):
        return
    collection.pausing, collection.pause_note = values, note
    collection.save(update_fields=["pausing", "pause_note"])
    record_audit("rules chosen", actor=actor, collection=collection, subject=collection.slug, **values)


def sweep_rules() -> int:
    """Queue the job for every collection whose rules pause and where what they read has changed; how many."""
    return sum(_ask(collection, newest) for collection, newest in _due())


def apply_rules(run: JobRun) -> dict[str, int]:
    """The job: let go on whom a rule that may do so has no reason to hold any more, and pause whom one has found. Each
    is its own transaction.
    """
    collection = run.job.collection
    assert collection is not None
    chosen = rules_of(collection).by_themselves
    if not chosen:
        return {"paused": 0, "resumed": 0}
    resumed = [_let_go(run, collection, person) for person in releases(collection, among=chosen)]
    paused = [_pause(run, collection, proposal) for proposal in proposals(collection, among=chosen)]
    return {"paused": sum(each is not None for each in paused), "resumed": sum(each is not None for each in resumed)}


def _due() -> Iterator[tuple[Collection, int]]:
    """Collections at work whose rules pause, with their newest judgment."""
    at_work = Batch.objects.filter(state=Batch.State.OPEN).values("collection")
    for collection in Collection.objects.filter(pk__in=at_work).exclude(pausing={}).order_by("pk"):
        if rules_of(collection).by_themselves:
            newest = Judgment.objects.filter(collection=collection).aggregate(newest=Max("pk"))["newest"]
            if newest is not None:
                yield collection, newest


@transaction.atomic
def _ask(collection: Collection, newest: int) -> bool:
    """Queue the job, unless the last one saw the same judgments, gold and settings; delete jobs that found nobody."""
    seen = {
        "newest": newest,
        "gold": GoldEvent.objects.filter(collection=collection).aggregate(newest=Max("pk"))["newest"],
        "rules": collection.pausing,
        "watch": collection.watch,
        "policy": default_parameters(collection).sha256,
    }
    before = Job.objects.filter(kind=KIND, collection=collection)
    last = before.order_by("-pk").first()
    if last is not None and (last.is_live or last.payload == seen):
        return False
    before.filter(state=Job.State.DONE, result__paused=0, result__resumed=0).delete()
    enqueue(KIND, collection=collection, created_by=None, **seen)
    return True


@transaction.atomic
def _pause(run: JobRun, collection: Collection, proposal: Proposal) -> PauseEvent | None:
    run.fence()
    annotator = collection.annotators.get(pseudonym=proposal.pseudonym)
    try:
        return pause_annotator(annotator, reason=proposal.reason, actor=None, rule=proposal.rule)
    except PauseError:
        return None


@transaction.atomic
def _let_go(run: JobRun, collection: Collection, person: Touched) -> PauseEvent | None:
    run.fence()
    assert person.pause is not None
    now = f"{person.after.n_right} right of {person.after.n_gold}"
    reason = f"As gold and settings stand, the rule holds no more: {now}."
    try:
        return resume_annotator(person.pause.annotator, reason=reason, actor=None, rule=person.pause.rule)
    except PauseError:
        return None
