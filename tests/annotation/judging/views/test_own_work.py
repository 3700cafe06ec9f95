"""The pages about one's own work: own figures, own results, nobody else's, and nothing before it is due."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.judging.pages.own_plots import hours_plot
from annotation.judging.read.own_work import DAYS, DayOfMine, Done, OwnWork
from annotation.models import Annotator, Assignment, Batch, Feedback, Judgment, Participation, User, WorkSession
from tests.factories import make_annotator, make_batch, make_collection, make_judgment, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]

NOW = timezone.now()
HOUR = timedelta(hours=1)
PAGE = "/work/"


def client_of(person: User | None) -> Client:
    client = Client()
    assert person is not None
    client.force_login(person)
    return client


def working(*grades: int, name: str = "first", user: User | None = None) -> tuple[Batch, Annotator, Client]:
    """A person with judgments of an active minute each, in an open batch of as many documents."""
    collection = make_collection()
    person = make_annotator(collection, user)
    batch = make_batch(collection, [person], n_documents=max(len(grades), 1), name=name, laid_out_at=NOW)
    items = batch.items.select_related("batch", "collection").order_by("pk")
    for item, grade in zip(items, grades, strict=False):
        make_judgment(item, person, grade, active_ms=60_000, wall_ms=120_000)
    Participation.objects.filter(batch=batch, annotator=person).update(n_judged=len(grades))
    return batch, person, client_of(person.user)


def tell(batch: Batch, grade: int, *, accepted: tuple[int, ...] | None = None, explanation: str = "") -> list[Feedback]:
    """Everything judged in the batch is told, with the same known grade."""
    return Feedback.objects.bulk_create(
        Feedback(
            batch=batch,
            annotator_id=assignment.annotator_id,
            assignment=assignment,
            grade=grade,
            accepted=[grade] if accepted is None else list(accepted),
            explanation=explanation,
            created_at=timezone.now(),
        )
        for assignment in Assignment.objects.filter(batch=batch).order_by("pk")
    )


def results(batch: Batch) -> str:
    return f"/work/{batch.token}/"


def test_who_may_see_what() -> None:
    batch, person, client = working(2)
    tell(batch, 2)
    token = Judgment.objects.get().token
    assert client.get(PAGE).status_code == 200
    colleague = client_of(make_annotator(batch.collection).user)
    for page in (results(batch), f"{results(batch)}{token}"):
        assert client.get(page).status_code == 200
        assert colleague.get(page).status_code == 404
        assert Client().get(page).headers["Location"] == f"/login?next={page}"
    assert Client().get(PAGE).headers["Location"] == "/login?next=/work/"
    assert client.get(f"{results(batch)}unknown").status_code == 404
    assert colleague.post(f"{results(batch)}read").status_code == 404
    assert client.get(f"{results(batch)}read").status_code == 405
    person.participations.update(is_active=False)
    assert client.get(results(batch)).status_code == 200, "what was told stays theirs"


def test_own_figures_by_batch_day_and_session_and_nobody_elses() -> None:
    batch, person, client = working(2, 3, 0)
    other = make_annotator(batch.collection)
    assert person.user
    assert other.user
    Participation.objects.create(batch=batch, annotator=other, salt=9)
    item = batch.items.first()
    assert item is not None
    make_judgment(item, other, 4)
    make_judgment(item, person, 1, active_ms=60_000, wall_ms=0)  # a revision takes time and is no further pair
    WorkSession.objects.create(
        user=person.user, started_at=NOW - 2 * HOUR, last_active_at=NOW - HOUR, ended_at=NOW - HOUR,
        break_until=NOW - HOUR + timedelta(minutes=10), n_judged=3,
    )  # fmt: skip
    WorkSession.objects.create(user=person.user, started_at=NOW - HOUR, last_active_at=NOW - HOUR, ended_at=NOW - HOUR)
    WorkSession.objects.create(user=other.user, started_at=NOW - HOUR, last_active_at=NOW, n_judged=99)
    Judgment.objects.update(created_at=NOW)  # all on one day, also where midnight falls into the test
    answer = client.get(PAGE)
    page = answer.context
    work = page["work"]
    (mine,) = work.batches
    assert (mine.batch, mine.done.n, mine.n_skipped, mine.n_results) == (batch, 3, 0, 0)
    assert mine.done.active_hours == pytest.approx(4 / 60)
    assert mine.done.wall_hours == pytest.approx(6 / 60)
    assert '<td role="cell" class="num" data-head="Hours at the page">0.07</td>' in answer.text
    assert mine.done.pace == pytest.approx(45)
    assert [(day.day, day.done.n) for day in work.days] == [(NOW.date(), 3)]
    assert [(s.minutes, s.n_judged, s.rest_minutes) for s in work.sessions] == [(60, 3, 10)]
    (bar,) = page["plot"].bars
    assert bar.bar.value == pytest.approx(4 / 60)
    assert bar.bar.name == f"{NOW.day} {NOW:%b}"


def test_days_long_past_are_not_listed_but_counted() -> None:
    batch, _, client = working(2)
    Judgment.objects.update(created_at=NOW - timedelta(days=DAYS + 1))
    work = client.get(PAGE).context["work"]
    assert (work.days, work.done.n) == ([], 1)
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.DRAFT)
    assert client.get(PAGE).context["work"].batches == []


def test_somebody_who_never_judged_finds_a_word_about_it() -> None:
    assert "Nothing judged yet" in client_of(make_user()).get(PAGE).text
    assert "own_work" not in client_of(make_user()).get("/").text


def test_right_one_off_and_far_off_by_the_nearest_accepted_grade() -> None:
    batch, _, client = working(0, 1, 2, 3, 4)
    tell(batch, 1, accepted=(1, 2), explanation="It says so.")
    report = client.get(results(batch)).context["results"]
    assert {result.mine.grade: (result.verdict, result.above) for result in report.results} == {
        0: ("one off", -1), 1: ("right", 0), 2: ("right", 0), 3: ("one off", 1), 4: ("far off", 2),
    }  # fmt: skip
    assert (report.n_right, report.n_one_off, report.n_far_off, report.n_counted) == (2, 2, 1, 5)
    assert (report.n_above, report.n_below) == (2, 1)
    text = client.get(f"{results(batch)}?show=far+off").text
    assert "4 Perfectly relevant" in text
    assert "3 Highly relevant" not in text
    assert client.get(f"{results(batch)}?show=nonsense").text.count("It says so.") == 5


def test_a_grade_that_was_withdrawn_does_not_count() -> None:
    batch, _, client = working(0)
    tell(batch, 4, accepted=())
    answer = client.get(results(batch))
    assert (answer.context["results"].n_counted, answer.context["results"].n_far_off) == (0, 0)
    assert "The known grade was withdrawn" in answer.text


def test_nothing_is_there_before_it_is_told() -> None:
    """Known or not, planted or not: the pages read what was copied for the person and no table that knows more."""
    batch, _, client = working(2)
    for page in (PAGE, results(batch), "/"):
        with CaptureQueriesContext(connection) as seen:
            assert client.get(page).status_code == 200
        assert not [each["sql"] for each in seen if "goldevent" in each["sql"] or "planting" in each["sql"]]
    assert "Nothing told yet" in client.get(results(batch)).text
    tell(batch, 2)
    with CaptureQueriesContext(connection) as seen:
        client.get(results(batch))
        client.get(f"{results(batch)}{Judgment.objects.get().token}")
    assert not [each["sql"] for each in seen if "goldevent" in each["sql"] or "planting" in each["sql"]]


def test_a_result_can_be_read_again_with_topic_and_document() -> None:
    batch, person, client = working(3)
    item = batch.items.select_related("topic_version", "document_version").get()
    topic, document = item.texts
    type(topic).objects.filter(pk=topic.pk).update(title="bees in winter", narrative="Only honey bees.")
    type(document).objects.filter(pk=document.pk).update(title="Of bees", text="They <b>cluster</b>.\n\nAnd hum.")
    make_judgment(item, person, 1, comment="Not sure.")
    tell(batch, 3, explanation="It tells how they keep warm.")
    token = Judgment.objects.latest("pk").token
    text = client.get(f"{results(batch)}{token}").text
    for words in ("bees in winter", "Only honey bees.", "Of bees", "They &lt;b&gt;cluster&lt;/b&gt;.", "And hum."):
        assert words in text
    assert "Not sure." in text
    assert "You said <strong>1 Marginally relevant</strong>; the known grade is <strong>3 Highly relevant" in text
    assert "It tells how they keep warm." in text


def test_results_are_new_until_they_are_marked_as_read() -> None:
    batch, _, client = working(2, 3)
    assert "how you did" not in client.get("/").text
    tell(batch, 2)
    assert client.get("/").context["news"] == [(batch, 2)]
    assert f'href="{results(batch)}">how you did in first</a>' in client.get("/").text
    assert client.get(PAGE).context["work"].n_new == 2
    client.get(results(batch))
    assert Feedback.objects.filter(seen_at=None).count() == 2, "looking changes nothing"
    answer = client.post(f"{results(batch)}read", follow=True)
    assert answer.redirect_chain == [(results(batch), 302)]
    assert client.get("/").context["news"] == []
    assert not Feedback.objects.filter(seen_at=None).exists()


def test_queries_do_not_grow() -> None:
    def queries(n: int) -> list[int]:
        user = make_user()
        for place in range(n):
            batch, _, client = working(*range(n), name=f"batch {place}", user=user)
            tell(batch, 2)
            WorkSession.objects.create(user=user, started_at=NOW, last_active_at=NOW, ended_at=NOW, n_judged=1)
        counts = []
        for page in (PAGE, results(batch), "/"):
            with CaptureQueriesContext(connection) as seen:
                assert client.get(page).status_code == 200
            counts.append(len(seen))
        return counts

    assert queries(1) == queries(3)


def test_days_are_drawn_from_the_first_to_the_last() -> None:
    days = [DayOfMine(date(2026, 3, day), Done(1, day / 10)) for day in (3, 2, 1)]
    plot = hours_plot(OwnWork([], days, []))
    assert plot
    assert [(each.bar.name, each.bar.value) for each in plot.bars] == [("1 Mar", 0.1), ("2 Mar", 0.2), ("3 Mar", 0.3)]
    assert hours_plot(OwnWork([], [], [])) is None
