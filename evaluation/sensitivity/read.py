"""What is studied, from a snapshot's files and stored runs; and studies that are stored."""

from collections.abc import Mapping, Sequence

from django.db.models import Q, QuerySet

from annotation.kernel.store import path_of
from annotation.models import Collection, Snapshot
from annotation.quality.frozen import thaw
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.policies import parameters_of, policies_of
from evaluation.engine.measures.base import Measure
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.sensitivity.evidence import Evidence, Question
from evaluation.engine.sensitivity.judgments import Judgments, judgments_of
from evaluation.engine.sensitivity.study import PairShares, Sensitivity, pair_shares
from evaluation.formats.sensitivity import of_object
from evaluation.leaderboard.read.evaluations import load_qrels
from evaluation.models import Run, SensitivityStudy
from evaluation.runs.read import stored_run

AT_ONCE = 4_000_000  # judgments, times annotators left out one by one: one or two seconds
LONG = (
    "To leave out each of so many annotators takes longer than an answer may: have these two runs studied, which is "
    "done once and kept, and ask again."
)


class TakesLongError(ValueError):
    """What is asked for is a job's, and none has done it yet."""


def studies_of(collection: Collection) -> QuerySet[SensitivityStudy]:
    """The newest first."""
    studies = SensitivityStudy.objects.filter(collection=collection).select_related("snapshot")
    return studies.order_by("-made_at", "-pk")


def studied_in(stored: SensitivityStudy) -> Sensitivity:
    return of_object(stored.result)


def evidence_of(snapshot: Snapshot, runs: Sequence[Run], *, beside: Sequence[Snapshot] = ()) -> Evidence:
    """From the files of the snapshot alone: nothing that was judged since changes it. `beside` are other qrels.

    Raises `PackedError` for a run of an older form, and `ValueError` where the frozen policy keeps no pair.
    """
    judgments = judgments_in(snapshot)
    return Evidence(
        runs=[stored_run(run) for run in runs],
        pairs=judgments.pairs if judgments else load_qrels(snapshot),
        judgments=judgments,
        policies=_policies(snapshot.collection) if judgments else {},
        others={other.name: load_qrels(other) for other in beside},
    )


def judgments_in(snapshot: Snapshot) -> Judgments | None:
    """The judgments that a snapshot was frozen from; None for imported qrels."""
    if not snapshot.inputs_sha256:
        return None
    return judgments_of(*thaw(path_of(snapshot.inputs_sha256).read_bytes()))


def options_of(snapshot: Snapshot, qrels: Qrels) -> Options:
    """The top of the scale as an evaluation has it, so that the means are those of the leaderboard."""
    return Options(max_grade=max(snapshot.scale.top if snapshot.scale else 1, int(qrels.grade.max())))


def shares_of_two(snapshot: Snapshot, runs: tuple[Run, Run], measure: Measure, *, seed: int) -> PairShares:
    """The shares of draws in which the first beats the second; of many judgments those of a study of the two alone.

    Raises as `evidence_of` and `pair_shares`, and `TakesLongError` where such a study is not there yet.
    """
    evidence = evidence_of(snapshot, runs)
    first, second = runs
    if _takes_long(evidence):
        return _kept_shares(snapshot, runs, measure, seed)
    options = options_of(snapshot, evidence.pairs)
    question = Question(measure=measure, options=options, named=[(first.tag, second.tag)], seed=seed)
    return pair_shares(evidence, question)[0]


def _takes_long(evidence: Evidence) -> bool:
    judgments = evidence.judgments
    return judgments is not None and len(judgments.annotators) * len(judgments.inputs.table) > AT_ONCE


def _kept_shares(snapshot: Snapshot, runs: tuple[Run, Run], measure: Measure, seed: int) -> PairShares:
    first, second = (run.tag for run in runs)
    studies = studies_of(snapshot.collection).filter(
        Q(result__tags=[first, second]) | Q(result__tags=[second, first]),
        snapshot=snapshot,
        measure=str(measure),
        result__seed=seed,
        result__judgments_anew="annotators",
    )
    if (stored := studies.first()) is None:
        raise TakesLongError(LONG)
    (shares,) = studied_in(stored).shares
    return shares if shares.first == first else shares.turned


def _policies(collection: Collection) -> Mapping[str, Parameters]:
    """The newest version of each that is stored."""
    newest: dict[str, Parameters] = {}
    for policy in policies_of(collection):
        newest.setdefault(policy.name, parameters_of(policy))
    return newest
