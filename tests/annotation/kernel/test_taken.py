"""That a name was taken is said where it was; what another constraint refuses is no matter of the name."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction

from annotation.batches.steps.batches import BatchSettings, change_batch
from annotation.batches.steps.qualifications import (
    QualificationSettings,
    change_qualification,
    create_qualification,
)
from annotation.corpus.steps.collections import create_collection
from annotation.kernel.taken import TakenError
from annotation.models import DEFAULT_GRADES, Batch, Collection, Pool, Qualification, User
from tests.annotation.campaign import make_campaign
from tests.annotation.roles import make_people
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("refusals")]
ROUNDS = "annotation.batches.steps.qualifications"
VIEWS = "annotation.corpus.views"


def another_first(monkeypatch: pytest.MonkeyPatch, step: str, take: Callable[[], object]) -> None:
    """Between the form, which has looked, and the step somebody takes the name."""
    name = step.rpartition(".")[2]
    itself = getattr(import_module(step.rpartition(".")[0]), name)

    def late(*args: Any, **options: Any) -> object:
        take()
        return itself(*args, **options)

    monkeypatch.setattr(step, late)


def test_a_name_that_is_there_is_taken() -> None:
    campaign = make_campaign(n_topics=1)
    collection, lead = campaign.collection, make_user("lead")
    campaign.draft(name="first")
    second = campaign.draft(name="second")
    create_qualification(collection, settings=QualificationSettings(name="first"), actor=None)
    later = create_qualification(collection, settings=QualificationSettings(name="second"), actor=None)
    first = BatchSettings(name="first", pool=campaign.pool, seed=1)
    deeds: list[Callable[[], object]] = [
        lambda: create_collection(slug=collection.slug, name="x", description="", grades=DEFAULT_GRADES, actor=lead),
        lambda: create_qualification(collection, settings=QualificationSettings(name="first"), actor=None),
        lambda: change_qualification(later, settings=QualificationSettings(name="first"), actor=None),
        lambda: campaign.draft(name="first"),
        lambda: change_batch(second, settings=first, topics=[], annotators=[], actor=None),
    ]
    for deed in deeds:
        with pytest.raises(TakenError), transaction.atomic():
            deed()
    assert Batch.objects.count() == Qualification.objects.count() == 2


def test_what_another_constraint_refuses_has_nothing_to_do_with_the_name() -> None:
    campaign = make_campaign(n_topics=1)
    draft = campaign.draft(name="first")
    mine = create_qualification(campaign.collection, settings=QualificationSettings(name="first"), actor=None)
    never = BatchSettings(name="first", pool=campaign.pool, seed=1, judgments_per_item=0)
    beyond = QualificationSettings(name="first", pass_mark=2)
    deeds: list[Callable[[], object]] = [
        lambda: create_qualification(
            campaign.collection, settings=QualificationSettings(name="x", pass_mark=2), actor=None
        ),
        lambda: change_qualification(mine, settings=beyond, actor=None),
        lambda: campaign.draft(name="x", judgments_per_item=0),
        lambda: change_batch(draft, settings=never, topics=[], annotators=[], actor=None),
    ]
    for deed in deeds:
        with pytest.raises(IntegrityError) as refused, transaction.atomic():
            deed()
        assert not isinstance(refused.value, TakenError)


def test_the_page_says_it_beside_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    people = make_people()
    admin, entered = people.client("admin"), {"name": "Basics", "pass_mark": "70", "most_attempts": "2"}
    here = {"collection": people.collection, "scale": people.collection.scale}
    another_first(
        monkeypatch, f"{ROUNDS}.create_qualification", lambda: Qualification.objects.create(name="Basics", **here)
    )
    answer = admin.post("/c/bees/qualifications/new", entered)
    assert answer.context["form"].errors == {"name": ["The collection already has a round of this name."]}
    assert Qualification.objects.count() == 1


def test_a_pool_and_a_collection_say_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    people = make_people()
    campaign, client = make_campaign(people.collection, n_topics=1), people.client("admin")
    pair = f"{campaign.topics[0].number} {campaign.documents[0][0].docno}\n".encode()
    sent = {"name": "tops", "file": SimpleUploadedFile("pairs.txt", pair), "unknown": "skip"}
    pool = {"collection": campaign.collection, "name": "tops", "n_pairs": 1}
    another_first(monkeypatch, f"{VIEWS}.pools.create_pool_from_file", lambda: Pool.objects.create(**pool))
    assert "The collection already has a pool of this name." in client.post("/c/bees/pools/file", sent).text
    User.objects.filter(pk=people.admin.pk).update(may_create_collections=True)
    wasps = {"slug": "wasps", "name": "Wasps"}
    another_first(monkeypatch, f"{VIEWS}.collections.create_collection", lambda: Collection.objects.create(**wasps))
    answer = client.post("/collections/new", {**wasps, "scale": "default"})
    assert answer.context["form"].errors == {"slug": ["“wasps” was taken just now."]}
