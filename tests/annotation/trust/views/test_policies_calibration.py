"""How far a policy's confidence holds, over HTTP."""

import numpy as np
import pytest
from django.test import Client

from annotation.gold.steps.events import set_gold
from annotation.models import Batch, Policy
from annotation.quality.policy import Policy as Parameters
from annotation.trust.pages.calibrated import CalibrationReport
from annotation.trust.steps.policies import store_policy
from tests.annotation.exchange.steps.import_work import stored
from tests.annotation.roles import RESEARCH_ONLY, People, make_people

pytestmark = pytest.mark.django_db
PAGE = "/c/bees/policies/calibration"
N_TOPICS, N_DOCUMENTS = 6, 8


def started(n_topics: int = N_TOPICS) -> tuple[People, Client]:
    """Three people who are right on four fifths, and gold for half of the pairs."""
    people, rng = make_people(), np.random.default_rng(2)
    truth = rng.integers(0, 5, (n_topics, N_DOCUMENTS))
    lines = ["query\tdocno\tannotator\tgrade\n"]
    for t, d, name in np.ndindex(n_topics, N_DOCUMENTS, 3):
        grade = truth[t, d] if rng.random() < 0.8 else rng.integers(0, 5)
        lines.append(f"{t}\td{d}\tw{name}\t{grade}\n")
    stored(people.collection, "judgments", "".join(lines), name="crowd")
    for t, d in np.ndindex(n_topics, N_DOCUMENTS // 2):
        set_gold(
            people.collection,
            topic=people.collection.topics.get(number=str(t)),
            document=people.collection.documents.get(docno=f"d{d}"),
            grade=int(truth[t, d]),
            accepted=[],
            reason="",
            explanation="",
            actor=None,
        )
    return people, people.client("admin")


def address(policy: str) -> str:
    return f"{PAGE}?batch={Batch.objects.get().token}&policy={policy}"


def report_of(client: Client, policy: str) -> CalibrationReport:
    report = client.get(address(policy)).context["report"]
    assert isinstance(report, CalibrationReport)
    return report


def test_researchers_look_and_nothing_is_stored() -> None:
    people, _ = started(2)
    assert people.statuses(PAGE) == people.statuses(address("trial: majority")) == RESEARCH_ONLY
    assert people.statuses(address("trial: majority").replace("calibration?", "calibration.csv?")) == RESEARCH_ONLY
    assert Policy.objects.count() == 0


def test_without_a_batch_or_before_a_choice_nothing_is_reckoned() -> None:
    assert "Nothing to look at yet" in make_people("wasps").client("admin").get("/c/wasps/policies/calibration").text


def test_the_diagram_and_its_figures() -> None:
    _, client = started()
    report, text = report_of(client, "trial: dawid_skene"), client.get(address("trial: dawid_skene")).text
    assert report.is_posterior
    assert (report.calibration.n_gold, report.n, report.n_topics) == (24, 24, 6)
    assert sum(row.n for row in report.bins) == sum(row.n for row in report.bins_calibrated) == 24
    table = address("trial: dawid_skene").replace("calibration?", "calibration.csv?")
    head, *lines = client.get(table).text.splitlines()
    assert head == "kind,confidence,pairs,says,right,low,high"
    assert [line.split(",")[0] for line in lines] == ["stated"] * len(report.bins) + ["corrected"] * len(
        report.bins_calibrated
    )
    assert sum(int(line.split(",")[2]) for line in lines) == 48
    assert client.get(f"{PAGE}.csv").status_code == client.get(f"{PAGE}.csv?policy=none").status_code == 404
    assert report.right == sum(row.right * row.n for row in report.bins) / 24
    assert report.calibrated is not None
    assert text.count("<circle") == len(report.bins) + len(report.bins_calibrated)
    assert f"{report.stated.brier.value:.3f}" in text
    assert all(words in text for words in ("is meant as the probability", "The same by chance", *report.conclusions))


def test_a_rule_without_probabilities_says_so_and_a_policy_that_keeps_nothing_too() -> None:
    people, client = started()
    assert "is not meant as a probability" in client.get(address("trial: median")).text
    store_policy(people.collection, name="strict", parameters=Parameters(accuracy_threshold=1), actor=None)
    assert report_of(client, "strict v1").n == 0
    assert "It cannot be computed" in client.get(address("strict v1")).text


def test_the_calibration_error_has_no_interval_and_the_page_says_why() -> None:
    _, client = started()
    text = client.get(address("trial: dawid_skene")).text
    assert "The calibration error has no interval" in text
    assert "Intervals (95 %) draw topics anew" in text


def test_under_20_pairs_there_is_no_correction_and_no_interval() -> None:
    _, client = started(4)
    report, text = report_of(client, "trial: dawid_skene"), client.get(address("trial: dawid_skene")).text
    assert (report.n, report.calibration.n_folds) == (16, 4)
    assert (report.has_curve, report.calibrated, report.bins_calibrated) == (False, None, [])
    assert report.stated.brier.low is None
    assert report.conclusions[-1].startswith("Under 20 pairs")
    assert "Intervals (95 %)" not in text


def test_with_two_topics_pairs_are_left_out_in_turn_and_it_is_said() -> None:
    _, client = started(2)
    report = report_of(client, "trial: mace")
    assert (report.calibration.dealt, report.calibration.n_folds) == ("pairs", 5)
    assert report.conclusions[-1].startswith("Fewer than 3 topics have judged gold")


def test_what_is_not_there_is_said_beside_the_field() -> None:
    _, client = started(2)
    assert client.get(address("trial: nothing")).status_code == 422
    assert client.get(f"{PAGE}?policy=default+v1").status_code == 422


def test_the_comparison_leads_here() -> None:
    people, client = started()
    text = client.get(f"/c/bees/policies/compare?batch={Batch.objects.get().token}&rule=mace").text
    assert f"{PAGE}?batch={Batch.objects.get().token}&amp;policy=trial%3A%20mace" in text
    assert people.collection.slug == "bees"
