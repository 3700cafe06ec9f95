"""What evaluating gives: frozen, with a table as its repr and DataFrames for what comes next."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from evaluation.engine.arrays import Floats
from evaluation.engine.scorer import MeasureValues
from evaluation.formats.values import FORMATS as VALUE_FORMATS
from touchstone.library.measures import MeasureLike, measure

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True, eq=False, repr=False)
class RunValues:
    """The values of one run. `evaluation` is what the engine gave, with what was left out and what ties decided."""

    evaluation: MeasureValues

    @property
    def tag(self) -> str:
        return self.evaluation.tag

    @property
    def measures(self) -> tuple[str, ...]:
        return self.evaluation.measures

    @property
    def queries(self) -> tuple[str, ...]:
        """The topics averaged over, in byte order of their numbers."""
        return self.evaluation.numbers

    @property
    def value(self) -> Floats:
        """(n_queries, n_measures), in the order of `queries` and `measures`."""
        return self.evaluation.value

    @cached_property
    def mean(self) -> Mapping[str, float]:
        """By measure; of counts the sum, of GMAP and its like the geometric mean."""
        return dict(zip(self.measures, self.evaluation.mean.tolist(), strict=True))

    @cached_property
    def per_topic(self) -> Mapping[str, Mapping[str, float]]:
        """By query, then by measure: what pytrec_eval gives."""
        rows = zip(self.queries, self.value.tolist(), strict=True)
        return {query: dict(zip(self.measures, row, strict=True)) for query, row in rows}

    def __getitem__(self, one: MeasureLike) -> float:
        """The mean of a measure. Raises `KeyError` for one that was not evaluated."""
        return self.mean[name_among(one, self.measures)]

    def __repr__(self) -> str:
        return VALUE_FORMATS["table"]([self.evaluation], per_topic=False).rstrip("\n")


@dataclass(frozen=True, eq=False, repr=False)
class Evaluations(Sequence[RunValues]):
    """The values of all runs, in the order in which they came; `evaluations["bm25"]["nDCG@10"]` is a mean.

    `notes` say what a reader of the figures should know: topics left out, ties, how files were read.
    """

    runs: tuple[RunValues, ...]
    notes: tuple[str, ...] = ()

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(run.tag for run in self.runs)

    @property
    def measures(self) -> tuple[str, ...]:
        return self.runs[0].measures

    @cached_property
    def mean(self) -> Mapping[str, Mapping[str, float]]:
        """By tag, then by measure."""
        return {run.tag: run.mean for run in self.runs}

    @cached_property
    def per_topic(self) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """By tag, then by query, then by measure."""
        return {run.tag: run.per_topic for run in self.runs}

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[RunValues]:
        return iter(self.runs)

    def __getitem__(self, which: Any) -> Any:
        """The run of a tag, or at a place. Raises `KeyError`, which names the tags there are."""
        if not isinstance(which, str):
            return self.runs[which]
        if which not in self.tags:
            raise KeyError(f"no run has the tag {which!r}; there are {', '.join(self.tags)}")
        return self.runs[self.tags.index(which)]

    def to_text(self, form: str = "table", *, per_topic: bool = False) -> str:
        """As `table`, `csv`, `json` or `latex`: what the command `evaluate` writes."""
        return written_as(VALUE_FORMATS, form)([run.evaluation for run in self.runs], per_topic=per_topic)

    def to_pandas(self, *, per_topic: bool = False) -> "pandas.DataFrame":
        """A row a run, or a run and topic: `run`, `topic`, and a column a measure."""
        rows: pandas.DataFrame = frame("pandas", self._columns(per_topic=per_topic))
        return rows

    def to_polars(self, *, per_topic: bool = False) -> "polars.DataFrame":
        """As `to_pandas`."""
        table: polars.DataFrame = frame("polars", self._columns(per_topic=per_topic))
        return table

    def _columns(self, *, per_topic: bool) -> dict[str, list[object]]:
        if not per_topic:
            means: dict[str, list[object]] = {name: [run.mean[name] for run in self.runs] for name in self.measures}
            return {"run": list(self.tags), **means}
        columns: dict[str, list[object]] = {
            "run": [run.tag for run in self.runs for _ in run.queries],
            "topic": [query for run in self.runs for query in run.queries],
        }
        for at, name in enumerate(self.measures):
            columns[name] = [value for run in self.runs for value in run.value[:, at].tolist()]
        return columns

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")


def name_among(one: MeasureLike, names: Sequence[str]) -> str:
    """By whatever name or object a measure is asked for. Raises `KeyError` for one that is not among the names."""
    name = one if isinstance(one, str) and one in names else str(measure(one))
    if name not in names:
        raise KeyError(f"{name} was not computed; there are {', '.join(names)}")
    return name


def written_as(forms: Mapping[str, Callable[..., str]], form: str) -> Callable[..., str]:
    if form not in forms:
        raise ValueError(f"there is no form {form!r}; there are {', '.join(forms)}")
    return forms[form]


def frame(package: str, columns: Mapping[str, list[object]], **options: bool) -> Any:
    """A DataFrame of either package. Raises `ImportError`, which says what to install."""
    try:
        return import_module(package).DataFrame(columns, **options)
    except ModuleNotFoundError as error:
        raise ImportError(f"to_{package} needs {package}: pip install {package}") from error
