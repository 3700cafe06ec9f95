"""A batch under way, and people who judge in it."""

from datetime import timedelta

from django.utils import timezone

from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.putting_off import skip_item
from annotation.models import (
    Assignment,
    Batch,
    Item,
)
from tests.annotation.campaign import Campaign, make_campaign
from tests.annotation.roles import People, make_people

NOW = timezone.now()


def under_way(**sizes: int) -> tuple[People, Campaign, Batch]:
    people = make_people()
    campaign = make_campaign(people.collection, **{"n_topics": 2, **sizes})
    batch = campaign.draft()
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    return people, campaign, Batch.objects.get(pk=batch.pk)


def judge(batch: Batch, place: int, n: int, *, seconds: int = 36) -> None:
    """The person judges `n` cards, each for so long."""
    person = batch.participations.order_by("pk")[place]
    moment = NOW
    for _ in range(n):
        card = claim_next(person, moment=moment)
        assert card is not None
        moment += timedelta(seconds=seconds)
        record_judgment(person, token=card.token, grade=1, moment=moment, active_ms=seconds * 500)


def skip(batch: Batch, place: int, reason: Assignment.SkipReason) -> Item:
    person = batch.participations.order_by("pk")[place]
    card = claim_next(person, moment=NOW)
    assert card is not None
    skip_item(person, token=card.token, reason=reason, note="garbled", moment=NOW)
    return card.assignment.item
