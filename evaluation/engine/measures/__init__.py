"""The measures: one a file, all named here."""

from functools import lru_cache

from evaluation.engine.measures.accuracy import Accuracy
from evaluation.engine.measures.average_precision import AveragePrecision
from evaluation.engine.measures.base import BinaryMeasure, Measure
from evaluation.engine.measures.bin_g import BinaryG
from evaluation.engine.measures.bpm import BPM
from evaluation.engine.measures.bpref import Bpref
from evaluation.engine.measures.compatibility import Compatibility
from evaluation.engine.measures.dcg import DCG
from evaluation.engine.measures.ebr import EBR
from evaluation.engine.measures.err import ERR
from evaluation.engine.measures.f1 import F1
from evaluation.engine.measures.g import NormalizedGain
from evaluation.engine.measures.geometric_average_precision import GeometricAveragePrecision
from evaluation.engine.measures.geometric_bpref import GeometricBpref
from evaluation.engine.measures.hits import Hits
from evaluation.engine.measures.hole import Hole
from evaluation.engine.measures.ideal_dcg import IdealDCG
from evaluation.engine.measures.inf_ap import InferredAP
from evaluation.engine.measures.insq import INSQ
from evaluation.engine.measures.inst import INST
from evaluation.engine.measures.interpolated_average_precision import InterpolatedAveragePrecision
from evaluation.engine.measures.interpolated_precision import InterpolatedPrecision
from evaluation.engine.measures.irbu import IRBU
from evaluation.engine.measures.judged_share import JudgedShare
from evaluation.engine.measures.names import UnknownMeasureError, read_measure, read_measures
from evaluation.engine.measures.ncu import NCU
from evaluation.engine.measures.ndcg import NDCG
from evaluation.engine.measures.ndcg_rel import NDCGRel
from evaluation.engine.measures.nerr import NERR
from evaluation.engine.measures.nerr8 import NERR8
from evaluation.engine.measures.nerr9 import NERR9
from evaluation.engine.measures.nerr10 import NERR10
from evaluation.engine.measures.nerr11 import NERR11
from evaluation.engine.measures.num_nonrel_ret import NumNonrelRet
from evaluation.engine.measures.num_q import NumQ
from evaluation.engine.measures.num_rel import NumRel
from evaluation.engine.measures.num_rel_ret import NumRelRet
from evaluation.engine.measures.num_ret import NumRet
from evaluation.engine.measures.num_unjudged_ret import NumUnjudgedRet
from evaluation.engine.measures.precision import Precision
from evaluation.engine.measures.q_measure import QMeasure
from evaluation.engine.measures.r_ndcg import RNDCG
from evaluation.engine.measures.r_precision import RPrecision
from evaluation.engine.measures.r_precision_mult import RPrecisionMult
from evaluation.engine.measures.rank_biased_precision import RankBiasedPrecision
from evaluation.engine.measures.rank_biased_residual import RankBiasedResidual
from evaluation.engine.measures.recall import Recall
from evaluation.engine.measures.reciprocal_rank import ReciprocalRank
from evaluation.engine.measures.sdcg import SDCG
from evaluation.engine.measures.set_average_precision import SetAveragePrecision
from evaluation.engine.measures.set_f import SetF
from evaluation.engine.measures.set_precision import SetPrecision
from evaluation.engine.measures.set_recall import SetRecall
from evaluation.engine.measures.success import Success
from evaluation.engine.measures.unjudged_share import UnjudgedShare
from evaluation.engine.measures.utility import Utility
from evaluation.engine.measures.yaap import Yaap

MEASURES: tuple[type[Measure], ...] = (
    NDCG,
    AveragePrecision,
    ReciprocalRank,
    Precision,
    Recall,
    Bpref,
    JudgedShare,
    NumQ,
    NumRet,
    NumRel,
    NumRelRet,
    NumNonrelRet,
    NumUnjudgedRet,
    GeometricAveragePrecision,
    RPrecision,
    RPrecisionMult,
    GeometricBpref,
    InterpolatedPrecision,
    InterpolatedAveragePrecision,
    InferredAP,
    Yaap,
    Success,
    SetPrecision,
    SetRecall,
    SetF,
    SetAveragePrecision,
    Utility,
    IdealDCG,
    NDCGRel,
    RNDCG,
    NormalizedGain,
    BinaryG,
    RankBiasedPrecision,
    RankBiasedResidual,
    UnjudgedShare,
    DCG,
    ERR,
    NERR,
    IRBU,
    EBR,
    QMeasure,
    NCU,
    SDCG,
    INSQ,
    INST,
    BPM,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    Compatibility,
    F1,
    Hits,
    Accuracy,
    Hole,
)

DEFAULT_MEASURES = ("nDCG@10", "nDCG", "AP", "RR", "P@10", "R@100", "R@1000", "bpref", "Judged@10")


@lru_cache(maxsize=4096)  # a leaderboard of 300 runs reads some names thousands of times
def parse_measure(name: str) -> Measure:
    """The measure that `name` names, in the field's way (`nDCG@10`, `AP(rel=2)`) or trec_eval's (`ndcg_cut_10`, `map`).

    Upper and lower case are alike, except that names written exactly go first (`RBP` and trec_eval's `rbp` differ).
    Raises `UnknownMeasureError`, which proposes the nearest names, or `ValueError` for parameters that make no sense
    and for a name that stands for several measures.
    """
    return read_measure(name, MEASURES)


def is_quality(name: str) -> bool:
    """Whether a higher value of the measure is a better run; so for measures that only other qrels have (diversity)."""
    try:
        return parse_measure(name).is_quality
    except ValueError:
        return True


def is_count(name: str) -> bool:
    """Whether the measure counts documents or topics, so that its value is a whole number and sums over topics."""
    try:
        return parse_measure(name).summary == "sum"
    except ValueError:
        return False


def is_mean(name: str) -> bool:
    """Whether the summary of the measure is the mean over topics; so for measures that only other qrels have."""
    try:
        return parse_measure(name).summary == "mean"
    except ValueError:
        return True


def parse_measures(name: str) -> list[Measure]:
    """All measures that `name` names: one, or as many as trec_eval's `ndcg_cut.10,20`, `P` or `official` stand for.

    Raises as `parse_measure` does.
    """
    return read_measures(name, MEASURES)


__all__ = [
    "DEFAULT_MEASURES",
    "MEASURES",
    "BinaryMeasure",
    "Measure",
    "UnknownMeasureError",
    "is_count",
    "is_mean",
    "is_quality",
    "parse_measure",
    "parse_measures",
]
