"""What judgments say of the people who gave them: one statistic a file, all people at once.

Each gives `Figures` (`figure.py`): a value a person with what it rests on and its interval, or why
there is none. `Profiles` has them all.
"""

from annotation.quality.annotators.copies import near_copies
from annotation.quality.annotators.figure import Figure, Figures
from annotation.quality.annotators.profile import Profiles

__all__ = ["Figure", "Figures", "Profiles", "near_copies"]
