"""What diversity measures share: they compute on intents, of which each is seen as ordinary measures see a topic."""

from abc import abstractmethod
from dataclasses import dataclass

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.view import Intents
from evaluation.engine.measures.base import BinaryMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class DiversityMeasure(BinaryMeasure):
    """A measure of how a ranking serves several intents. Relevant to an intent is a grade of at least `rel`.

    An intent without a relevant document is left out, as ndeval leaves it out; a topic without any has the value 0.
    """

    @abstractmethod
    def over_intents(self, intents: Intents) -> Floats:
        """The value for each topic, (n_topics,); 0 for a topic that is missing from the run."""

    def per_topic(self, rankings: Rankings) -> Floats:
        raise TypeError(f"{self} needs diversity qrels: evaluate it with evaluate_diversity")

    def refuse_outside(self, name: str, low: float, high: float) -> None:
        """Raise `ValueError` for a parameter that is not low … high."""
        if not low <= getattr(self, name) <= high:
            raise ValueError(f"the parameter {name} of {self.family} lies between {low:g} and {high:g}")
