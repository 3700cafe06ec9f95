"""Measures of judgments that are a sample of the pool: one a file, all named here."""

from evaluation.engine.measures.base import Measure
from evaluation.engine.measures.names import read_measure
from evaluation.engine.sampled.base import SampledMeasure
from evaluation.engine.sampled.inf_ndcg import InfNDCG
from evaluation.engine.sampled.prels import Prels
from evaluation.engine.sampled.scorer import SampledValues, evaluate_sampled
from evaluation.engine.sampled.stat_ap import StatAP
from evaluation.engine.sampled.xinf_ap import XInfAP

SAMPLED_MEASURES: tuple[type[Measure], ...] = (StatAP, XInfAP, InfNDCG)

DEFAULT_OF_PROBABILITIES = ("statAP",)
DEFAULT_OF_STRATA = ("xinfAP@1000", "infNDCG@1000", "statAP")


def parse_sampled_measure(name: str) -> SampledMeasure:
    """The measure of sampled judgments that `name` names, written as every measure: `statAP(rel=2)`, `xinfAP@1000`.

    Raises `UnknownMeasureError`, which proposes the nearest names, or `ValueError` for parameters that make no sense.
    """
    measure = read_measure(name, SAMPLED_MEASURES)
    assert isinstance(measure, SampledMeasure)
    return measure


__all__ = [
    "DEFAULT_OF_PROBABILITIES",
    "DEFAULT_OF_STRATA",
    "SAMPLED_MEASURES",
    "Prels",
    "SampledMeasure",
    "SampledValues",
    "evaluate_sampled",
    "parse_sampled_measure",
]
