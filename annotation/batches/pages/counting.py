"""What of a draft will count once it is judged, by the default policy. The dry run says it first, with what helps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

from annotation.batches.steps.layout.forecast import SENSIBLE_GOLD_SHARE, DryRun
from annotation.models import Batch, Collection
from annotation.text.counted import counted
from annotation.trust.read.policies import default_policy, parameters_of

NOBODY, SOME, ALL = "bad", "warn", "ok"  # the tone of the note


@dataclass(frozen=True)
class Counting:
    """Of the `n_people` who get cards, `n_reach` can expect the `min_gold` gold judgments that `policy` asks for.

    `most_gold`: the most that any of them can expect, those of earlier batches included.
    """

    policy: str
    min_gold: int
    counts_unproven: bool
    n_people: int
    n_reach: int
    most_gold: int
    share_can_rise: bool

    @classmethod
    def of(cls, batch: Batch, result: DryRun) -> Self:
        gold = [each.n_gold + each.n_gold_before for each in result.people if each.gets_cards]
        return cls.of_gold(batch.collection, gold, gold_share=batch.gold_share)

    @classmethod
    def of_gold(cls, collection: Collection, gold: Sequence[int], *, gold_share: float) -> Self:
        """`gold`: how many judgments on gold each of those who get cards can expect."""
        policy = default_policy(collection)
        parameters = parameters_of(policy)
        asked = max(parameters.min_gold, 1)
        return cls(
            policy=str(policy),
            min_gold=asked,
            counts_unproven=parameters.count_unproven,
            n_people=len(gold),
            n_reach=sum(n >= asked for n in gold),
            most_gold=max(gold, default=0),
            share_can_rise=gold_share < SENSIBLE_GOLD_SHARE[1],
        )

    @property
    def tone(self) -> str:
        if not self.n_people or (not self.n_reach and not self.counts_unproven):
            return NOBODY
        return ALL if self.counts_unproven or self.n_reach == self.n_people else SOME

    @property
    def lacks_gold(self) -> bool:
        return bool(self.n_people) and self.tone != ALL

    @property
    def verdict(self) -> str:
        if not self.n_people:
            return "Nobody gets cards, so nothing will be judged."
        if self.tone == NOBODY:
            return "With so little gold no pair will count." if self.most_gold else "Without gold no pair will count."
        if self.tone == SOME:
            return f"{self.n_reach} of {counted(self.n_people, 'person', 'people')} can come to count."
        everybody = "The one person" if self.n_people == 1 else f"All {self.n_people} people"
        return f"{everybody} can come to count."

    @property
    def why(self) -> str:
        """The sentence behind the verdict; empty where there is nobody."""
        if not self.n_people:
            return ""
        if self.counts_unproven:
            return f"The policy {self.policy} counts people until gold shows that they are often wrong."
        asks = f"The policy {self.policy} counts nobody with fewer than {counted(self.min_gold, 'judgment')} on gold"
        if self.tone == NOBODY:
            return f"{asks}; {self._most_words}."
        if self.tone == SOME:
            n = self.n_people - self.n_reach
            return f"{asks}; {counted(n, 'person', 'people')} cannot expect that many."
        return f"{asks}; everybody can expect that many. Whether they are right often enough shows then."

    @property
    def _most_words(self) -> str:
        return f"the most that anybody can expect here is {self.most_gold}" if self.most_gold else "here none comes up"

    def as_json(self) -> dict[str, object]:
        """As the API says it."""
        names = ("policy", "min_gold", "counts_unproven", "n_people", "n_reach", "verdict", "why")
        return {name: getattr(self, name) for name in names}

    @property
    def lenient_policy(self) -> str:
        """Where a policy that counts unproven people begins, as the query of an address."""
        return urlencode({"from": self.policy, "name": "unproven too", "count_unproven": True})


def other_warnings(result: DryRun) -> tuple[str, ...]:
    """Those that `Counting` does not say already."""
    return result.warnings[1:] if result.nobody_proves else result.warnings
