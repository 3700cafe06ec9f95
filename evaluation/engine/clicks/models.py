"""Users who click, as models: a cascade that stops, and positions that are looked at or not.

A document's grade is all that a user sees of it. Unjudged documents and negative grades count as
grade 0.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints


@dataclass(frozen=True, kw_only=True)
class ClickModel(ABC):
    """`name` is how it is asked for; `meaning` one sentence for people who choose."""

    name: ClassVar[str]
    meaning: ClassVar[str]

    @abstractmethod
    def clicks(self, grade: Ints, top_grade: int, rng: np.random.Generator) -> Bools:
        """Of impressions that show documents of these grades, (n, depth), which were clicked; −1 is no document."""


class Cascade(ClickModel):
    """From the top, each document is clicked with a chance by its grade, and after a click the user stops with another.

    Chances by grade 0 … 4, and of two grades 0 and 1; other scales lie between: the chance at 4 · grade / top grade.
    Guo, Liu and Wang, Efficient multiple-click models in web search, WSDM 2009; the chances by grade as in Schuth et
    al., Multileave gradient descent for fast online learning to rank, WSDM 2016, and Hofmann, Whiteson and de Rijke,
    Fidelity, soundness, and efficiency of interleaved comparison methods, TOIS 31(4), 2013.
    """

    by_grade: ClassVar[tuple[tuple[float, ...], tuple[float, ...]]]  # chances to click, then to stop, grades 0 … 4
    binary: ClassVar[tuple[tuple[float, float], tuple[float, float]]]

    def clicks(self, grade: Ints, top_grade: int, rng: np.random.Generator) -> Bools:
        click, stop = (chances[np.maximum(grade, 0)] for chances in self.chances(top_grade))
        clicked = (rng.random(grade.shape) < click) & (grade >= 0)
        ended = clicked & (rng.random(grade.shape) < stop)
        before = np.zeros(grade.shape, np.bool_)
        before[:, 1:] = np.logical_or.accumulate(ended, axis=1)[:, :-1]
        return clicked & ~before

    def chances(self, top_grade: int) -> tuple[Floats, Floats]:
        """To click and, once clicked, to stop, by grade: (top_grade + 1,) each."""
        click, stop = self.binary if top_grade == 1 else self.by_grade
        at = np.linspace(0, len(click) - 1, top_grade + 1)
        grades = np.arange(len(click))
        return np.interp(at, grades, click), np.interp(at, grades, stop)


class Perfect(Cascade):
    name = "perfect"
    meaning = "clicks by grade alone, and never stops"
    by_grade = (0.0, 0.2, 0.4, 0.8, 1.0), (0.0,) * 5
    binary = (0.0, 1.0), (0.0, 0.0)


class Navigational(Cascade):
    name = "navigational"
    meaning = "looks for one document, and stops once it is found"
    by_grade = (0.05, 0.3, 0.5, 0.7, 0.95), (0.2, 0.3, 0.5, 0.7, 0.9)
    binary = (0.05, 0.95), (0.2, 0.9)


class Informational(Cascade):
    name = "informational"
    meaning = "wants several documents, and clicks on many"
    by_grade = (0.4, 0.6, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3, 0.4, 0.5)
    binary = (0.4, 0.9), (0.1, 0.5)


class AlmostRandom(Cascade):
    name = "almost_random"
    meaning = "hardly sees which documents are good"
    by_grade = (0.4, 0.45, 0.5, 0.55, 0.6), (0.5,) * 5
    binary = (0.4, 0.6), (0.5, 0.5)


@dataclass(frozen=True, kw_only=True)
class PositionBased(ClickModel):
    """Position r is looked at with the chance (1 / r)^`eta`; what is looked at is clicked with the chance
    `noise` + (1 − `noise`) · (2^grade − 1) / (2^top − 1). All of it is independent.

    Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008; the
    chances as in Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback, WSDM 2017, and
    Agarwal et al., Estimating position bias without intrusive interventions, WSDM 2019.
    """

    name = "position_based"
    meaning = "looks at deeper positions less often, at each for itself"
    eta: float = 1.0
    noise: float = 0.1

    def __post_init__(self) -> None:
        if self.eta < 0 or not 0 <= self.noise < 1:
            raise ValueError("eta is at least 0, noise lies in [0, 1)")

    def clicks(self, grade: Ints, top_grade: int, rng: np.random.Generator) -> Bools:
        chance = self.examination(grade.shape[1]) * self.attractiveness(top_grade)[np.maximum(grade, 0)]
        return (rng.random(grade.shape) < chance) & (grade >= 0)

    def examination(self, depth: int) -> Floats:
        return np.asarray(np.arange(1.0, depth + 1) ** -self.eta, dtype=np.float64)

    def attractiveness(self, top_grade: int) -> Floats:
        """By grade, (top_grade + 1,)."""
        gain = (2.0 ** np.arange(top_grade + 1) - 1) / (2.0**top_grade - 1)
        return np.asarray(self.noise + (1 - self.noise) * gain, dtype=np.float64)


MODELS: Mapping[str, type[ClickModel]] = MappingProxyType(
    {kind.name: kind for kind in (Perfect, Navigational, Informational, AlmostRandom, PositionBased)}
)


def model_named(name: str, *, eta: float | None = None, noise: float | None = None) -> ClickModel:
    """Raises `ValueError` for an unknown name, and for eta or noise of a model that has none."""
    if name not in MODELS:
        raise ValueError(f"a model of clicks is one of {', '.join(MODELS)}, not {name!r}")
    chosen = {key: value for key, value in (("eta", eta), ("noise", noise)) if value is not None}
    if MODELS[name] is PositionBased:
        return PositionBased(**chosen)
    if chosen:
        raise ValueError(f"{min(chosen)} is a parameter of position_based, not of {name}")
    return MODELS[name]()
