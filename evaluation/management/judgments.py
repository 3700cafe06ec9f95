"""The kinds of judgments that `manage.py evaluate` reads: how each is parsed, measured and evaluated against."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar

from annotation.formats.problems import Problems
from evaluation.engine.measures import DEFAULT_MEASURES, Measure, UnknownMeasureError, parse_measures
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import MeasureValues, evaluate_runs
from evaluation.formats.files import parse_judged

if TYPE_CHECKING:
    from evaluation.engine.diversity.qrels import DiversityQrels
    from evaluation.engine.sampled import Prels

NAMES = ("qrels", "diversity", "prels", "stratified")
Judgments = TypeVar("Judgments")


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[Judgments]):
    """A kind of judgments. Another one is another entry of `kind_of`, and its name."""

    parse: Callable[[BinaryIO, Problems], Judgments]
    topics: Callable[[Judgments], Sequence[str]]  # their numbers
    measures: Callable[[str], Sequence[Measure]]  # that a name stands for
    evaluate: Callable[..., list[MeasureValues]]  # runs, judgments, measures; averaging=, options=, device=
    default: Sequence[str]  # the measures where none are named


def kind_of(name: str) -> Kind[Any]:
    """The kind, `name` being one of `NAMES`. What only one kind needs is imported with it: others start sooner."""
    kinds: Mapping[str, Callable[[], Kind[Any]]] = {
        "qrels": _qrels,
        "diversity": _diversity,
        "prels": _prels,
        "stratified": _stratified,
    }
    kind = kinds[name]()

    def measures(measure: str) -> Sequence[Measure]:
        try:
            return kind.measures(measure)
        except UnknownMeasureError as fault:
            others = [other for other in NAMES if other != name and _knows(kinds[other](), measure)]
            if not others:
                raise
            reason = f"{measure} needs --judgments {' or '.join(others)}; not {name}"
            raise UnknownMeasureError(reason) from fault

    return replace(kind, measures=measures)


def _knows(kind: Kind[Any], measure: str) -> bool:
    try:
        kind.measures(measure)
    except UnknownMeasureError:
        return False
    except ValueError:  # of wrong parameters
        return True
    return True


def _qrels() -> Kind[Qrels]:
    return Kind(
        parse=parse_judged,
        topics=lambda qrels: qrels.numbers,
        measures=parse_measures,
        evaluate=evaluate_runs,
        default=DEFAULT_MEASURES,
    )


def _diversity() -> "Kind[DiversityQrels]":
    from evaluation.engine.diversity.evaluate import evaluate_diversity
    from evaluation.engine.diversity.measures import DEFAULT_DIVERSITY_MEASURES, parse_diversity_measure
    from evaluation.engine.diversity.qrels import DiversityQrels
    from evaluation.formats.diversity_qrels import parse_diversity_qrels

    def parse(stream: BinaryIO, problems: Problems) -> DiversityQrels:
        table = parse_diversity_qrels(stream, problems)
        return DiversityQrels.of(table.number, table.subtopic, table.docno, table.grade)

    def evaluate(
        runs: Sequence[PackedRun], judgments: DiversityQrels, measures: Sequence[Any], **options: Any
    ) -> list[MeasureValues]:
        return [evaluate_diversity(run, judgments, measures, **options) for run in runs]

    return Kind(
        parse=parse,
        topics=lambda judgments: judgments.documents.numbers,
        measures=lambda name: [parse_diversity_measure(name)],
        evaluate=evaluate,
        default=DEFAULT_DIVERSITY_MEASURES,
    )


def _prels() -> "Kind[Prels]":
    from evaluation.engine.sampled import DEFAULT_OF_PROBABILITIES
    from evaluation.formats.prels import parse_prels

    return _sampled(parse_prels, DEFAULT_OF_PROBABILITIES)


def _stratified() -> "Kind[Prels]":
    from evaluation.engine.sampled import DEFAULT_OF_STRATA
    from evaluation.formats.prels import parse_stratified

    return _sampled(parse_stratified, DEFAULT_OF_STRATA)


def _sampled(parse: "Callable[[BinaryIO, Problems], Prels]", default: Sequence[str]) -> "Kind[Prels]":
    from evaluation.engine.sampled import evaluate_sampled, parse_sampled_measure

    def evaluate(
        runs: "Sequence[PackedRun]", judgments: "Prels", measures: Sequence[Any], *, device: str | None, **options: Any
    ) -> list[MeasureValues]:
        if device is not None:
            raise ValueError("sampled judgments are evaluated by numpy: no device can be chosen")
        return [evaluate_sampled(run, judgments, measures, **options) for run in runs]

    return Kind(
        parse=parse,
        topics=lambda sample: sample.qrels.numbers,
        measures=lambda name: [parse_sampled_measure(name)],
        evaluate=evaluate,
        default=default,
    )
