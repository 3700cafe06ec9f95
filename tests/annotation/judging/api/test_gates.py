"""What stands before a card, for programs: consent, the guideline's changes, the round; documents, choices, words."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Consent, ExtraTerms, GuidelineReading, JudgingChoices, QualificationAnswer
from tests.annotation.callers import caller, send
from tests.annotation.judging.views.test_judge_gates import beginning, revised
from tests.annotation.qualified import make_round
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import WHO, People

pytestmark = pytest.mark.django_db

CHOICES = reverse("api_judge_choices")
GETS = ("information", "guideline", "qualify", "document")
POSTS = ("consent", "decline", "acknowledge", "qualify_begin", "terms")


def at(name: str, batch: Any, *more: str) -> str:
    return reverse(f"api_judge_{name}" if name else "api_judge", args=[batch.token, *more])


@pytest.mark.parametrize("name", [*GETS, *POSTS])
def test_only_participants(name: str) -> None:
    people, batch = beginning(information="Text")
    method = "get" if name in GETS else "post"
    refused = {"admin": 404, "researcher": 404, "outsider": 404, "anonymous": 401}
    clients = {who: Client() if who == "anonymous" else caller(getattr(people, who)) for who in WHO if who in refused}
    body = {"token": "x", "number": 1, "words": []} if method == "post" else None
    codes = {who: send(client, method, at(name, batch), body).status_code for who, client in clients.items()}
    assert codes == refused
    assert not Consent.objects.exists()


def test_who_agrees_goes_on_and_it_is_written_down() -> None:
    people, batch = beginning(information="We keep your *grades*.")
    client = caller(people.annotator)
    assert client.get(at("", batch)).json()["state"] == "information"
    assert send(client, "post", at("next", batch)).json()["state"] == "information"
    text = client.get(at("information", batch)).json()
    assert (text["number"], text["text"], text["agreed_before"]) == (1, "We keep your *grades*.", None)
    assert "<em>grades</em>" in text["html"]
    assert send(client, "post", at("decline", batch)).status_code == 204
    assert not Consent.objects.exists()
    assert send(client, "post", at("consent", batch), {"number": 9}).status_code == 409
    assert refused_fields(send(client, "post", at("consent", batch), {"number": 0})) == {"number"}
    assert send(client, "post", at("consent", batch), {"number": 1}).json()["state"] == "start"
    assert Consent.objects.get().information == batch.information
    assert send(client, "post", at("next", batch)).json()["state"] == "card"


def test_a_batch_without_a_text_or_a_round_has_none() -> None:
    people, batch = beginning()
    client = caller(people.annotator)
    assert client.get(at("information", batch)).status_code == 404
    assert client.get(at("qualify", batch)).status_code == 404
    assert send(client, "post", at("qualify_begin", batch)).status_code == 404


def test_a_changed_guideline_is_acknowledged_first() -> None:
    people, batch = beginning()
    client = caller(people.annotator)
    token = send(client, "post", at("next", batch)).json()["cards"][0]["token"]
    number = revised(people, "Read every word.")
    here = client.get(at("guideline", batch), {"token": token}).json()
    assert (here["guideline"]["number"], here["changed"]) == (1, [])
    assert send(client, "post", at("grade", batch), {"token": token, "grade": 1}).json()["state"] == "guideline"
    shown = client.get(at("guideline", batch)).json()
    assert (shown["guideline"]["number"], shown["changed"][0]["title"]) == (number, "Introduction")
    assert {"removed", "added"} <= {change["kind"] for change in shown["changed"][0]["changes"]}
    assert send(client, "post", at("acknowledge", batch), {"number": 1}).status_code == 409
    assert send(client, "post", at("acknowledge", batch), {"number": number}).json()["state"] == "card"
    assert GuidelineReading.objects.filter(guideline__number=number).count() == 1
    assert Assignment.objects.filter(guideline__number=number).count() == 1


def in_round() -> tuple[People, Any, Client]:
    people, batch = beginning()
    batch.qualification = make_round(people.collection, pass_mark=0.6)
    batch.save()
    return people, batch, caller(people.annotator)


def test_a_round_is_gone_through() -> None:
    _people, batch, client = in_round()
    assert client.get(at("", batch)).json()["state"] == "qualification"
    before = client.get(at("qualify", batch)).json()
    assert (before["name"], before["progress"]["may_begin"], before["pair"]) == ("Basics", True, None)
    begun = send(client, "post", at("qualify_begin", batch)).json()
    assert (begun["progress"]["is_running"], begun["pair"]["hint"]) == (True, "Hint 1")
    assert begun["pair"]["document"]["text"] == "Text of lesson 1."
    assert "accepted" not in begun["pair"]
    item = begun["pair"]["item"]
    pair = at("qualify_pair", batch, item)
    assert client.get(pair).status_code == 404
    assert refused_fields(send(client, "post", pair, {"grade": 9})) == {"grade"}
    verdict = send(client, "post", pair, {"grade": 0}).json()
    assert verdict == {"item": item, "grade": 0, "is_right": True, "accepted": [0], "explanation": "Because 1"}
    assert send(client, "post", pair, {"grade": 4}).json() == verdict == client.get(pair).json()
    assert QualificationAnswer.objects.count() == 1
    for grade in (3, 0):
        item = client.get(at("qualify", batch)).json()["pair"]["item"]
        send(client, "post", at("qualify_pair", batch, item), {"grade": grade})
    over = client.get(at("qualify", batch)).json()
    assert (over["progress"]["has_passed"], over["pair"]) == (True, None)
    assert [answer["is_right"] for answer in over["answers"]] == [True, True, False]
    assert [(each["accepted"], each["n_right"]) for each in over["by_grade"]] == [([0], 1), ([2, 3], 1), ([4], 0)]
    assert send(client, "post", at("qualify_begin", batch)).status_code == 409
    assert send(client, "post", at("next", batch)).json()["state"] == "card"


def test_a_pair_of_another_round_is_not_found() -> None:
    people, batch, client = in_round()
    other = make_round(people.collection, name="Other", prefix="o").items.first()
    assert other is not None
    send(client, "post", at("qualify_begin", batch))
    assert send(client, "post", at("qualify_pair", batch, other.token), {"grade": 0}).status_code == 404
    assert not QualificationAnswer.objects.exists()


def test_the_document_comes_in_full() -> None:
    people, batch = beginning()
    client = caller(people.annotator)
    version = batch.items.earliest("pk").document_version
    assert version is not None
    type(version).objects.update(text="Bees. " * 20_000)
    token = send(client, "post", at("next", batch)).json()["cards"][0]["token"]
    short = client.get(at("document", batch), {"token": token}).json()
    whole = client.get(at("document", batch), {"token": token, "view": "whole"}).json()
    assert (short["is_long"], len(short["text"])) == (True, short["last"] - short["first"])
    assert (whole["is_long"], whole["text"]) == (False, "Bees. " * 20_000)
    assert client.get(at("document", batch), {"token": "x" * 22}).status_code == 404
    assert refused_fields(client.get(at("document", batch), {"view": "half"})) == {"token", "view"}


def test_words_of_ones_own_are_marked() -> None:
    people, batch = beginning()
    client = caller(people.annotator)
    token = send(client, "post", at("next", batch)).json()["cards"][0]["token"]
    answer = send(client, "post", at("terms", batch), {"token": token, "words": ["some", "text"]}).json()
    assert (answer["words"], ExtraTerms.objects.get().words) == (["some", "text"], ["some", "text"])
    assert "<mark" in answer["html"]
    many = [f"w{n}" for n in range(31)]
    assert refused_fields(send(client, "post", at("terms", batch), {"token": token, "words": many})) == {"words"}
    assert send(client, "post", at("terms", batch), {"token": "x" * 22, "words": []}).status_code == 404


def test_ones_choices_are_ones_own() -> None:
    people, _ = beginning()
    client = caller(people.annotator)
    usual = client.get(CHOICES).json()
    assert (usual["reading"], usual["marks"], usual["keys"]["undo"]) == ("excerpt", True, "u")
    changed = send(client, "patch", CHOICES, {"marks": False, "keys": {"undo": "z", "skip": ""}}).json()
    assert (changed["reading"], changed["marks"], changed["keys"]["undo"]) == ("excerpt", False, "z")
    assert "skip" not in changed["keys"]
    assert JudgingChoices.objects.get().user == people.annotator
    assert refused_fields(send(client, "patch", CHOICES, {"keys": {"undo": "l"}})) == {"undo", "later"}
    assert refused_fields(send(client, "patch", CHOICES, {"reading": "none"})) == {"reading"}
    assert send(client, "patch", CHOICES, {"keys": None}).json()["keys"] == usual["keys"]
    assert Client().get(CHOICES).status_code == 401


def test_half_a_character_is_refused_by_its_field() -> None:
    """A lone surrogate, which JSON can escape and UTF-8 cannot hold: the reason quotes it."""
    people, _ = beginning()
    body = b'{"reading": "\\ud800"}'
    answer = caller(people.annotator).patch(CHOICES, body, content_type="application/json")
    assert (answer.status_code, refused_fields(answer)) == (400, {"reading"})
    assert b"\\ud800" in answer.content
