"""What the page of gold says of all gold: how it is spread, what people made of each pair, who may come back.

Of large batches it is kept for all processes, so that a page reads those pairs alone that it lists.
"""

from dataclasses import dataclass

from annotation.gold.pages import Verdict, verdicts
from annotation.gold.read.current import TopicGold, gold_balance
from annotation.gold.read.supply import Supply
from annotation.kernel.results.recipes import BatchChoice, Recipe
from annotation.kernel.results.recipes import Parameters as Asked
from annotation.kernel.showing import current_alone
from annotation.models import Collection, GoldEvent
from annotation.review.pages.wear import Wear, wear_of
from annotation.review.read.supply import supply_now
from annotation.review.read.suspects import Suspects, gold_choice, suspects_of
from annotation.trust.read.gold_effect import Touched, freed_now
from annotation.trust.read.kept import as_at_first
from annotation.trust.read.results import is_large, result_of


@dataclass(frozen=True, eq=False)
class GoldFigures:
    """`freed`: people held by a rule that has no reason left. `last`: the newest event by then, or 0."""

    balance: list[TopicGold]
    verdicts: list[Verdict]
    n_suspects: int
    n_weighed: int
    freed: list[Touched]
    wear: Wear
    last: int

    @property
    def totals(self) -> list[int]:
        """By grade."""
        return [sum(counts) for counts in zip(*(topic.counts for topic in self.balance), strict=True)]


def gold_figures(collection: Collection) -> GoldFigures:
    return result_of(GOLD, gold_choice(collection), {})


def gold_and_supply(collection: Collection) -> tuple[GoldFigures, Supply]:
    """Of one moment; where nothing is kept, from one reading of the judgments on gold."""
    with as_at_first():
        if is_large(gold_choice(collection)):
            return gold_figures(collection), supply_now(collection)
        suspects = suspects_of(collection)
        return figures_of(suspects), supply_now(collection, suspects.judged)


def figures_of(suspects: Suspects) -> GoldFigures:
    """Four queries that read all gold, and what `freed_now` reads."""
    collection = suspects.collection
    assert collection.scale is not None
    last = GoldEvent.objects.filter(collection=collection).order_by("-pk").values_list("pk", flat=True).first()
    return GoldFigures(
        balance=gold_balance(collection, collection.scale),
        verdicts=verdicts(collection, suspects.judged, collection.scale, threshold=suspects.threshold),
        n_suspects=len(suspects.ranked),
        n_weighed=suspects.n_weighed,
        freed=freed_now(collection, suspects.judged),
        wear=wear_of(suspects),
        last=last or 0,
    )


def _make(choice: BatchChoice, _asked: Asked) -> GoldFigures:
    with current_alone():
        return figures_of(suspects_of(choice.collection))


GOLD = Recipe(
    "gold",
    _make,
    mark=lambda choice, _asked: choice.collection.scale_id,
    usual=lambda collection: [(gold_choice(collection), {})],
)
