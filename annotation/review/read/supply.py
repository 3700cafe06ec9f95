"""How much gold is left for whom, under the default policy: its number of gold judgments makes somebody proven."""

from django.db.models import Count, Max

from annotation.gold.read.judged import JudgedGold, judged_gold
from annotation.gold.read.supply import Supply, gold_to_come, supply_of
from annotation.kernel.results.recipes import BatchChoice, Recipe
from annotation.kernel.results.recipes import Parameters as Asked
from annotation.kernel.showing import current_alone
from annotation.models import Assignment, Collection, Membership, QualificationAnswer, StockItem
from annotation.review.read.suspects import gold_choice, suspects_of
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.results import is_large, result_of


def supply_now(collection: Collection, judged: JudgedGold | None = None) -> Supply:
    """`judged`: the judgments on gold as they are now, where they have been read already."""
    choice, asked = gold_choice(collection), _asked(collection)
    if is_large(choice):
        return result_of(SUPPLY, choice, asked)
    return supply_of(collection, judged_gold(collection) if judged is None else judged, **asked)


def _asked(collection: Collection) -> Asked:
    return {"wanted": default_parameters(collection).min_gold}


def _make(choice: BatchChoice, asked: Asked) -> Supply:
    with current_alone():
        judged = suspects_of(choice.collection).judged
    return supply_of(choice.collection, judged, **asked)


def _mark(choice: BatchChoice, _asked: Asked) -> object:
    """Who was handed something since, what is kept for people and lies in the stock, who may see gold."""
    collection = choice.collection
    rows = (
        gold_to_come(collection),
        StockItem.objects.filter(batch__collection=collection),
        Membership.objects.filter(collection=collection),
        QualificationAnswer.objects.filter(attempt__annotator__collection=collection),
    )
    handed = Assignment.objects.filter(collection=collection).aggregate(last=Max("pk"))
    return [
        collection.scale_id,
        handed["last"],
        *(each.aggregate(n=Count("pk"), last=Max("pk")) for each in rows),
    ]


SUPPLY = Recipe("supply", _make, mark=_mark, usual=lambda collection: [(gold_choice(collection), _asked(collection))])
