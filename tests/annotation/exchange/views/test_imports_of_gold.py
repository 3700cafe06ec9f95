"""The page of an import that corrects gold: it says what, and asks."""

import pytest
from django.urls import reverse

from annotation.models import GoldEvent
from tests.annotation.exchange.views.test_imports import press, upload, work
from tests.annotation.roles import make_people
from tests.factories import make_document, make_topic

pytestmark = pytest.mark.django_db


def test_gold_that_corrects_gold_is_confirmed_by_its_number() -> None:
    people = make_people()
    make_topic(people.collection, "1")
    make_document(people.collection, "A")
    first = upload(people, "gold", "1\tA\t3\n")
    work()
    press(people, first, "publish")
    work()
    record = upload(people, "gold", "1\tA\t2\n")
    work()
    client, address = people.client("admin"), reverse("import_detail", args=["bees", record.pk])
    page = client.get(address).text
    assert "topic 1, document A: 3 → 2" in page
    assert 'name="correct" value="1" required' in page
    publish = reverse("import_publish", args=["bees", record.pk])
    assert "corrects 1 that are here already" in client.post(publish, {"correct": "x"}, follow=True).text
    client.post(reverse("imports_publish", args=["bees"]))
    work()
    assert list(GoldEvent.objects.values_list("grade", flat=True)) == [3]
    client.post(publish, {"correct": "1"})
    work()
    assert list(GoldEvent.objects.order_by("pk").values_list("grade", flat=True)) == [3, 2]
    assert 'name="correct"' not in client.get(address).text
