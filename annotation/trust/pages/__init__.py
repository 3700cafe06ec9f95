"""What pages of this subject say: words, tones, plots and tables."""

from annotation.trust.pages.api_choice import CHOICE, choice_in_query
from annotation.trust.pages.choice import ChoiceOfBatches
from annotation.trust.pages.report import QualityReport, quality_report

__all__ = [
    "CHOICE",
    "ChoiceOfBatches",
    "QualityReport",
    "choice_in_query",
    "quality_report",
]
