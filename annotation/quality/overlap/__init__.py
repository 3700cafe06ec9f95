"""Dynamic overlap: as many judgments a pair as it needs, and no more.

P. G. Ipeirotis, F. Provost, V. S. Sheng and J. Wang, Repeated Labeling Using Multiple Noisy
Labelers, Data Mining and Knowledge Discovery 28 (2014) 402–441, ask again where the grade is least
certain; here the certainty is first learned to be worth what it says, on gold.
"""

from annotation.quality.overlap.curves import ENOUGH
from annotation.quality.overlap.fixed import AtNumber, at_fixed, at_paths, with_at_least
from annotation.quality.overlap.forecast import Likely, likely
from annotation.quality.overlap.paths import Paths, follow
from annotation.quality.overlap.rule import MOST, OverlapRule, why_not
from annotation.quality.overlap.state import End
from annotation.quality.overlap.summary import PathSummary, Summary, summary_of

__all__ = [
    "ENOUGH",
    "MOST",
    "AtNumber",
    "End",
    "Likely",
    "OverlapRule",
    "PathSummary",
    "Paths",
    "Summary",
    "at_fixed",
    "at_paths",
    "follow",
    "likely",
    "summary_of",
    "why_not",
    "with_at_least",
]
