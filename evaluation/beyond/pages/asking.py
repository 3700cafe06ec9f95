"""What the page of each question is called, and what it is for."""

from collections.abc import Mapping
from types import MappingProxyType

from evaluation.models import Description

TITLE_OF: Mapping[str, str] = MappingProxyType(
    {
        Description.Kind.RECOMMENDATIONS: "Describe recommendations",
        Description.Kind.ALARMS: "Evaluate alarms",
        Description.Kind.DRIFT: "Look for drift",
        Description.Kind.INTERLEAVING: "Credit clicks on interleaved lists",
        Description.Kind.INTERLEAVING_POWER: "How many impressions interleaving takes",
    }
)
PURPOSE_OF: Mapping[str, str] = MappingProxyType(
    {
        Description.Kind.RECOMMENDATIONS: (
            "Whether lists are more than accurate: a run with the items it chose from, or a query log alone."
        ),
        Description.Kind.ALARMS: "Whether alarms are worth having: scores, higher more suspect, and what each was.",
        Description.Kind.DRIFT: (
            "Whether a window, this week’s documents or scores, differs from a reference by more than chance."
        ),
        Description.Kind.INTERLEAVING: "Which run users prefer: the lists that they were shown, and what they clicked.",
        Description.Kind.INTERLEAVING_POWER: (
            "How often a test would find which of two runs users prefer, beside an A/B test of the same traffic: "
            "clicks are simulated from judgments."
        ),
    }
)
