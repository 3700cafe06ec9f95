"""The diversity measures: one a file, all named here."""

import re
from typing import cast

from evaluation.engine.diversity.measures.alpha_dcg import AlphaDCG
from evaluation.engine.diversity.measures.alpha_ndcg import AlphaNDCG
from evaluation.engine.diversity.measures.average_precision_ia import AveragePrecisionIA
from evaluation.engine.diversity.measures.base import DiversityMeasure
from evaluation.engine.diversity.measures.d_ndcg import DNDCG
from evaluation.engine.diversity.measures.d_sharp_ndcg import DSharpNDCG
from evaluation.engine.diversity.measures.err_ia import ERRIA
from evaluation.engine.diversity.measures.ndcg_ia import NDCGIA
from evaluation.engine.diversity.measures.nerr_ia import NERRIA
from evaluation.engine.diversity.measures.nnrbp import NNRBP
from evaluation.engine.diversity.measures.nrbp import NRBP
from evaluation.engine.diversity.measures.precision_ia import PrecisionIA
from evaluation.engine.diversity.measures.reciprocal_rank_ia import ReciprocalRankIA
from evaluation.engine.diversity.measures.subtopic_recall import SubtopicRecall
from evaluation.engine.measures.names import read_measure

DIVERSITY_MEASURES: tuple[type[DiversityMeasure], ...] = (
    AlphaNDCG,
    AlphaDCG,
    ERRIA,
    NERRIA,
    NRBP,
    NNRBP,
    SubtopicRecall,
    PrecisionIA,
    AveragePrecisionIA,
    ReciprocalRankIA,
    NDCGIA,
    DNDCG,
    DSharpNDCG,
)

DEFAULT_DIVERSITY_MEASURES = ("alpha_nDCG@10", "ERR_IA@10", "NRBP", "StRecall@10", "P_IA@10", "AP_IA", "Dsharp_nDCG@10")

_FAMILY = re.compile(r"[^(@]*")
_SIGNS = {"α": "alpha", "♯": "sharp", "#": "sharp", "-": "_"}


def parse_diversity_measure(name: str) -> DiversityMeasure:
    """The diversity measure that `name` names: `alpha_nDCG(alpha=0.7)@10`, also as papers and ndeval write it
    (`α-nDCG@10`, `ERR-IA@10`, `strec@10`, `MAP-IA`, `D♯-nDCG@10`).

    Upper and lower case are alike. Raises `UnknownMeasureError`, which proposes the nearest names, or `ValueError` for
    parameters that make no sense.
    """
    text = name.strip()
    family = _FAMILY.match(text)
    plain = family[0].strip() if family else ""
    for sign, word in _SIGNS.items():
        plain = plain.replace(sign, word)
    measure = read_measure(plain + text[len(family[0]) if family else 0 :], DIVERSITY_MEASURES)
    return cast("DiversityMeasure", measure)


__all__ = ["DEFAULT_DIVERSITY_MEASURES", "DIVERSITY_MEASURES", "DiversityMeasure", "parse_diversity_measure"]
