import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.home.pages.collection_quality import clear_quality
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.grading import record_judgment
from annotation.kernel.audit import record_audit
from annotation.models import Batch, Qualification, QualificationAttempt, Role
from annotation.people.steps.information import revise_information
from annotation.trust.read.policies import default_policy
from annotation.trust.steps.pausing import pause_annotator
from annotation.trust.steps.snapshots import freeze_snapshot
from tests.annotation.qualified import make_round
from tests.annotation.roles import make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_annotator, make_batch, make_collection, make_member, make_user

pytestmark = pytest.mark.django_db


def test_each_person_finds_their_own_collections() -> None:
    people = make_people()
    for who in ("admin", "researcher", "annotator"):
        assert [place.collection for place in people.client(who).get("/").context["collections"]] == [people.collection]
    assert people.collection not in [
        place.collection for place in people.client("outsider").get("/").context["collections"]
    ]


def test_the_anonymous_visitor_is_sent_to_sign_in_and_back() -> None:
    assert Client().get("/").headers["Location"] == "/login?next=/"


def test_an_annotator_finds_open_and_paused_batches_and_can_judge_the_open_ones() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    batches = {state: make_batch(collection, [annotator], name=state.value, state=state) for state in Batch.State}
    client = Client()
    assert annotator.user is not None
    client.force_login(annotator.user)
    answer = client.get("/")
    assert [part.participation.batch for part in answer.context["waiting"]] == [
        batches[Batch.State.OPEN],
        batches[Batch.State.PAUSED],
    ]
    text = answer.text
    assert f'href="/judge/{batches[Batch.State.OPEN].token}/"' in text
    assert batches[Batch.State.PAUSED].token not in text


def test_who_has_finished_is_not_asked_to_judge() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    make_batch(collection, [annotator], n_topics=1, n_documents=1)
    person = annotator.participations.get()
    client = Client()
    assert annotator.user is not None
    client.force_login(annotator.user)

    def is_asked() -> bool:
        return 'class="button primary big"' in client.get("/").text

    assert is_asked()
    card = claim_next(person, moment=timezone.now())
    assert card is not None
    assert is_asked()
    record_judgment(person, token=card.token, grade=1, moment=timezone.now())
    person.refresh_from_db()
    assert (desk_of(person, moment=timezone.now()).state, is_asked()) == ("done", False)
    assert client.get("/").context["is_done"]


def test_who_has_to_train_begins_here_and_agrees_first_to_what_they_have_to() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    information = revise_information(collection, text="What is kept", based_on=0, actor=None)
    training = make_round(collection, most_attempts=2)
    batch = make_batch(collection, [annotator], n_topics=1, n_documents=1, qualification=training)
    client = Client()
    assert annotator.user is not None
    client.force_login(annotator.user)

    def is_offered() -> bool:
        return f'action="/judge/{batch.token}/qualify/begin"' in client.get("/").text

    assert is_offered()
    rules = client.get("/").context["waiting"][0].training
    assert (rules.n_pairs, rules.n_needed, rules.tries_left) == (3, 3, 2)
    Batch.objects.update(information=information)
    assert is_offered()
    text = client.post(f"/judge/{batch.token}/qualify/begin", follow=True).text
    assert ("What is kept" in text, 'name="then" value="training"' in text) == (True, True)
    assert not QualificationAttempt.objects.exists(), "nobody trains before they have agreed"
    assert 'name="then"' not in client.get(f"/judge/{batch.token}/").text
    for then, where in (("training", "/qualify"), ("", "/")):
        answer = client.post(f"/judge/{batch.token}/consent", {"number": information.number, "then": then})
        assert answer.headers["Location"] == f"/judge/{batch.token}{where}"
        assert QualificationAttempt.objects.exists() == bool(then)
        QualificationAttempt.objects.all().delete()
    assert is_offered()
    for model, change, back in (
        (Batch, {"state": Batch.State.PAUSED}, {"state": Batch.State.OPEN}),
        (Qualification, {"state": Qualification.State.CLOSED}, {"state": Qualification.State.OPEN}),
    ):
        model.objects.update(**change)
        assert not is_offered()
        model.objects.update(**back)
    answer = client.post(f"/judge/{batch.token}/qualify/begin")
    assert answer.headers["Location"] == f"/judge/{batch.token}/qualify"
    assert not is_offered()


def test_who_is_in_training_goes_on_there_and_who_failed_is_not_asked_to_judge() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    training = make_round(collection, most_attempts=2)
    batch = make_batch(collection, [annotator], n_topics=1, n_documents=1, qualification=training)
    client = Client()
    assert annotator.user is not None
    client.force_login(annotator.user)
    here = f"/judge/{batch.token}/"

    def way_on() -> str:
        text = client.get("/").text
        links = re.findall(r'<a class="button([^"]*)" href="(/judge/[^"]*)">([^<]*)', text)
        forms = re.findall(r'action="(/judge/[^"]*)">.*?class="button([^"]*)">([^<]*)', text, re.DOTALL)
        links += [(look, address, words) for address, look, words in forms]
        return " ".join(part.strip() for link in links for part in link)

    for again in (f"primary big {here}qualify/begin Train again", f" {here} Look"):
        client.post(f"{here}qualify/begin")
        for n in range(3):
            assert way_on() == f"primary big {here}qualify Continue training"
            assert f"training, {n} of 3 pairs answered" in " ".join(client.get("/").text.split())
            item = client.get(f"{here}qualify").context["item"]
            client.post(f"{here}qualify/{item.token}", {"grade": str(min({0, 1, 2} - set(item.accepted)))})
        assert way_on().strip() == again.strip()
    assert client.get("/").context["is_done"]
    QualificationAttempt.objects.filter(number=2).update(passed=True)
    assert way_on() == f"primary big {here} Judge"
    assert not client.get("/").context["is_done"]
    pause_annotator(annotator, reason="Too fast", actor=None, told="Please write to us.")
    assert way_on() == f"quiet {here} Look"
    assert client.get("/").context["is_done"]


def test_queries_do_not_grow_with_rounds_to_begin() -> None:
    def queries(n: int) -> int:
        person = make_user()
        for _ in range(n):
            collection = make_collection()
            make_batch(collection, [make_annotator(collection, person)], qualification=make_round(collection))
        client = Client()
        client.force_login(person)
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/").text.count("Start training") == n
        return len(seen)

    assert queries(1) == queries(3)


def test_a_place_that_was_closed_is_not_offered() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator])
    annotator.participations.update(is_active=False)
    client = Client()
    assert annotator.user is not None
    client.force_login(annotator.user)
    assert batch.token not in client.get("/").text


@pytest.mark.parametrize("may", [True, False])
def test_only_those_who_may_are_offered_to_create_a_collection(may: bool) -> None:
    client = Client()
    client.force_login(make_user(may_create_collections=may))
    assert ('href="/collections/new"' in client.get("/").text) is may


def test_whoever_has_no_password_is_told() -> None:
    client = Client()
    person = make_user()
    client.force_login(person)
    assert client.get("/").context["needs_password"] is True
    person.set_password("mountain-ridge-77")
    person.save()
    client.force_login(person)
    assert client.get("/").context["needs_password"] is False


def test_queries_do_not_grow_with_collections_and_batches() -> None:
    def queries(n: int) -> int:
        person = make_user()
        for _ in range(n):
            collection = make_collection()
            make_member(collection, person, Role.ADMIN)
            make_batch(collection, [make_annotator(collection, person)])
        client = Client()
        client.force_login(person)
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert client.get("/").status_code == 200
        return len(seen)

    assert queries(1) == queries(3)


def test_who_leads_finds_what_waits_and_the_newest_snapshot() -> None:
    clear_quality()
    people = make_people()
    worked = make_worked(people.collection)
    batches, policy = [worked.batch], default_policy(people.collection)
    freeze_snapshot(people.collection, name="First", batches=batches, policy=policy, created_by=None)
    snapshot = freeze_snapshot(people.collection, name="Second", batches=batches, policy=policy, created_by=None)
    first = people.client("admin").get("/")
    assert first.context["led"].snapshot == snapshot
    assert f'href="/c/bees/snapshots/{snapshot.pk}/"' in first.text
    assert 'hx-get="/c/bees/?figures=tasks"' in first.text
    assert '<noscript><p><a href="/c/bees/?figures=now">' in first.text
    part = people.client("admin").get("/c/bees/?figures=tasks", headers={"HX-Request": "true"})
    assert "<html" not in part.text
    whole = people.client("admin").get("/")
    assert whole.context["led"].is_whole
    assert whole.context["led"].tasks == part.context["led"].tasks
    assert part.text.count('class="task"') == first.text.count('class="task"')
    ids = re.findall(r' id="([^"]*)"', whole.text)
    assert "task-1" in ids
    assert len(ids) == len(set(ids))
    assert people.client("annotator").get("/").context["led"] is None
    assert people.client("outsider").get("/").context["led"].own.collection != people.collection


def test_of_several_the_one_that_something_happened_in_last_is_shown() -> None:
    person = make_user()
    collections = [make_collection(slug) for slug in ("bees", "ants", "cats")]
    for each in collections:
        make_member(each, person, Role.RESEARCHER)
    record_audit("scale changed", actor=person, collection=collections[1], subject="")
    client = Client()
    client.force_login(person)
    answer = client.get("/")
    assert answer.context["led"].own.collection == collections[1]
    assert [own.collection for own in answer.context["others"]] == [collections[0], collections[2]]


def test_the_page_is_guarded_by_its_headers() -> None:
    answer = make_people().client("admin").get("/")
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "font-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["X-Frame-Options"] == "DENY"
