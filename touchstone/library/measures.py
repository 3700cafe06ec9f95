"""Measures as objects: `nDCG @ 10`, `nDCG(gains="exp") @ 10`; and those of ir_measures, by what these call them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias, overload

from evaluation.engine.gains import GainTable
from evaluation.engine.measures import MEASURES, Measure, UnknownMeasureError, parse_measure, parse_measures
from evaluation.engine.measures.parameters import read_parameters, written

RENAMED = {"Bpref": "bpref", "IPrec": "iprec"}  # from ir_measures' names
FAMILIES = {name: family for family in MEASURES for name in (family.family, *family.also)}


@dataclass(frozen=True)
class MeasureName:
    """A measure that still takes parameters and a cutoff: `ts.nDCG`.

    `name(rel=2)` sets parameters, those of docs/measures.md; a table of gains comes as a mapping of grade to gain.
    `name @ 10` is the measure with its cutoff. Both raise `ValueError` for what the measure does not take.
    """

    name: str
    parameters: str = ""

    @overload
    def __call__(self, *, cutoff: float, **parameters: Any) -> Measure: ...

    @overload
    def __call__(self, *, cutoff: None = None, **parameters: Any) -> "MeasureName": ...

    def __call__(self, *, cutoff: float | None = None, **parameters: Any) -> "MeasureName | Measure":
        text = ",".join(f"{name}={_written(value)}" for name, value in parameters.items())
        more = replace(self, parameters=",".join(filter(None, [self.parameters, text])))
        read_parameters(more.parameters, FAMILIES[self.name].kinds(), self.name)
        return more if cutoff is None else more @ cutoff

    def __matmul__(self, cutoff: float) -> Measure:
        return parse_measure(f"{self}@{cutoff}")

    def __str__(self) -> str:
        return f"{self.name}({self.parameters})" if self.parameters else self.name

    def __repr__(self) -> str:
        return str(self)


MeasureLike: TypeAlias = str | MeasureName | Measure | Any


def named(name: str) -> MeasureName:
    """The measure of this name, exactly as it is written. Raises `AttributeError` for one that there is not."""
    if name not in FAMILIES:
        raise AttributeError(f"touchstone has no {name!r}, and there is no measure of that name")
    return MeasureName(name)


def measure(name: MeasureLike) -> Measure:
    """One measure, from its name or object. Raises `UnknownMeasureError`, a `ValueError`, with the nearest names."""
    one = _measures(name)
    if len(one) > 1:
        raise ValueError(f"{str(name)!r} names {len(one)} measures, {one[0]} first; here only one may stand")
    return one[0]


def measures_of(measures: MeasureLike | Iterable[MeasureLike]) -> list[Measure]:
    """Each measure once, in the order of the names; `official` and its like stand for several."""
    several = (measures,) if isinstance(measures, str) or not isinstance(measures, Iterable) else tuple(measures)
    return list(_of_names(several) if {str}.issuperset(map(type, several)) else _distinct(several))


@lru_cache(maxsize=100)
def _of_names(names: tuple[str, ...]) -> tuple[Measure, ...]:
    """Kept: for a few topics looking up each name would take a tenth of the time."""
    return _distinct(names)


def _distinct(measures: Iterable[MeasureLike]) -> tuple[Measure, ...]:
    return tuple(dict.fromkeys(one for each in measures for one in _measures(each)))


def _measures(one: MeasureLike) -> list[Measure]:
    if isinstance(one, Measure):
        return [one]
    if isinstance(one, MeasureName):
        return [parse_measure(str(one))]
    if isinstance(one, str):
        return _measures_named(one)
    if isinstance(getattr(one, "NAME", None), str) and isinstance(getattr(one, "params", None), Mapping):
        return [of_ir_measures(one)]
    raise TypeError(f"a measure is a name or a measure, not {type(one).__name__}")


def _measures_named(name: str) -> list[Measure]:
    """In our names or trec_eval's; else in those of ir_measures, where it is installed."""
    try:
        return parse_measures(name)
    except ValueError:
        theirs = _parsed_by_ir_measures(name)
        if theirs is None:
            raise
        return [of_ir_measures(theirs)]


def _parsed_by_ir_measures(name: str) -> Any | None:
    try:
        import ir_measures
    except ImportError:
        return None
    try:
        return ir_measures.parse_measure(name)
    except (NameError, ValueError, AttributeError, AssertionError, SyntaxError):
        return None


def of_ir_measures(theirs: Any) -> Measure:
    """The measure that computes what ir_measures' object does.

    Raises `UnknownMeasureError` for one that these qrels do not serve (subtopics), and `ValueError` for parameters that
    are options of `evaluate` here.
    """
    name = RENAMED.get(theirs.NAME, theirs.NAME)
    parameters, cutoff = dict[str, Any](), None
    for parameter, value in theirs.params.items():
        if parameter in ("cutoff", "recall"):
            cutoff = value
        elif parameter in ("judged_only", "min_rel", "max_rel"):
            _refuse_option(theirs, parameter, value)
        else:
            parameters |= _renamed(name, parameter, value)
    if name not in FAMILIES:
        raise UnknownMeasureError(f"no measure {str(theirs)!r} of qrels without subtopics")
    named = MeasureName(name)(**parameters)
    return parse_measure(str(named)) if cutoff is None else parse_measure(f"{named}@{cutoff}")


def _refuse_option(theirs: Any, parameter: str, value: Any) -> None:
    """What ir_measures says of one measure and `evaluate` of all."""
    if parameter == "judged_only" and value:
        raise ValueError(f"{theirs}: here that is an option of evaluate, judged_only=True, for all its measures")
    if parameter == "max_rel" or (parameter == "min_rel" and value):
        raise ValueError(f"{theirs}: the top of the scale is an option of evaluate, max_grade=…; its bottom is 0")


def _renamed(measure: str, name: str, value: Any) -> dict[str, Any]:
    """A parameter of ir_measures as it is called here."""
    if name == "dcg":
        return {"gains": "exp"} if value == "exp-log2" else {}
    return {"x" if (measure, name) == ("SetF", "beta") else name: value}


def _written(value: Any) -> str:
    """As in a name, which is read and checked once, by the reader of names."""
    if isinstance(value, Mapping):
        return written(GainTable(tuple(sorted(value.items()))))
    if isinstance(value, list | tuple):
        return written(tuple(map(float, value)))
    return written(value.item() if hasattr(value, "item") else value)
