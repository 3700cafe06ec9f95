"""What all measures share: a cutoff, a relevance level, a name.

A measure is a frozen dataclass in a file of its own; its fields are its parameters. To add one:
write the file beside its siblings and name the class in `measures/__init__.py`. Parser, commands,
pages and the table of docs/measures.md follow from the class. A parameter is of one of the types
that `parameters.py` reads.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import Gains, GainTable, check_gains
from evaluation.engine.measures.parameters import Parameter, decimal, table_of_trec_eval, whole, written
from evaluation.engine.rankings import Rankings

_DECIMALS = re.compile(r"(?<=[0-9])\.[0-9]{1,20}\Z", re.ASCII)

Cut: TypeAlias = Literal["no", "may", "must"]
Summary: TypeAlias = Literal["mean", "sum", "geometric"]


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """A measure with its parameters. `str()` is the name by which it is written, stored and read again."""

    cutoff: float | None = None  # a rank, beyond which nothing counts; or, where `cut_is` says so, a share

    family: ClassVar[str]  # as the field writes it: "nDCG"
    also: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {}  # other names, and the parameters they stand for
    cut: ClassVar[Cut]  # whether it takes a cutoff
    cut_is: ClassVar[Literal["rank", "share"]] = "rank"
    trec_eval: ClassVar[Mapping[str, str]] = {}  # trec_eval's names; "@" takes cutoffs, "=" other parameters, "" none
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = ()  # those that trec_eval takes where none are given
    summary: ClassVar[Summary] = "mean"  # over topics; "geometric": exp(mean ln max(value, 1e-5))
    averages_ties: ClassVar[bool] = False  # its code gives the expected value where rows are spread over tied ranks
    uses_top_grade: ClassVar[bool] = False  # the top of the scale enters: it is reported beside the value
    is_quality: ClassVar[bool] = True  # a higher value is a better run; not so for counts and for how much is judged
    limits: ClassVar[tuple[float, float]] = (0.0, 1.0)  # between which the value of any topic lies
    has_bounds: ClassVar[bool] = False  # counting unjudged documents as 0 and as the top grade bounds it truly

    def __post_init__(self) -> None:
        """Raise `ValueError` where a parameter makes no sense."""
        if self.cutoff is None:
            if self.cut == "must":
                raise ValueError(f"{self.family} needs a cutoff: {self.family}@{_example(self.cut_is)}")
            return
        if self.cut == "no":
            raise ValueError(f"{self.family} takes no cutoff")
        if self.cut_is == "rank" and self.cutoff != int(self.cutoff):
            raise ValueError(f"the cutoff of {self.family} is a whole number, not {written(self.cutoff)}")
        if self.cutoff < (1 if self.cut_is == "rank" else 0):
            raise ValueError(f"the cutoff of {self.family} is at least {1 if self.cut_is == 'rank' else 0}")

    @abstractmethod
    def per_topic(self, rankings: Rankings) -> Floats:
        """The value for each topic, (n_topics,); 0 for one that is missing from the run, unless it says otherwise."""

    def value_range(self) -> tuple[float, float]:
        """Between which limits the value of a topic lies with these parameters, and so the mean of any topics."""
        return self.limits

    def is_bounded(self, top_grade: int) -> bool:
        """Whether counting unjudged documents as 0 and as `top_grade` bounds it truly, with these parameters."""
        return self.has_bounds

    def beyond(self, n_retrieved: Floats) -> Floats:
        """What ranks below the run, which has so many documents for each topic, could add at most. (n_topics,)"""
        return 0.0 * n_retrieved

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        """The names that may stand in parentheses."""
        return tuple(cls.kinds())

    @classmethod
    def kinds(cls) -> dict[str, object]:
        """The type of each parameter that may stand in parentheses."""
        return {field.name: field.type for field in fields(cls) if field.name != "cutoff"}

    @classmethod
    def of_trec_eval(cls, name: str, text: str | None) -> dict[str, "Measure"]:
        """The measures that trec_eval's `name` stands for, by the names it prints.

        `text` is what follows the dot. Raises `ValueError` for parameters that make no sense.
        """
        if cls.trec_eval[name] == "@":
            cutoffs = cls.trec_eval_cutoffs if text is None else _cutoffs(text, name, share=cls.cut_is == "share")
            return {f"{name}_{_cutoff_text(cutoff)}": cls.at_trec_eval_cutoff(name, cutoff) for cutoff in cutoffs}
        if text is not None:
            raise ValueError(f"trec_eval's {name} takes no parameters")
        return {name: cls()}

    @classmethod
    def at_trec_eval_cutoff(cls, name: str, cutoff: float) -> "Measure":
        """The measure for one cutoff of trec_eval's `name`."""
        return cls(cutoff=cutoff)

    def __str__(self) -> str:
        return self._name

    @cached_property
    def _name(self) -> str:
        parts = [
            f"{field.name}={written(getattr(self, field.name))}"
            for field in fields(self)
            if field.name != "cutoff" and getattr(self, field.name) != field.default
        ]
        return (
            self.family
            + (f"({','.join(parts)})" if parts else "")
            + (f"@{written(self.cutoff)}" if self.cutoff is not None else "")
        )

    @property
    def depth(self) -> float:
        """The cutoff, or infinity."""
        return float("inf") if self.cutoff is None else float(self.cutoff)


@dataclass(frozen=True, kw_only=True)
class GainMeasure(Measure):
    """A measure of gains: the grade ('linear'), 2^grade − 1 ('exp'), or what a table says.

    trec_eval gives tables to names marked "=": `ndcg.1=3.5,2=9`.
    """

    gains: Gains = "linear"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_gains(self.gains, self.family)

    def value_range(self) -> tuple[float, float]:
        """A table may name losses: then nothing holds from below."""
        is_loss = isinstance(self.gains, GainTable) and any(gain < 0 for _, gain in self.gains.pairs)
        return (-math.inf if is_loss else self.limits[0], self.limits[1])

    @classmethod
    def of_trec_eval(cls, name: str, text: str | None) -> dict[str, Measure]:
        if cls.trec_eval[name] == "=" and text is not None:
            return {f"{name}_{text}": cls(gains=table_of_trec_eval(text, name))}
        return super().of_trec_eval(name, text)


@dataclass(frozen=True, kw_only=True)
class CountMeasure(Measure):
    """A number of documents or topics, whose summary is their sum over topics."""

    is_quality: ClassVar[bool] = False
    cut: ClassVar[Cut] = "no"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    summary: ClassVar[Summary] = "sum"
    averages_ties: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class BinaryMeasure(Measure):
    """A measure that knows only relevant or not: relevant is a grade of at least `rel`."""

    rel: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rel < 1:
            raise ValueError(f"the level rel of {self.family} is a whole number of at least 1")


def _example(cut_is: str) -> str:
    return "10" if cut_is == "rank" else "0.2"


def _cutoff_text(cutoff: float) -> str:
    """As trec_eval prints a cutoff: whole numbers plain, shares with two decimals."""
    return str(cutoff) if isinstance(cutoff, int) else f"{cutoff:.2f}"


def _cutoffs(text: str, name: str, *, share: bool) -> list[float]:
    """In ascending order, as trec_eval computes them."""
    try:
        cutoffs: list[float] = [decimal(one) if share else _rank(one) for one in text.split(",")]
    except ValueError as fault:
        raise ValueError(f"the cutoffs of {name} are {fault} or several with commas between, not {text}") from fault
    if len(set(cutoffs)) < len(cutoffs):
        raise ValueError(f"a cutoff of {name} is given twice: {text}")
    return sorted(cutoffs)


def _rank(text: str) -> int:
    """Of 23.4 the whole part, as trec_eval takes it; its own test asks for that."""
    return whole(_DECIMALS.sub("", text))
