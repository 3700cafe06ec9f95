"""Freezing judgments into qrels that never change, and proving that they come from what they say they come from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction

from annotation.formats.qrels import write_qrels
from annotation.formats.snapshot_jsonl import snapshot_jsonl
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.kernel.notices import leads, tell
from annotation.kernel.store import FileStore, put, stored_files
from annotation.models import Batch, Collection, Job, Policy, Snapshot, User
from annotation.quality.frozen import freeze, outcome_of
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.purpose import CRITERION
from annotation.text.counted import counted
from annotation.trust.read.dropped import dropped_by_reason
from annotation.trust.read.judgments import policy_inputs
from annotation.trust.read.policies import parameters_of, policies_of, policy_named
from annotation.trust.read.snapshots import FREEZE
from annotation.trust.steps.policies import store_unsaved


class FreezeError(Exception):
    """No snapshot was made; the message says why."""


@dataclass(frozen=True)
class Verification:
    """`faults` in words; none when every file is whole and rebuilding gives the same bytes."""

    faults: list[str]
    rebuilt: bool = False

    @property
    def sound(self) -> bool:
        return not self.faults

    @property
    def words(self) -> str:
        """What was found out, where nothing is wrong."""
        if self.rebuilt:
            return "The files are whole, and rebuilding from the frozen inputs gives the same bytes."
        return "The file is whole."


def start_freezing(
    collection: Collection,
    *,
    name: str,
    batches: Sequence[Batch],
    policy: Policy,
    criterion: str = CRITERION,
    created_by: User | None,
) -> Job:
    """Queue the freezing. What can be refused now is refused now."""
    _check_freezable(collection, name, batches, criterion)
    with transaction.atomic():
        return enqueue(
            FREEZE,
            collection=collection,
            created_by=created_by,
            about=name,
            name=name,
            batches=[batch.pk for batch in batches],
            policy=str(policy),
            criterion=criterion,
        )


def run_freezing(run: JobRun) -> dict[str, int]:
    """Job: freeze what `start_freezing` was given."""
    payload, collection = run.job.payload, run.job.collection
    assert collection is not None
    run.report(done=0, total=3, message="Reading judgments")
    policy = policy_named(policies_of(collection), payload["policy"])
    batches = list(Batch.objects.filter(pk__in=payload["batches"]).select_related("scale").order_by("pk"))
    if policy is None or len(batches) != len(payload["batches"]):
        raise JobRefusedError("The policy or a batch is gone.")
    try:
        snapshot = freeze_snapshot(
            collection,
            name=payload["name"],
            batches=batches,
            policy=policy,
            criterion=payload["criterion"],
            created_by=run.job.created_by,
            finish=lambda snapshot: run.finish({"snapshot": snapshot.pk}),
        )
    except FreezeError as error:
        raise JobRefusedError(str(error)) from error
    return {"snapshot": snapshot.pk}


def freeze_snapshot(
    collection: Collection,
    *,
    name: str,
    batches: Sequence[Batch],
    policy: Policy,
    criterion: str = CRITERION,
    created_by: User | None,
    finish: Callable[[Snapshot], None] = lambda _snapshot: None,
) -> Snapshot:
    """Apply the policy to the batches as they stand and keep inputs, qrels and pairs as files under their hashes.

    The files are written before the commit that names them. `finish` is called last in that transaction. Raises
    `FreezeError` for an empty choice, a taken name, batches that cannot be read together, or if no pair is kept.
    """
    inputs, outcome = prepare_freeze(collection, name=name, batches=batches, policy=policy, criterion=criterion)
    snapshot = Snapshot(
        collection=collection,
        name=name,
        criterion=criterion,
        origin=Snapshot.Origin.FROZEN,
        scale=max((batch.scale for batch in batches), key=lambda scale: scale.number),
        created_by=created_by,
        **_store_files(inputs, outcome),
    )
    try:
        with transaction.atomic():
            _store_snapshot(snapshot, batches, policy)
            finish(snapshot)
    except IntegrityError:
        _refuse_taken(collection, name)
        raise
    return snapshot


def prepare_freeze(
    collection: Collection, *, name: str, batches: Sequence[Batch], policy: Policy, criterion: str = CRITERION
) -> tuple[bytes, Outcome]:
    """What would be frozen: the inputs as a file, and what comes of them. Raises `FreezeError` as `freeze_snapshot`."""
    _check_freezable(collection, name, batches, criterion)
    inputs = freeze(_read_inputs(collection, batches, criterion), parameters_of(policy))
    outcome = outcome_of(inputs)
    if not outcome.n_kept:
        raise FreezeError(_why_empty(outcome))
    return inputs, outcome


def verify_snapshot(snapshot: Snapshot, *, files: FileStore | None = None) -> Verification:
    """Whether the files are whole and, for a frozen snapshot, whether the inputs still give them byte for byte.
    `files`: where they lie, by default where all stored files do."""
    store = files or stored_files()
    named = {"inputs": snapshot.inputs_sha256, "qrels": snapshot.qrels_sha256, "pairs": snapshot.pairs_sha256}
    damaged = [name for name, sha in named.items() if sha and not store.verify(sha)]
    if damaged:
        return Verification([f"The file of its {name} is missing or damaged." for name in damaged])
    if snapshot.origin != Snapshot.Origin.FROZEN:
        return Verification([])
    outcome = outcome_of(store.path_of(snapshot.inputs_sha256).read_bytes())
    rebuilt = {"qrels": qrels_of(outcome), "pairs": pairs_of(outcome)}
    differing = [name for name, data in rebuilt.items() if sha256(data).hexdigest() != named[name]]
    return Verification([f"Rebuilding gives other {name}." for name in differing], rebuilt=True)


def qrels_of(outcome: Outcome) -> bytes:
    """The kept pairs as TREC qrels."""
    return write_qrels((pair.number, pair.docno, pair.grade) for pair in outcome.frozen_pairs())


def pairs_of(outcome: Outcome) -> bytes:
    """The kept pairs as JSONL, with confidence, counts and source."""
    return b"".join(snapshot_jsonl(outcome.frozen_pairs()))


def _store_files(inputs: bytes, outcome: Outcome) -> dict[str, Any]:
    """The files of a snapshot, kept under their hashes, and how much is in them."""
    files = {"inputs": inputs, "qrels": qrels_of(outcome), "pairs": pairs_of(outcome)}
    return {
        **{f"{name}_sha256": put(data) for name, data in files.items()},
        "n_topics": len(set(outcome.topic[outcome.kept].tolist())),
        "n_pairs": outcome.n_kept,
        "n_dropped": sum(each.n for each in dropped_by_reason(outcome)),
    }


def _check_freezable(collection: Collection, name: str, batches: Sequence[Batch], criterion: str) -> None:
    if not name.strip():
        raise FreezeError("A snapshot needs a name.")
    if not batches:
        raise FreezeError("Choose at least one batch.")
    for batch in batches:
        if batch.collection_id != collection.pk or batch.criterion != criterion:
            raise FreezeError(f"The batch {batch.name} does not belong to this collection and criterion.")
        if batch.state == Batch.State.DRAFT:
            raise FreezeError(f"The batch {batch.name} is a draft: nothing is laid out in it.")
        if batch.state == Batch.State.IMPORTING:
            raise FreezeError(f"The batch {batch.name} is still being imported.")
    _refuse_taken(collection, name)


def _refuse_taken(collection: Collection, name: str) -> None:
    if Snapshot.objects.filter(collection=collection, name=name).exists():
        raise FreezeError(f"The collection already has a snapshot called {name}.")


def _read_inputs(collection: Collection, batches: Sequence[Batch], criterion: str) -> Inputs:
    try:
        return policy_inputs(collection, batches, criterion)
    except ValueError as error:
        raise FreezeError(str(error)) from error


def _why_empty(outcome: Outcome) -> str:
    if not len(outcome.topic):
        return "The snapshot would be empty: nothing is laid out in these batches."
    reasons = ", ".join(f"{each.words}: {each.n}" for each in dropped_by_reason(outcome) if each.n)
    why = reasons or "attention checks only"
    return f"The snapshot would be empty: no pair is kept ({why}). Choose a milder policy."


def _store_snapshot(snapshot: Snapshot, batches: Sequence[Batch], policy: Policy) -> None:
    snapshot.policy = store_unsaved(policy, actor=snapshot.created_by)
    snapshot.save()
    snapshot.batches.set(batches)
    record_audit(
        "snapshot frozen",
        actor=snapshot.created_by,
        collection=snapshot.collection,
        subject=snapshot.name,
        policy=str(snapshot.policy),
        pairs=snapshot.n_pairs,
        qrels_sha256=snapshot.qrels_sha256,
    )
    tell(
        "snapshot",
        leads(snapshot.collection, besides=snapshot.created_by),
        cause=f"snapshot {snapshot.pk}",
        text=f"Snapshot {snapshot} was frozen, {counted(snapshot.n_pairs, 'pair')}.",
        collection=snapshot.collection,
        pk=snapshot.pk,
    )
