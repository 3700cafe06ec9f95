"""bpref with the geometric mean over topics."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.measures.base import Cut, Summary
from evaluation.engine.measures.bpref import Bpref


@dataclass(frozen=True, kw_only=True)
class GeometricBpref(Bpref):
    """bpref of each topic; the summary is exp(mean ln max(bpref, 1e-5)), which the worst topics rule.

    A topic of value 0 counts as 1e-5, a missing one too.

    As `gm_bpref` in trec_eval, which prints the summary alone. The mean: Robertson, On GMAP: and other transformations,
    CIKM 2006.
    """

    family: ClassVar[str] = "GMbpref"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"gm_bpref": ""}
    summary: ClassVar[Summary] = "geometric"
