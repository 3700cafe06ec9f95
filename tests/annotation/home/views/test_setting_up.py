"""A new collection leads to its first batch: what each step wants, and the file that is sent at once."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Import
from tests.annotation.roles import ADMINS_ONLY, make_people
from tests.factories import make_document, make_topic

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/start"
FILES = {"topics": b"1\tDo bees sleep\n", "documents": b'{"docno": "a", "text": "Bees"}\n', "gold": b"1\ta\t1\n"}


def test_each_step_is_for_admins_and_takes_its_file_at_once() -> None:
    people = make_people()
    assert people.statuses(PAGE) == ADMINS_ONLY
    client = people.client("admin")
    text = client.get(PAGE).text
    assert re.findall(r"\d\. (?:Topics|Documents|Pairs to judge|People|Gold|Batch)", text) == [
        "1. Topics", "2. Documents", "3. Pairs to judge", "4. People", "5. Gold", "6. Batch",
    ]  # fmt: skip
    assert re.findall(r'type="file" name="(\w+)"', text) == ["topics", "documents", "file"]
    assert client.post(PAGE).status_code == 302
    assert Import.objects.count() == 0, "no file was chosen"
    files = {kind: SimpleUploadedFile(f"{kind}.txt", FILES[kind]) for kind in ("topics", "documents")}
    assert client.post(PAGE, files).headers["Location"] == PAGE
    assert "topics.txt" in client.get(PAGE).text, "on its way"
    gold = {"file": SimpleUploadedFile("gold.txt", FILES["gold"])}
    assert client.post("/c/bees/imports/new/gold", gold).status_code == 302
    assert all(each.options["publish"] for each in Import.objects.exclude(kind="gold"))
    assert set(Import.objects.values_list("kind", flat=True)) == set(FILES)


def test_who_comes_with_qrels_and_runs_is_led_past_the_steps() -> None:
    text = make_people().client("admin").get(PAGE).text
    before = text.partition("1. Topics")[0]
    for address in ("imports/new/qrels", "runs/new", "leaderboard/"):
        assert f'href="/c/bees/{address}"' in before.partition("Judged already")[2]


def test_what_is_done_says_so_and_the_next_step_is_marked() -> None:
    people = make_people()
    make_topic(people.collection, "1")
    make_document(people.collection, "a")
    text = people.client("admin").get(PAGE).text
    assert "1 topic here." in text
    assert "1 document here." in text
    assert 'imports/new/topics" enctype' not in text
    (step,) = re.findall(r'class="set-up next" aria-labelledby="(\S+)"', text)
    assert step == "step-3"
    assert 'href="/c/bees/pools/without-runs"' in text
    assert 'href="/c/bees/pools/runs"' not in text
