"""How a topic opens for a person: with a pair from each height of its pool, so that the first cards span the scale.

It orders the open slots alone. What is reserved for somebody comes when it is due, here as anywhere, whatever it is;
and as every card counts for its stratum, nothing after it tells what it was.
"""

from django.db.models import Case, Subquery, Value, When
from django.db.models.expressions import Combinable

from annotation.judging.steps.place import Place
from annotation.models import Assignment, Item
from annotation.models.prepared import KEY, Blank

REACH = 3  # cards for each stratum: a topic has opened by then, even where a stratum came up twice before another


def is_opening(place: Place) -> bool:
    """Whether so few cards of the block are done or in hand that the topic may still be opening."""
    return place.done < REACH * place.participation.batch.opening_cards


def seen_stratum() -> Combinable:
    """1 for a slot of a stratum from which the person has met a pair of the topic; a part of the claim's statement.

    When they come back to the topic they have met one from each. Items without a stratum are all alike.
    """
    in_block = Item.objects.filter(batch=Blank("batch", KEY), block=Blank("block", KEY))
    met = Assignment.objects.filter(
        batch=Blank("batch", KEY),
        annotator=Blank("annotator", KEY),
        item__topic=Subquery(in_block.values("topic")[:1]),  # one number: with `in`, asked again for every assignment
        item__stratum__isnull=False,
    ).exclude(state=Assignment.State.EXPIRED)
    return Case(When(item__stratum__in=met.values("item__stratum"), then=Value(1)), default=Value(0))
