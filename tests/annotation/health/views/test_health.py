"""The health of a batch: what the page says, its moving part, its files, costs, and who may look."""

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.batches.steps.batches import close_batch
from annotation.health.pages.cached import clear_cache
from annotation.kernel import listing
from annotation.models import AuditEvent, Batch, Collection, Judgment
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.pausing import pause_annotator
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_judgment

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]

PART = {"HX-Request": "true"}
TABLES = ("days", "topics", "people", "agreement", "gold", "alerts")


def started() -> tuple[People, Worked, Client, str]:
    people = make_people()
    worked = make_worked(people.collection)
    return people, worked, people.client("admin"), f"/c/bees/batches/{worked.batch.token}/health"


def test_what_is_said_of_the_worked_campaign() -> None:
    """Amber 9 of 10, Birch 14 of 20, Cedar 6 of 12, Dune 8 of 8 on gold; five pairs of topic 1."""
    _, _, client, address = started()
    report = client.get(address).context["report"]
    assert (report.n_right, report.n_gold) == (37, 50)
    assert {person.pseudonym: (person.n_judged, person.n_gold, person.standing) for person in report.people} == {
        "Amber": (14, 10, "reliable"),
        "Birch": (23, 20, "reliable"),
        "Cedar": (17, 12, "unreliable"),
        "Dune": (13, 8, "unproven"),
    }
    assert [(topic.number, topic.n_items, topic.n_compared) for topic in report.topics] == [("g", 20, 0), ("1", 5, 5)]
    assert (report.alpha.n_pairs, report.alpha.low) == (5, report.agreement.stretches[0].low)
    assert report.progress.n_judged == 67


def test_topics_come_in_pages_and_the_page_that_looks_again_stays_on_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "PER_PAGE", 1)
    _, worked, client, address = started()
    pages = [client.get(f"{address}?page={n}") for n in (1, 2)]
    assert [[each.row.number for each in page.context["rows"]] for page in pages] == [["g"], ["1"]]
    (again,) = re.findall(r'hx-get="([^"]+)"', pages[1].text)
    assert unescape(again) == f"{address}?page=2&mark={pages[1].context['mark']}"
    worked.items["d1"].slots.update(state="judged")
    clear_cache()
    moved = client.get(f"{address}?page=2&mark=another", headers=PART)
    assert [each.row.number for each in moved.context["rows"]] == ["1"]
    assert 'href="?page=1#topics"' in moved.text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"people-sort": "-accuracy"}, ["Dune", "Amber", "Birch", "Cedar"]),
        ({"people-standing": "reliable", "people-sort": "-annotator"}, ["Birch", "Amber"]),
        ({"people-q": "ced"}, ["Cedar"]),
        ({"people-standing": "machine"}, []),
        ({"sort": "-number", "q": "1"}, ["Amber", "Birch", "Cedar", "Dune"]),
    ],
)
def test_people_are_a_list(query: dict[str, str], expected: list[str]) -> None:
    _, _, client, address = started()
    page = client.get(address, query)
    assert [each.row.pseudonym for each in page.context["people"].rows] == expected
    lines = client.get(address, {**query, "people-as": "csv"}).getvalue().decode().splitlines()
    assert lines[0].startswith("annotator,standing,judgments")
    assert [line.split(",")[0] for line in lines[1:]] == expected


@pytest.mark.parametrize(("query", "is_open"), [("", False), ("page=1", True), ("people-page=1", False)])
def test_topics_stay_unfolded_while_somebody_works_with_them(query: str, is_open: bool) -> None:
    _, _, client, address = started()
    assert ('id="topics-fold" open' in client.get(f"{address}?{query}").text) == is_open


def test_what_the_page_says_beside_a_value_is_a_column_to_choose() -> None:
    people, worked, client, address = started()
    exclude_annotator(worked.people["Cedar"], reason="wrong", actor=people.admin)
    pause_annotator(worked.people["Dune"], reason="wrong", actor=people.admin)
    worked.batch.participations.filter(annotator=worked.people["Amber"]).update(is_active=False)

    def lines(prefix: str, *columns: str) -> list[str]:
        query = {f"{prefix}columns": columns, f"{prefix}as": "csv"}
        return client.get(address, query).getvalue().decode().splitlines()

    assert lines("people-", "takes_part", "excluded", "paused") == [
        "annotator,takes_part,excluded,paused",
        "Birch,yes,no,no",
        "Cedar,yes,yes,no",
        "Dune,yes,no,yes",
        "Amber,no,no,no",
    ]
    assert lines("people-", "accuracy", "accuracy_low", "accuracy_high")[0].endswith("accuracy_low,accuracy_high")
    assert lines("", "judgments_wanted", "cards_met") == ["number,judgments_wanted,cards_met", "g,40,50", "1,10,17"]


def test_whoever_is_excluded_has_one_verdict() -> None:
    people, worked, client, address = started()
    exclude_annotator(worked.people["Cedar"], reason="wrong", actor=people.admin)
    rows = {row.title: row for row in client.get(address).context["people"].rows}
    verdicts = {name: {column.name: cell.text for column, cell in row.cells} for name, row in rows.items()}
    assert [verdicts[name]["standing"] for name in ("Amber", "Cedar", "Dune")] == ["reliable", "excluded", "unproven"]
    assert [name for name, row in rows.items() if row.is_out] == ["Cedar"]


def test_pairs_that_have_all_their_judgments() -> None:
    _, worked, client, address = started()
    assert client.get(address).context["report"].complete == "0 of 25"
    worked.items["d1"].slots.update(state="judged")
    clear_cache()
    report = client.get(address).context["report"]
    assert (report.complete, report.progress.n_left) == ("1 of 25", 48)


def test_pairs_of_topics_are_those_whose_judgments_are_counted() -> None:
    """Gold that is reserved for people is in neither; the topics sum to the pairs of the batch."""
    _, worked, client, address = started()
    for docno in ("d1", "d2"):
        worked.items[docno].slots.update(reserved_for=worked.people["Amber"], transferable=False, due=1)
    for n in range(20):
        worked.items[f"G{n:02}"].slots.update(reserved_for=worked.people["Amber"], transferable=False, due=1)
    report = client.get(address).context["report"]
    assert [(topic.number, topic.n_items, topic.n_wanted) for topic in report.topics] == [("1", 3, 6)]
    assert (report.n_pairs, report.progress.n_items) == (3, 3)
    assert client.get(f"{address}/topics.csv").text.splitlines()[1].startswith("1,A topic,3,6,0,0,")


def test_nobody_waits_for_withheld_pairs() -> None:
    _, worked, client, address = started()
    worked.batch.items.filter(document__docno="d2").update(withheld=True)
    progress = client.get(address).context["report"].progress
    assert (progress.n_left, progress.n_withheld, progress.n_complete) == (48, 1, 0)
    worked.batch.items.update(withheld=True)
    clear_cache()
    assert client.get(address).context["report"].progress.n_left == 0


def spread_over_eleven_days() -> None:
    """All judgments, of which 107 are expected: a pace that a forecast can rest on."""
    Batch.objects.update(n_expected=107)
    now = timezone.now()
    for n, judgment in enumerate(Judgment.objects.order_by("pk")):
        Judgment.objects.filter(pk=judgment.pk).update(created_at=now - timedelta(hours=1 + n * 11 * 24 / 66))


def test_days_and_the_expected_end() -> None:
    _, worked, client, address = started()
    spread_over_eleven_days()
    context = client.get(address).context
    report = context["report"]
    assert (report.eta.reason, report.eta.unit, report.progress.n_left) == ("", "day", 50)
    assert report.eta.earliest <= report.eta.middle <= report.eta.latest
    assert sum(day.n_judged for day in report.days) == 67
    assert (report.course[0].n, report.course[-1].n, report.done_percent) == (1, 67, 57)
    assert context["plan"].ahead
    text = client.get(address).text
    assert "judgments a day, the mean of late" in text
    assert "at the latest, about 95 times of 100 if people go on as they did. Times are UTC." in text
    close_batch(worked.batch, actor=None)
    clear_cache()
    context = client.get(address).context
    report = context["report"]
    assert report.eta.reason == "The batch is closed: nobody gets new cards."
    assert (report.course[-1].n, context["plan"].ahead) == (67, "")


def test_a_batch_is_held_against_the_day_it_is_due() -> None:
    people, worked, client, address = started()
    spread_over_eleven_days()
    context = client.get(address).context
    assert (context["due"], context["plan"].plan) == (None, "")
    end = timezone.localdate(context["report"].eta.middle)

    def standing(day: date) -> tuple[str, str]:
        client.post(address.replace("health", "due"), {"due": day.isoformat()})
        context = client.get(address).context
        assert bool(context["plan"].plan) == (context["due"] is not None)
        late = [alert.about for alert in context["report"].alerts if alert.rule == "due"]
        assert late == ([day.isoformat()] if context["due"].tone in {"warn", "bad"} else [])
        return context["due"].word, context["due"].text

    assert standing(end - timedelta(days=1)) == ("behind", "1 day late at this pace")
    assert standing(end) == ("on time", "just in time at this pace")
    assert standing(end + timedelta(days=2)) == ("on time", "2 days early at this pace")
    assert standing(timezone.localdate() - timedelta(days=1)) == ("overdue", "for 1 day")
    event = AuditEvent.objects.latest("pk")
    assert (event.verb, event.subject, set(event.detail)) == ("due date set", "first", {"due"})
    client.post(address.replace("health", "due"), {"due": "soon"})
    worked.batch.refresh_from_db()
    assert worked.batch.due == timezone.localdate() - timedelta(days=1)
    assert "overdue" in client.get("/c/bees/?figures=now").text
    assert client.get(address).context["due_form"] is not None
    close_batch(worked.batch, actor=people.admin)
    assert (client.get(address).context["due"], client.get(address).context["due_form"]) == (None, None)
    answer = client.post(address.replace("health", "due"), {"due": ""}, follow=True)
    assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    worked.batch.refresh_from_db()
    assert worked.batch.due is not None


def test_in_its_fourth_day_there_is_no_range_and_at_a_standstill_no_end() -> None:
    """The alert that nobody judges and the end that is told do not contradict each other."""
    _, _, client, address = started()
    Batch.objects.update(n_expected=107)

    def judged(*, from_hour: float, to_hour: float) -> None:
        now = timezone.now()
        for n, judgment in enumerate(Judgment.objects.order_by("pk")):
            ago = timedelta(hours=to_hour + n * (from_hour - to_hour) / 66)
            Judgment.objects.filter(pk=judgment.pk).update(created_at=now - ago)
        clear_cache()

    judged(from_hour=84, to_hour=1)
    text = client.get(address).text
    assert "the mean of late; no range yet: judging began less than ten days ago. Times are UTC." in text
    judged(from_hour=110, to_hour=25)
    answer = client.get(address)
    assert [alert.rule for alert in answer.context["report"].alerts if alert.rule == "silence"] == ["silence"]
    assert answer.context["report"].eta.reason.startswith("Nobody has judged since ")
    assert "the mean of late" not in answer.text


def test_a_first_day_is_no_row_of_days() -> None:
    _, _, client, address = started()
    for minute, judgment in enumerate(Judgment.objects.order_by("pk")):
        at = datetime(2026, 3, 1, 12 + minute // 60, minute % 60, tzinfo=UTC)
        Judgment.objects.filter(pk=judgment.pk).update(created_at=at)
    text = client.get(address).text
    assert "Of late: judgments on its one day so far." in text
    assert "Judgments on the one day so far: 14" in text
    Judgment.objects.filter(pk=Judgment.objects.earliest("pk").pk).update(created_at=datetime(2026, 2, 28, tzinfo=UTC))
    clear_cache()
    assert "Of late: judgments on each of the last 2 days of the batch." in client.get(address).text
    Judgment.objects.filter(pk=Judgment.objects.earliest("pk").pk).update(created_at=datetime(2026, 2, 1, tzinfo=UTC))
    clear_cache()
    assert "Of late: judgments on each of the last 14 days of the batch." in client.get(address).text


def test_a_revision_adds_its_time_but_no_judgment() -> None:
    _, worked, client, address = started()
    Judgment.objects.update(created_at=datetime(2026, 3, 1, 12, tzinfo=UTC))
    make_judgment(worked.items["d1"], worked.people["Amber"], 2, created_at=datetime(2026, 3, 1, 13, tzinfo=UTC))
    report = client.get(address).context["report"]
    (day,) = report.days
    assert (day.n_judged, day.n_people) == (67, 4)
    assert day.active_hours == pytest.approx(68 * 8 / 3600)
    assert day.wall_hours == pytest.approx(68 * 12 / 3600)


@pytest.mark.parametrize(
    ("of_batch", "of_collection", "phrases"),
    [
        ("0.25", "9", ("16.75 EUR", "29.25 expected in all, at 0.25 a judgment")),
        (None, "0.1", ("6.70 EUR", "11.70 expected")),
        ("0", "9", ("0.00 EUR", "0.00 expected")),
        (None, None, ("nobody has said what a judgment costs",)),
    ],
)
def test_cost(of_batch: str | None, of_collection: str | None, phrases: tuple[str, ...]) -> None:
    """67 judgments are in; 50 slots are open."""
    _, _, client, address = started()
    Batch.objects.update(cost_per_judgment=of_batch)
    Collection.objects.update(cost_per_judgment=of_collection, currency="EUR")
    text = client.get(address).text
    for each in phrases:
        assert each in text


def test_judgments_that_came_too_late_are_paid_too() -> None:
    _, worked, client, address = started()
    Batch.objects.update(cost_per_judgment="1")
    Judgment.objects.filter(annotator=worked.people["Dune"]).update(surplus=True)
    context = client.get(address).context
    progress, cost = context["report"].progress, context["cost"]
    assert (progress.n_judged, progress.n_surplus, progress.n_left) == (54, 13, 50)
    assert (cost.so_far, cost.expected) == (67, 117)


def test_the_cost_of_a_batch_is_stated_and_on_record() -> None:
    _, worked, client, address = started()
    client.post(address.replace("health", "cost"), {"cost_per_judgment": "0.2505"})
    worked.batch.refresh_from_db()
    assert worked.batch.cost_per_judgment == Decimal("0.2505")
    event = AuditEvent.objects.latest("pk")
    assert (event.verb, event.subject, event.detail) == ("cost stated", "first", {"cost": "0.2505"})
    client.post(address.replace("health", "cost"), {"cost_per_judgment": "-1"})
    worked.batch.refresh_from_db()
    assert worked.batch.cost_per_judgment == Decimal("0.2505")
    client.post(address.replace("health", "cost"), {"cost_per_judgment": ""})
    worked.batch.refresh_from_db()
    assert worked.batch.cost_per_judgment is None


def test_the_moving_part_asks_again_while_the_batch_is_open() -> None:
    people, worked, client, address = started()
    page = client.get(address)
    mark = page.context["mark"]
    assert f'hx-get="{address}?mark={mark}"' in page.text
    part = client.get(f"{address}?mark={mark}", headers=PART)
    assert (part.status_code, part.content) == (204, b"")
    make_judgment(worked.items["d5"], worked.people["Amber"], 2)
    clear_cache()
    part = client.get(f"{address}?mark={mark}", headers=PART)
    assert part.status_code == 200
    assert part.text.lstrip().startswith("<div")
    assert part.context["report"].progress.n_judged == 68
    close_batch(worked.batch, actor=people.admin)
    part = client.get(f"{address}?mark={mark}", headers=PART)
    assert part.status_code == 286
    assert "hx-get" not in part.text


def test_what_was_computed_just_now_is_shared_until_somebody_takes_a_step() -> None:
    people, worked, client, address = started()
    first = client.get(address).context["report"]
    make_judgment(worked.items["d5"], worked.people["Amber"], 2)
    assert client.get(address).context["report"] is first
    client.post(address.replace("health", "cost"), {"cost_per_judgment": "1"})
    second = people.client("researcher").get(address).context["report"]
    assert (first.progress.n_judged, second.progress.n_judged) == (67, 68)


def test_queries_do_not_grow_with_the_batch_and_an_idle_look_is_cheap() -> None:
    _, worked, client, address = started()

    def queries(query: str = "") -> int:
        with CaptureQueriesContext(connection) as seen:
            client.get(address + query, headers=PART)
        return len(seen)

    before = queries()
    for n in range(5):
        worked.add_item(f"more-{n}", number=str(n + 2))
        worked.judge(f"more-{n}", "Amber", 1)
    clear_cache()
    assert queries() == before
    assert queries(f"?mark={client.get(address).context['mark']}") == 7


def test_every_table_goes_out_and_formulas_do_not_run() -> None:
    people, worked, _, address = started()
    worked.people["Amber"].pseudonym = "=1+1"
    worked.people["Amber"].save()
    worked.items["d1"].topic.versions.update(title="@SUM(A1)")
    client = people.client("researcher")
    answers = {table: client.get(f"{address}/{table}.csv") for table in TABLES}
    assert {answer.headers["Content-Type"] for answer in answers.values()} == {"text/csv; charset=utf-8"}
    assert answers["people"].headers["Content-Disposition"] == 'attachment; filename="first-people.csv"'
    lines = {table: answer.text.splitlines() for table, answer in answers.items()}
    assert lines["people"][1].startswith("'=1+1,yes,reliable,no,14,0,0.0311,0.0467,450.0000,8.0000,0.0000,")
    assert lines["topics"][2].startswith("1,'@SUM(A1),5,10,0,0,")
    assert lines["gold"][1].split(",")[2:5] == ["50", "37", "0.7400"]
    assert lines["agreement"][1].split(",")[0::3][:2] == ["stretch", "5"]
    assert len(lines["days"]) == 2
    assert client.get(f"{address}/nothing.csv").status_code == 404


def test_every_link_leads_somewhere() -> None:
    _, _, client, address = started()
    text = client.get(address).text
    links = {unescape(link) for link in re.findall(r'href="(/c/bees/[^"]*)"', text)}
    assert len(links) > 20
    assert {link: status for link in links if (status := client.get(link).status_code) != 200} == {}


def test_a_draft_has_no_health() -> None:
    _, worked, client, address = started()
    Batch.objects.update(state="draft")
    assert client.get(address).headers["Location"] == f"/c/bees/batches/{worked.batch.token}/"
    assert client.get(f"{address}/days.csv").status_code == 404


def test_who_may_look() -> None:
    people, worked, _, address = started()
    assert people.statuses(address) == RESEARCH_ONLY
    assert people.statuses(f"{address}/people.csv") == RESEARCH_ONLY
    assert people.statuses("/c/bees/alerts/") == RESEARCH_ONLY
    assert people.statuses("/c/bees/alerts/settings") == ADMINS_ONLY
    assert people.statuses(f"/c/bees/batches/{worked.batch.token}/due", "post") == people.statuses(
        f"/c/bees/batches/{worked.batch.token}/cost", "post"
    )
    posted = people.statuses(f"/c/bees/batches/{worked.batch.token}/cost", "post")
    assert posted == ADMINS_ONLY | {"admin": 302}
