"""How sure the order of runs is, through all three doors: page, API and command say the same, number by number."""

import json
import re
from typing import Any

import pytest
from django.urls import reverse

from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.models import Job
from evaluation.formats.sensitivity import as_object, shares_object
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import SensitivityStudy
from evaluation.runs.read import why_run_stays
from evaluation.sensitivity.steps import ask_sensitivity
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.roles import RESEARCH_ONLY
from tests.evaluation.management.calling import called
from tests.evaluation.sensitivity.judged import NAMES, TAGS, Judged, make_judged, worked

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/sensitivity/"
ADDRESS = reverse("api_sensitivity", args=["bees"])
SHARES = reverse("api_sensitivity_shares", args=["bees"])
ENTRIES = {"snapshot": "first", "measure": "nDCG@5", "seed": 4, "beside": ["machine"], "groups": "some=o*,two"}
USUAL: dict[str, Any] = {"pool_depth": 10, "judgments_anew": "annotators"}
PAIR = {"snapshot": "first", "first": "one", "second": "six", "measure": "nDCG@5", "seed": "4"}
COMMAND = ("--collection", "bees", "--snapshot", "first", "-m", "nDCG@5", "--seed", "4")


def studied(campaign: Judged) -> dict[str, Any]:
    """Asked for by the API, done by the worker, read by the API."""
    program = caller(campaign.people.researcher)
    answer = program.post(ADDRESS, json.dumps(ENTRIES), content_type="application/json")
    assert answer.status_code == 202, answer.content
    assert worked().state == Job.State.DONE
    (line,) = program.get(ADDRESS).json()["results"]
    whole: dict[str, Any] = program.get(line["url"]).json()
    return whole


def test_page_file_api_and_command_say_the_same() -> None:
    campaign = make_judged()
    whole = studied(campaign)
    command = json.loads(called("sensitivity", *COMMAND, "--beside", "machine", "--group", "some=o*,two", "--json")[0])
    assert whole["studied"] == command
    client, page = campaign.people.client("researcher"), f"{PAGE}{whole['id']}/"
    context = client.get(page).context
    assert as_object(context["studied"]) == command
    assert client.get(f"{page}file", {"form": "json"}).json() == command
    assert [*context["verdict"], context["replication"]] == command["conclusion"]
    kinds = {each["kind"]: each for each in command["changes"]}
    assert (kinds["annotators"]["cases"], kinds["one_annotator"]["n_cases"]) == (list(NAMES), 1000)
    assert (kinds["judges"]["cases"], kinds["groups"]["cases"]) == (["machine"], ["some", "six"])
    rows = {row.change.kind: row for row in context["rows"]}
    for kind, each in kinds.items():
        if each["n_cases"]:
            assert (list(rows[kind].change.tau_b), rows[kind].change.n_held) == (each["tau_b"], each["n_held"])
    assert set(rows) == {kind for kind, each in kinds.items() if each["n_cases"]}
    text = client.get(page).text
    for row in rows.values():
        assert row.tau_b is None or f"{row.tau_b[0]:.3f} to {row.tau_b[2]:.3f}".replace("-", "−") in text
    judges, (machine,) = context["judges"], command["judges"]
    assert [(row.tag, row.mean, row.rank) for row in judges.rows] == [
        *zip(command["tags"], command["mean"], command["rank"], strict=True)
    ]
    placed = [one for row in judges.rows for one in row.judges]
    assert [(one.mean, one.rank) for one in placed] == [*zip(machine["mean"], machine["rank"], strict=True)]
    assert [one.moved for one in placed] == [
        before - after for before, after in zip(command["rank"], machine["rank"], strict=True)
    ]
    furthest = max(abs(one.moved) for one in placed)
    marked = {line.slope.name for line in judges.plot.lines if line.slope.is_marked}
    assert marked == {row.tag for row in judges.rows if abs(row.judges[0].moved) == furthest > 0}
    assert (
        client.get(f"{page}file", {"form": "orders"}).text
        == called("sensitivity", *COMMAND, "--beside", "machine", "--group", "some=o*,two", "--format", "orders")[0]
    )


def test_a_study_of_before_and_one_without_other_judges_are_shown_as_they_are() -> None:
    campaign = make_judged()
    pk = studied(campaign)["id"]
    client, page = campaign.people.client("researcher"), f"{PAGE}{pk}/"
    assert "The order under each judge" in client.get(page).text
    stored = SensitivityStudy.objects.get()
    stored.result = {name: value for name, value in stored.result.items() if name not in {"judges", "rank"}}
    stored.save()
    assert "The order under each judge" not in client.get(page).text


def test_shares_of_two_runs_by_page_part_api_and_command() -> None:
    campaign = make_judged()
    (pair,) = json.loads(called("sensitivity", *COMMAND, "--pair", "one", "six", "--json")[0])["shares"]
    assert caller(campaign.people.researcher).get(SHARES, PAIR).json() == pair
    client = campaign.people.client("researcher")
    whole, part = client.get(f"{PAGE}shares", PAIR), client.get(f"{PAGE}shares", PAIR, headers={"HX-Request": "true"})
    for answer in (whole, part):
        assert shares_object(answer.context["pair"]) == pair
        assert f"{pair['both']['share']:.3f}" in answer.text
        assert "a share of .95 means about .88" in answer.text
    assert client.get(f"{PAGE}shares").context.get("pair") is None
    assert ("<html" in whole.text, "<html" in part.text) == (True, False)


def test_shares_that_take_long_come_from_a_study_of_the_two(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_judged()
    client, program = campaign.people.client("researcher"), caller(campaign.people.researcher)
    turned = {**PAIR, "first": "six", "second": "one"}
    at_once = {asked["first"]: program.get(SHARES, asked).json() for asked in (PAIR, turned)}
    monkeypatch.setattr("evaluation.sensitivity.read.AT_ONCE", 10)
    refused = program.get(SHARES, PAIR)
    assert (refused.status_code, "have these two runs studied" in refused.text) == (400, True)
    page = client.get(f"{PAGE}shares", PAIR, headers={"HX-Request": "true"})
    assert (page.status_code, "Study these two runs" in page.text) == (200, True)
    sent = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text)
    entries = {name: [value for each, value in sent if each == name] for name, _ in sent}
    assert client.post(PAGE, entries).status_code == 302
    assert worked().state == Job.State.DONE
    for asked in (PAIR, turned):
        kept = program.get(SHARES, asked).json()
        expected = at_once[asked["first"]]
        assert kept["difference"] == expected["difference"]
        for anew in ("topics", "judgments", "both"):
            assert kept[anew] == {**expected[anew], "share": pytest.approx(expected[anew]["share"], abs=1e-9)}
        assert client.get(f"{PAGE}shares", asked).context["pair"].first == asked["first"]
    assert program.get(SHARES, {**PAIR, "seed": "5"}).status_code == 400


def test_the_comparison_of_two_runs_brings_their_shares() -> None:
    campaign = make_judged()
    ask_evaluation(campaign.snapshot, campaign.runs, measures=["nDCG@10"], averaging="complete", created_by=None)
    worked()
    query = {"snapshot": "first", "first": "one", "second": "six", "measure": "nDCG@10", "seed": "4"}
    client = campaign.people.client("researcher")
    answer = client.get("/c/bees/leaderboard/compare", query)
    assert f'hx-get="{PAGE}shares?snapshot=first&amp;first=one' in answer.text
    pair = client.get(f"{PAGE}shares?{answer.context['shares_query']}").context["pair"]
    assert pair.difference == pytest.approx(answer.context["pair"].interval.mean)
    retrieved = client.get("/c/bees/leaderboard/compare", {**query, "averaging": "retrieved"})
    assert "shares?" not in retrieved.text


def test_asked_again_nothing_is_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_judged()
    studied(campaign)
    monkeypatch.setattr("evaluation.sensitivity.steps.study", None)
    assert campaign.people.client("researcher").post(PAGE, {**ENTRIES, "runs": TAGS, **USUAL}).status_code == 302
    assert worked().state == Job.State.DONE
    assert SensitivityStudy.objects.count() == 1


def test_another_question_is_another_study_and_a_run_that_is_gone_refuses_it() -> None:
    campaign = make_judged()
    ask_sensitivity(campaign.snapshot, campaign.runs, measure="AP", groups={}, seed=1, created_by=None, **USUAL)
    ask_sensitivity(campaign.snapshot, campaign.runs[:2], measure="AP", groups={}, seed=1, created_by=None, **USUAL)
    assert worked().state == Job.State.DONE
    Job.objects.filter(state="queued").update(payload={**Job.objects.latest("pk").payload, "runs": [10**6]})
    assert "not there any more" in worked().error
    assert "study of sensitivity" in why_run_stays(campaign.runs[0])


def test_imported_qrels_say_what_cannot_be_tried() -> None:
    campaign = make_judged()
    ask_sensitivity(campaign.machine, campaign.runs, measure="P@5", groups={}, seed=0, created_by=None, **USUAL)
    assert worked().state == Job.State.DONE
    text = campaign.people.client("researcher").get(f"{PAGE}{SensitivityStudy.objects.get().pk}/").text
    assert "One annotator left out; one complete annotator a topic, drawn; " in text
    assert "these qrels come without their judgments" in text


def test_a_study_that_is_cancelled_stores_nothing() -> None:
    campaign = make_judged()
    ask_sensitivity(campaign.snapshot, campaign.runs, measure="AP", groups={}, seed=1, created_by=None, **USUAL)
    run = claim_job()
    assert run is not None
    ask_cancel(run.job)
    assert run_job(run).state == Job.State.CANCELLED
    assert not SensitivityStudy.objects.exists()


def test_who_may() -> None:
    campaign = make_judged()
    pk = studied(campaign)["id"]
    for address in (PAGE, f"{PAGE}{pk}/", f"{PAGE}{pk}/file"):
        assert campaign.people.statuses(address) == RESEARCH_ONLY
    for address in (ADDRESS, reverse("api_sensitivity_study", args=["bees", pk])):
        assert {who: client.get(address).status_code for who, client in callers(campaign.people).items()} == RESEARCH


WRONG = (
    ({"measure": "NumRet"}, "measure", "not by NumRet"),
    ({"measure": "zebra"}, "measure", "zebra"),
    ({"groups": "x"}, "groups", "an equals sign"),
    ({"groups": "x=zebra"}, "non_field_errors", "no run is called zebra"),
    ({"runs": ["one"]}, "non_field_errors", "at least two runs"),
    ({"snapshot": "none"}, "snapshot", "Select a valid choice"),
    ({"pool_depth": 0}, "pool_depth", "greater than or equal to 1"),
)
NO_PAIRS = (({"second": "one"}, "second"), ({"first": "zebra"}, "first"), ({"measure": "GMAP"}, "measure"))


def test_a_question_of_no_sense_is_refused_by_api_and_page() -> None:
    campaign = make_judged()
    program, client = caller(campaign.people.researcher), campaign.people.client("researcher")
    for changed, field, reason in WRONG:
        answer = program.post(ADDRESS, json.dumps({**ENTRIES, **changed}), content_type="application/json")
        assert answer.status_code == 400
        assert reason in " ".join(answer.json()["errors"][field])
        assert client.post(PAGE, {**ENTRIES, "runs": TAGS, **USUAL, **changed}).status_code == 422
    assert not Job.objects.exists()
    for changed, field in NO_PAIRS:
        assert field in program.get(SHARES, {**PAIR, **changed}).json()["errors"]
        assert client.get(f"{PAGE}shares", {**PAIR, **changed}).status_code == 422


def test_the_page_polls_while_a_job_works_and_without_runs_there_is_nothing_to_study() -> None:
    campaign = make_judged()
    client = campaign.people.client("researcher")
    ask_sensitivity(campaign.snapshot, campaign.runs, measure="AP", groups={}, seed=1, created_by=None, **USUAL)
    assert "running-job" in client.get(PAGE).text
    assert client.get(PAGE, headers={"HX-Request": "true"}).status_code == 200
    worked()
    assert client.get(PAGE, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    for run in campaign.runs:
        SensitivityStudy.objects.all().delete()
        run.delete()
    assert "Nothing to study yet" in client.get(PAGE).text
