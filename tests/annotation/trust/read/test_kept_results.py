"""Results of large batches are made once for all processes; what is older says so, and what is wrong is made anew."""

import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.gold.steps.events import set_gold
from annotation.health.pages import cached
from annotation.home.pages.collection_quality import clear_quality, quality_of
from annotation.kernel.clock import now
from annotation.kernel.results import stored
from annotation.kernel.results.recipes import BatchChoice
from annotation.kernel.results.stored import let_go
from annotation.kernel.showing import HEADER, showing
from annotation.kernel.store import path_of
from annotation.models import Assignment, Batch, KeptResult, ScaleVersion
from annotation.quality.policy import Policy
from annotation.quality.purpose import CRITERION
from annotation.review.read.undecided import undecided_pairs
from annotation.trust.pages.quality_tables import QUALITY_TABLES
from annotation.trust.read import judgments, results
from annotation.trust.read.proposals import proposals
from annotation.trust.steps import results as sweeping
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.policies import store_policy
from annotation.trust.steps.results import recipes, sweep_results
from tests.annotation.callers import caller
from tests.annotation.roles import People, make_people
from tests.annotation.trust.read.large import (
    COMPARE,
    COMPARED,
    another_process,
    make_all,
    make_large,
    nothing_is_worked_out,
    opened,
    report_now,
)
from tests.annotation.worked_campaign import Worked
from tests.factories import make_decision

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]

PAGES = (
    *(f"quality/{page}" for page in ("", "agreement", "machines", "pausing", "couples")),
    *(f"quality/{page}" for page in ("annotators?columns=one_grade", "pairs?reason=too_few")),
    *(f"quality/{file}.csv" for file in ("couples", "annotators")),
    *(f"quality/{table}.csv" for table in QUALITY_TABLES),
    "quality/contested/",
    *(f"gold/{page}" for page in ("", "?sort=-evidence_against", "suspects", "supply")),
    *(f"gold/{table}.csv" for table in ("gold", "suspects", "answers", "supply", "batches")),
    "batches/{token}/",
    "batches/{token}/health",
    "alerts/",
    "snapshots/new",
    *(COMPARE.replace("compare", page) for page in ("compare", "compare.csv")),
    *(f"quality/annotators/{name}/?part={part}" for name in ("Amber", "Cedar") for part in ("gold", "habits", "time")),
    *(f"quality/annotators/Birch/?part={part}" for part in ("", "others")),
)
API = tuple(reverse(f"api_{name}", args=["bees"]) for name in ("quality", "annotators", "pausing"))
CHANGING = re.compile(r'csrfmiddlewaretoken" value="\w+"|As of [^<]+|mark=[-\w]+|"X-CSRFToken": "\w+"')


@pytest.fixture
def people() -> People:
    return make_people()


@pytest.fixture
def worked(people: People, monkeypatch: pytest.MonkeyPatch) -> Worked:
    return make_large(people, monkeypatch)


@pytest.fixture
def client(people: People) -> Client:
    return people.client("admin")


def answers(people: People, worked: Worked) -> dict[str, str]:
    client, program, shown = people.client("admin"), caller(people.admin), {}
    for address in [*(f"/c/bees/{page}" for page in PAGES), *API, COMPARED]:
        asked = program if address.startswith("/api") else client
        answer = asked.get(address.format(token=worked.batch.token))
        assert answer.status_code == 200, address
        assert HEADER not in answer.headers, address
        shown[address] = CHANGING.sub("", b"".join(answer).decode())
    return shown


@pytest.mark.alike("pages, tables and API read the same stored files; another walk asks all pages there")
def test_pages_tables_and_the_api_say_the_same_from_what_is_kept(
    worked: Worked, people: People, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked.judge("d1", "Dune", 2, comment="Why?")
    exclude_annotator(worked.people["Cedar"], reason="Away", actor=None)
    with monkeypatch.context() as small:
        small.setattr(results, "LARGE", 1_000_000)
        expected = answers(people, worked)
    assert KeptResult.objects.count() == 0
    assert make_all() == len(recipes()) - 1  # policies are compared when somebody asks
    opened(client, f"/c/bees/{COMPARE}".format(token=worked.batch.token))
    another_process()
    nothing_is_worked_out(monkeypatch)
    shown = answers(people, worked)
    for address, text in expected.items():
        assert shown[address] == text, address


DEEDS: dict[str, Callable[[Worked], object]] = {
    "judged": lambda worked: worked.judge("d5", "Amber", 3),
    "judged again": lambda worked: worked.judge("d1", "Birch", 0),
    "excluded": lambda worked: exclude_annotator(worked.people["Cedar"], reason="Away", actor=None),
    "gold": lambda worked: set_gold(
        worked.collection, topic=worked.items["d3"].topic, document=worked.items["d3"].document, grade=2, accepted=[],
        reason="", actor=None,
    ),
    "decided": lambda worked: make_decision(worked.items["d4"], 1),
    "policy": lambda worked: store_policy(
        worked.collection, name="default", parameters=Policy(min_gold=9, min_judgments=1), actor=None
    ),
    "scale": lambda worked: Batch.objects.filter(pk=worked.batch.pk).update(scale=another_scale(worked)),
}  # fmt: skip


def another_scale(worked: Worked) -> ScaleVersion:
    scale = worked.batch.scale
    grades = [{**grade, "name": f"{grade['name']}!"} for grade in scale.grades]
    return ScaleVersion.objects.create(collection=worked.collection, number=scale.number + 1, grades=grades)


def figures(client: Client) -> tuple[Any, ...]:
    """Of the page, and whether it says that it is older."""
    answer = opened(client, "/c/bees/quality/")
    report, text = answer.context["report"], answer.text
    assert ("Newer figures are being made." in text) == (HEADER in answer.headers)
    people = [(row.pseudonym, row.standing, row.n_judged, row.n_gold, row.accuracy) for row in report.people]
    return (people, report.coverage.kept, report.coverage.total, report.agreement.alpha.value), HEADER in answer.headers


def test_after_every_deed_a_page_is_older_and_says_so_until_the_worker_comes(worked: Worked, client: Client) -> None:
    make_all()
    for name, deed in DEEDS.items():
        before, is_older = figures(client)
        assert not is_older, name
        deed(worked)
        another_process()
        shown, is_older = figures(client)
        if name == "policy":  # the page asks for another one, which nobody had made yet
            assert not is_older
        else:
            assert (shown, is_older) == (before, True), name
            assert make_all() >= 1
        shown, is_older = figures(client)
        assert not is_older, name
        let_go()
        KeptResult.objects.all().delete()
        assert figures(client) == (shown, False), name
        make_all()


@pytest.mark.alike("words of a page")
def test_every_page_and_table_says_that_it_is_older(worked: Worked, people: People) -> None:
    make_all()
    client, program = people.client("admin"), caller(people.admin)
    for address in (COMPARED, f"/c/bees/{COMPARE}".format(token=worked.batch.token)):
        opened(program if address == COMPARED else client, address)
    worked.judge("d5", "Amber", 3)
    for page in PAGES:
        answer = client.get(f"/c/bees/{page}".format(token=worked.batch.token))
        assert HEADER in answer.headers, page
        if "html" in answer.headers["Content-Type"]:
            assert "As of" in answer.text, page
    for address in (*API, COMPARED):
        assert HEADER in program.get(address).headers, address


def test_an_answer_of_the_api_has_its_time(worked: Worked, people: People) -> None:
    client = caller(people.admin)
    make_all()
    assert client.get(API[0]).json()["as_of"] is None
    worked.judge("d5", "Amber", 3)
    row = KeptResult.objects.get(kind="quality")
    answer = client.get(API[0])
    assert row.as_of is not None
    assert answer.headers[HEADER] == row.as_of.isoformat()
    assert answer.json()["as_of"] == row.as_of.isoformat().replace("+00:00", "Z")


def test_deeds_rest_on_what_is_current(worked: Worked) -> None:
    """Nothing but a page that shows is older: rules that pause, commands, the preview of a command, jobs."""
    make_all()
    worked.judge("d5", "Amber", 3)
    worked.judge("d5", "Birch", 3)
    exclude_annotator(worked.people["Cedar"], reason="Away", actor=None)
    assert [row.pseudonym for row in report_now(worked).people if row.exclusion] == ["Cedar"]
    let_go()
    kept = report_now(worked)  # what was made for the command serves whoever comes next
    with showing() as shown:
        assert report_now(worked) is kept
        assert shown.as_of is None
        make_decision(worked.items["d4"], 1)
        assert report_now(worked) is kept
        assert shown.as_of is not None
    assert report_now(worked).n_adjudicated == 1


def test_rules_pause_by_what_is_known_now(worked: Worked) -> None:
    make_all()
    before = {each.pseudonym: each.reasons for each in proposals(worked.collection)}
    worked.judge("G15", "Cedar", 4)
    after = {each.pseudonym: each.reasons for each in proposals(worked.collection)}
    assert before["Cedar"] != after["Cedar"]
    with showing():
        worked.judge("G16", "Cedar", 4)
        assert {each.pseudonym: each.reasons for each in proposals(worked.collection)} == after


def test_whoever_may_have_to_decide_sees_no_grade_of_what_is_contested_now(worked: Worked, people: People) -> None:
    worked.fill()
    make_all()
    pair = ("1", "d5")
    of_items = {"document": worked.items["d5"].document}
    with showing():
        first = undecided_pairs(worked.collection, people.admin, of_items=of_items)
        worked.judge("d5", "Amber", 4)
        worked.judge("d5", "Dune", 0)
        later = undecided_pairs(worked.collection, people.admin, of_items=of_items)
    let_go()
    KeptResult.objects.all().delete()
    assert later == undecided_pairs(worked.collection, people.admin, of_items=of_items)
    assert pair in later
    assert first <= later


def test_where_the_worker_does_not_come_a_page_says_so_and_then_makes_it(worked: Worked, client: Client) -> None:
    make_all()
    worked.judge("d5", "Amber", 3)
    before, _ = figures(client)
    KeptResult.objects.update(asked_at=now() - timedelta(seconds=50))
    assert "The worker was asked for newer figures 5" in client.get("/c/bees/quality/").text
    KeptResult.objects.update(asked_at=now() - results.PATIENCE - timedelta(seconds=1))
    shown, is_older = figures(client)
    assert not is_older
    assert shown != before
    another_process()
    assert figures(client) == (shown, False)  # made by one process, read by the next


@pytest.mark.alike("files in the store")
@pytest.mark.parametrize("harm", ["lost", "cut", "changed", "another form"])
def test_a_damaged_file_is_made_anew(worked: Worked, client: Client, harm: str) -> None:
    make_all()
    expected = figures(client)
    path = path_of(KeptResult.objects.get(kind="quality").made["sha256"])
    data = path.read_bytes()
    path.chmod(0o600)
    if harm == "lost":
        path.unlink()
    else:
        harmed = {"cut": data[:-9], "changed": bytes([data[0] ^ 1]) + data[1:], "another form": b"{}"}
        path.write_bytes(harmed[harm])
    another_process()
    assert figures(client) == expected
    another_process()
    KeptResult.objects.update(as_of=now() - timedelta(hours=1))
    assert path_of(KeptResult.objects.get(kind="quality").made["sha256"]).read_bytes().startswith(b"touchstone")
    assert figures(client) == expected


def test_contested_pairs_rest_on_skips_health_on_the_clock(worked: Worked, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = BatchChoice(worked.collection, [worked.batch], CRITERION)
    before = {kind: results.state_of(recipe, choice, {}) for kind, recipe in recipes().items()}
    skipped = Assignment.objects.filter(item=worked.items["d5"])
    skipped.update(state=Assignment.State.SKIPPED, skip_reason=Assignment.SkipReason.UNCLEAR)
    later = time.time() + cached.MINUTES
    with monkeypatch.context() as later_on:
        later_on.setattr(time, "time", lambda: later)
        after = {kind: results.state_of(recipe, choice, {}) for kind, recipe in recipes().items()}
    assert {kind for kind in before if before[kind] != after[kind]} == {"contested", "health", "progress"}


def test_another_program_makes_its_own(worked: Worked, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of old and new code side by side neither shows what the other made as if it were its own."""
    make_all()
    monkeypatch.setattr(results, "_program", lambda: "another")
    assert figures(client)[1]


def test_what_stands_above_does_not_keep_older_figures_as_new(worked: Worked) -> None:
    make_all()
    with showing():
        before = quality_of(worked.collection)
        worked.judge("d5", "Amber", 3)
        clear_quality()
        assert quality_of(worked.collection) == before
    assert sweep_results() >= 1
    with showing() as shown:
        quality = quality_of(worked.collection)
    assert shown.as_of is None
    assert quality.n_compared == before.n_compared
    assert quality.alpha != before.alpha


def test_the_worker_makes_what_is_asked_for_and_lets_go_of_what_nobody_looks_at(worked: Worked, client: Client) -> None:
    assert make_all() == len(recipes()) - 1
    assert make_all() == 0
    worked.judge("d5", "Amber", 3)
    assert make_all() == 0  # made a moment ago, and nobody has asked
    figures(client)
    KeptResult.objects.update(begun_at=now())
    assert make_all() == 0  # another worker has begun
    KeptResult.objects.update(begun_at=now() - results.LOST - timedelta(seconds=1))
    assert make_all() == 1
    worked.judge("d5", "Birch", 3)
    KeptResult.objects.update(as_of=now() - sweeping.FRESH - timedelta(seconds=1))
    assert make_all() == len(recipes()) - 1  # all that is seen is made from time to time
    KeptResult.objects.filter(kind="couples").update(seen_at=now() - sweeping.UNSEEN - timedelta(days=1))
    old = KeptResult.objects.get(kind="couples")
    sweeping._looked.clear()
    n_made = sweep_results()
    assert (n_made, KeptResult.objects.get(kind="couples").pk == old.pk) == (1, False)


def test_a_result_is_left_alone_for_some_times_as_long_as_it_took(
    worked: Worked, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_all()
    monkeypatch.setattr(sweeping, "TIMES", 3)
    row = KeptResult.objects.get(kind="quality")
    KeptResult.objects.filter(pk=row.pk).update(made={**row.made, "seconds": 100})
    worked.judge("d5", "Amber", 3)
    figures(client)
    assert make_all() == 0
    KeptResult.objects.filter(pk=row.pk).update(as_of=now() - timedelta(seconds=301))
    assert make_all() == 1


def test_the_worker_reads_judgments_once_for_all_results(
    worked: Worked, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People judge meanwhile: what is made of the first reading has its time, and is made again."""
    make_all()
    worked.judge("d5", "Amber", 3)
    readings, read = list[int](), judgments.policy_inputs

    def reading(*arguments: Any) -> Any:
        readings.append(len(arguments))
        inputs = read(*arguments)
        worked.judge("d5", ("Birch", "Cedar", "Dune")[len(readings) % 3], 2)
        return inputs

    with monkeypatch.context() as slow:
        slow.setattr(judgments, "policy_inputs", reading)
        KeptResult.objects.update(asked_at=now())
        assert make_all() == len(recipes()) - 1
    assert len(readings) == 1
    first = {row.as_of for row in KeptResult.objects.all()}
    assert len(first) == 1
    assert figures(people.client("admin"))[1]  # older
    KeptResult.objects.update(asked_at=now())
    assert make_all() == len(recipes()) - 1
    assert not figures(people.client("admin"))[1]


def test_small_batches_are_worked_out_at_once(worked: Worked, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "LARGE", 100_000)
    figures(client)
    worked.judge("d5", "Amber", 3)
    assert not figures(client)[1]
    assert (make_all(), KeptResult.objects.count()) == (0, 0)


def test_older_files_are_taken_away(worked: Worked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "IN_USE", -1.0)
    report_now(worked)
    first = path_of(KeptResult.objects.get(kind="quality").made["sha256"])
    worked.judge("d5", "Amber", 3)
    report_now(worked)
    assert not first.exists()
    assert path_of(KeptResult.objects.get(kind="quality").made["sha256"]).exists()


def test_a_deleted_batch_has_no_results(worked: Worked) -> None:
    make_all()
    KeptResult.objects.filter(kind="quality").update(batches=[worked.batch.pk, 10**9], asked_at=now())
    make_all()
    assert {tuple(row.batches) for row in KeptResult.objects.all()} == {(worked.batch.pk,)}
