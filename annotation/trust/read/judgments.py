"""The judgments of chosen batches as arrays, with all else that a policy reads, in a handful of queries."""

from collections.abc import Iterable, Mapping, Sequence

from annotation.gold.read.known_grades import Pair, gold_of, known_gold
from annotation.judging.read.pauses import current_exclusions
from annotation.models import Adjudication, Annotator, Batch, Collection
from annotation.quality.adjudications import Adjudications, adjudications
from annotation.quality.inputs import Inputs
from annotation.quality.machines.split import Machines, parted
from annotation.quality.pairs import Pairs, find
from annotation.quality.purpose import CRITERION
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable
from annotation.trust.read.kept import remembered
from annotation.trust.read.tables import read_table

_DECIDED = ("topic__number", "document__docno", "grade")


def kept_inputs(collection: Collection, batches: Sequence[Batch], criterion: str = CRITERION) -> Inputs:
    """The same for a page, which may have them from the last time, where nothing has changed since."""
    return remembered(collection, batches, criterion, "inputs", lambda: policy_inputs(collection, batches, criterion))


def policy_inputs(collection: Collection, batches: Sequence[Batch], criterion: str = CRITERION) -> Inputs:
    """All that a policy needs to decide on the pairs of the batches, as it stands now.

    The batches may have scale versions that differ in wording, not in the number of grades: `ValueError` otherwise, and
    for no batch at all. Gold counts where it was given on one of these versions. Adjudications count for pairs of the
    batches; what is an attention check is nobody's to decide. What machine judges said stands beside, in a table of its
    own; pairs that came with their judgments alone were laid out for nobody.
    """
    scale = scale_of(batches)
    machines = machines_of(collection)
    both, laid = read_table(collection, batches, criterion, machines)
    table, others = parted(both, machines)
    excluded = current_exclusions(collection).keys()
    return Inputs(
        table=table,
        scale=scale,
        gold=gold_of(table, known_gold(collection, criterion, {batch.scale_id for batch in batches}), scale),
        adjudications=_decided(table, laid, decisions(collection, criterion), scale),
        excluded=_codes(table, excluded),
        laid=laid,
        machines=None if others is None else Machines(others, _codes(others, excluded)),
    )


def _decided(table: JudgmentTable, laid: Pairs, grade_by_pair: Mapping[Pair, int], scale: Scale) -> Adjudications:
    """The decisions on pairs laid out, with a grade of the scale."""
    decided = {pair: grade for pair, grade in grade_by_pair.items() if grade in scale.grades}
    every = adjudications(
        table, number=[n for n, _ in decided], docno=[d for _, d in decided], grade=list(decided.values())
    )
    _, here = find(table.keys_of(every), table.keys_of(laid))
    return Adjudications(every.topic[here], every.document[here], every.grade[here])


def machines_of(collection: Collection) -> frozenset[str]:
    """The machine judges, by pseudonym."""
    machines = Annotator.objects.filter(collection=collection, kind=Annotator.Kind.MACHINE)
    return frozenset(machines.values_list("pseudonym", flat=True))


def scale_of(batches: Sequence[Batch]) -> Scale:
    """The grades that the batches share. Raises `ValueError` where they do not, and for no batch."""
    scales = {tuple(int(each["grade"]) for each in batch.scale.grades) for batch in batches}
    if not scales:
        raise ValueError("Choose at least one batch.")
    if len(scales) > 1:
        raise ValueError("These batches have scales with different numbers of grades.")
    return Scale(scales.pop())


def by_scale(batches: Iterable[Batch]) -> list[list[Batch]]:
    """Those together whose scales have the same grades, which a policy may read together; in the order they come."""
    parts: dict[Scale, list[Batch]] = {}
    for batch in batches:
        parts.setdefault(scale_of([batch]), []).append(batch)
    return list(parts.values())


def _codes(table: JudgmentTable, names: Iterable[str]) -> frozenset[int]:
    code_of = {pseudonym: code for code, pseudonym in enumerate(table.annotators)}
    return frozenset(code_of[name] for name in names if name in code_of)


def decisions(collection: Collection, criterion: str) -> dict[Pair, int]:
    """The adjudicated grade of each pair that has one: that of its last decision, unless it is withdrawn."""
    rows = Adjudication.objects.filter(collection=collection, criterion=criterion).order_by("pk")
    last = {(number, docno): grade for number, docno, grade in rows.values_list(*_DECIDED)}
    return {pair: grade for pair, grade in last.items() if grade is not None}
