"""What judgments may look like to `trec_eval -R`, and how a run is evaluated against each kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Generic, TypeVar

from annotation.formats.problems import Problems
from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.measures import MEASURES, Measure
from evaluation.engine.measures.names import read_trec_eval
from evaluation.engine.measures.num_q import NumQ
from evaluation.engine.options import Options
from evaluation.engine.preferences.evaluate import evaluate_groups, evaluate_preferences
from evaluation.engine.preferences.measures import GROUP_MEASURES, PREFERENCE_MEASURES, PreferenceMeasure
from evaluation.engine.preferences.measures.average_precision import GroupAveragePrecision
from evaluation.engine.preferences.preferences import Preferences
from evaluation.engine.qrels import Qrels
from evaluation.engine.relevance_strings import relevance_strings
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import Averaging, MeasureValues, evaluate
from evaluation.formats.diversity_qrels import parse_diversity_qrels
from evaluation.formats.files import parse_judged
from evaluation.formats.preferences import PreferenceTable, parse_preferences, parse_qrels_as_preferences

Judgments = TypeVar("Judgments")


@dataclass(frozen=True, kw_only=True)
class Relation(Generic[Judgments]):
    """A kind of judgments. Another kind is another entry of `RELATIONS`."""

    parse: Callable[[BinaryIO, Problems], Judgments]
    topics: Callable[[Judgments], Sequence[str]]  # their numbers
    measures: Callable[[str], Sequence[tuple[str, Measure]]]  # of a name of trec_eval's, as it prints them; none: none
    evaluate: Callable[..., MeasureValues]  # run, judgments, measures; averaging=, options=
    default: str  # the measures where none are named
    stand_in: Measure  # evaluated where only texts and counts are printed
    strings: Callable[[PackedRun, Judgments, int, Options], dict[str, str]] | None = None  # relstring, where it has it


def _parse_preferences(stream: BinaryIO, problems: Problems) -> Preferences:
    return _preferences(parse_preferences(stream, problems))


def _parse_qrels_as_preferences(stream: BinaryIO, problems: Problems) -> Preferences:
    return _preferences(parse_qrels_as_preferences(stream, problems))


def _preferences(table: PreferenceTable) -> Preferences:
    return Preferences.of(table.number, table.group, table.subgroup, table.docno, table.level)


def _parse_groups(stream: BinaryIO, problems: Problems) -> DiversityQrels:
    table = parse_diversity_qrels(stream, problems, by="group")
    return DiversityQrels.of(table.number, table.subtopic, table.docno, table.grade)


def _evaluate_preferences(
    run: PackedRun,
    preferences: Preferences,
    measures: Sequence[PreferenceMeasure],
    *,
    averaging: Averaging,
    options: Options,
) -> MeasureValues:
    options = replace(options, ties="docno ascending")  # for preferences alone trec_eval has it so
    return evaluate_preferences(run, preferences, measures, averaging=averaging, options=options)


QRELS: Relation[Qrels] = Relation(
    parse=parse_judged,
    topics=lambda qrels: qrels.numbers,
    measures=lambda name: read_trec_eval(name, MEASURES),
    evaluate=evaluate,
    default="official",
    stand_in=NumQ(),
    strings=relevance_strings,
)

PREFERENCES: Relation[Preferences] = Relation(
    parse=_parse_preferences,
    topics=lambda preferences: preferences.documents.numbers,
    measures=lambda name: read_trec_eval(name, PREFERENCE_MEASURES),
    evaluate=_evaluate_preferences,
    default="prefs",
    stand_in=PREFERENCE_MEASURES[0](),
)

RELATIONS: Mapping[str, Relation[Any]] = {
    "qrels": QRELS,
    "prefs": PREFERENCES,
    "qrels_prefs": replace(PREFERENCES, parse=_parse_qrels_as_preferences),
    "qrels_jg": Relation(
        parse=_parse_groups,
        topics=lambda groups: groups.documents.numbers,
        measures=lambda name: read_trec_eval(name, GROUP_MEASURES),
        evaluate=evaluate_groups,
        default="qrels_jg",
        stand_in=GroupAveragePrecision(),
    ),
}
