"""What pages of this subject say: words, tones, plots and tables."""

from annotation.gold.pages.balance import verdicts
from annotation.gold.pages.search import GoldSearchForm

__all__ = [
    "GoldSearchForm",
    "verdicts",
]
