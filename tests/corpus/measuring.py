"""Every measure there is, with cutoffs and parameters as far out as they go: what is legal measures to finite values.

NaN and infinity would come from grades far out, from nothing to divide by, from few, unjudged or tied documents.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.evaluate import evaluate_diversity
from evaluation.engine.diversity.measures import DIVERSITY_MEASURES, parse_diversity_measure
from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.gains import GREATEST_EXPONENT
from evaluation.engine.measures import MEASURES, Measure, parse_measure
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.preferences.evaluate import evaluate_groups, evaluate_preferences
from evaluation.engine.preferences.measures import GROUP_MEASURES, PREFERENCE_MEASURES
from evaluation.engine.preferences.preferences import Preferences
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.sampled import SAMPLED_MEASURES, Prels, SampledMeasure, evaluate_sampled, parse_sampled_measure
from evaluation.engine.scorer import MeasureValues, evaluate

Family = TypeVar("Family", bound=Measure)

SLACK = 1e-9
CUTOFFS = {"rank": (1, 3, 1000), "share": (0.0, 0.5, 1.0)}
VARIANTS = (
    "nDCG(gains={1:3.5,2:-9})@10 AP(of='found',rel=2) R(rel=3,capped=True)@10 GMAP(of='found') iAP(at=[0.5])",
    "P(rel=2)@3 SetP(relative=True) SetF(beta=0) SetF(x=0) utility(a=0.5,b=2,c=-1,d=3,documents=9) IDCG(gains={1:0})",
    "nDCGrel(gains={1:-1}) RnDCG(gains={1:-1}) G(gains={1:-1}) RBP(p=0.999999) RBP(top='topic') RBP(rel=2)",
    "RBPresid(p=0.999999,tail='unjudged') DCG(discount='rank',base=10) DCG(gains={1:-1}) iRBU(p=0.000001)",
    "EBR(beta=1000000,gains={1:0.5}) Q(beta=1000000,gains={1:0.5}) NCU(stop='rb') NCU(beta=1000000,gamma=1)",
    "NCU(gains={1:0.5}) INSQ(T=1000)@10 INST(T=1000)@10 BPM(T=1000)@10 NERR10(p=0.000001) NERR11(T=1000)",
    "Compat(p=0.000001) Compat(normalize=False)",
)
DIVERSE = (
    "alpha_nDCG(alpha=0)@3 alpha_nDCG(alpha=1)@3 alpha_DCG(alpha=1,norm='none')@3 ERR_IA(gains='exp',alpha=1)",
    "ERR_IA(norm='none')@3 nERR_IA(gains='exp',alpha=1) NRBP(alpha=1,beta=0.999999) nNRBP(alpha=1,beta=0.999999)",
    "nDCG_IA(gains={1:-1}) D_nDCG(gains={1:-1}) Dsharp_nDCG(gains={1:-1},gamma=0)@3 Dsharp_nDCG(gamma=1)@3",
)


def _each(families: Iterable[type[Family]]) -> list[Family]:
    """Without a cutoff and with several, as far as the family takes them."""
    measures = list[Family]()
    for family in families:
        measures += [family()] if family.cut != "must" else []
        measures += [family(cutoff=cutoff) for cutoff in CUTOFFS[family.cut_is]] if family.cut != "no" else []
    return measures


EVERY = [*_each(MEASURES), *(parse_measure(name) for row in VARIANTS for name in row.split())]
EVERY_DIVERSE = [
    *_each(DIVERSITY_MEASURES),
    *(parse_diversity_measure(name) for row in DIVERSE for name in row.split()),
]
EVERY_OF_GROUPS = _each(GROUP_MEASURES)
EVERY_OF_PREFERENCES = _each(PREFERENCE_MEASURES)
EVERY_SAMPLED = [parse_sampled_measure(str(measure)) for measure in _each(SAMPLED_MEASURES)]
EVERY_SAMPLED += map(
    parse_sampled_measure, ["statAP(rel=2)", "xinfAP(rel=2,eps=0.000001)", "infNDCG(fractions='counted')"]
)
# Gains of 2^grade − 1, for grades up to `GREATEST_EXPONENT` only:
EXPONENTIAL = [
    parse_measure(f"{name}(gains='exp')")
    for name in ("nDCG", "DCG", "IDCG", "nDCGrel", "RnDCG", "G", "EBR", "Q", "NCU")
]
EXPONENTIAL_DIVERSE = [
    parse_diversity_measure(name)
    for name in ("nDCG_IA(gains='exp')", "D_nDCG(gains='exp')", "Dsharp_nDCG(gains='exp')@3")
]


def check_measures(run: PackedRun, judged: Qrels, options: Options = DEFAULT_OPTIONS) -> None:
    """Raises `AssertionError` where a value or a mean is not finite, or a value beyond the limits of its measure; so do
    the others below."""
    top = max(int(judged.grade.max()), options.max_grade or 0)
    chosen = [*EVERY, *(EXPONENTIAL if top <= GREATEST_EXPONENT else [])]
    if options.ties == "averaged":
        chosen = [measure for measure in chosen if measure.averages_ties]
    _check(evaluate(run, judged, chosen, options=options), chosen)


def check_diversity(run: PackedRun, judged: DiversityQrels, options: Options = DEFAULT_OPTIONS) -> None:
    """By subtopics, and by the same column as judgment groups."""
    top = max(int(judged.documents.grade.max()), options.max_grade or 0)
    chosen = [*EVERY_DIVERSE, *(EXPONENTIAL_DIVERSE if top <= GREATEST_EXPONENT else [])]
    _check(evaluate_diversity(run, judged, chosen, options=options), chosen)
    _check(evaluate_groups(run, judged, EVERY_OF_GROUPS, options=options), EVERY_OF_GROUPS)


def check_preferences(run: PackedRun, preferences: Preferences) -> None:
    _check(evaluate_preferences(run, preferences, EVERY_OF_PREFERENCES), EVERY_OF_PREFERENCES)


def check_sampled(run: PackedRun, prels: Prels) -> None:
    chosen: list[SampledMeasure] = [one for one in EVERY_SAMPLED if prels.strata is not None or not one.needs_strata]
    table = evaluate_sampled(run, prels, chosen)
    _check(table, chosen)
    assert np.isfinite(table.n_relevant).all()
    assert (table.value >= 0).all()


def _check(table: MeasureValues, measures: Sequence[Measure]) -> None:
    wrong = [name for name, column in zip(table.measures, table.value.T, strict=True) if not np.isfinite(column).all()]
    wrong += [name for name, mean in zip(table.measures, table.mean.tolist(), strict=True) if not np.isfinite(mean)]
    wrong += [str(one) for one, column in zip(measures, table.value.T, strict=True) if not _is_within(one, column)]
    assert not wrong


def _is_within(measure: Measure, value: Floats) -> bool:
    """Up to rounding."""
    low, high = measure.value_range()
    return bool(((value >= low - SLACK) & (value <= high + SLACK)).all())
