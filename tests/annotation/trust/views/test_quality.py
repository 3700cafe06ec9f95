"""The quality page, exclusion and decisions, over HTTP."""

import re
from urllib.parse import quote_plus

import pytest
from django.test import Client
from django.utils.html import escape

from annotation.models import Annotator, Assignment, ExclusionEvent, Item, Planting
from annotation.trust.pages.report import QualityReport
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_annotator, make_batch, make_decision, make_gold, make_judgment

pytestmark = pytest.mark.django_db
PAGE = "/c/bees/quality/"
PEOPLE, AGREEMENT, PAIRS = f"{PAGE}annotators", f"{PAGE}agreement", f"{PAGE}pairs"
PARTS = (PAGE, PEOPLE, AGREEMENT, PAIRS, f"{PAGE}machines")
EXCLUDE, REINSTATE = "/c/bees/annotators/Amber/exclude", "/c/bees/annotators/Amber/reinstate"


def started() -> tuple[People, Worked, Client]:
    people = make_people()
    return people, make_worked(people.collection), people.client("admin")


def report_of(client: Client, query: str = "") -> QualityReport:
    report = client.get(PAGE + query).context["report"]
    assert isinstance(report, QualityReport)
    return report


def test_researchers_read_and_admins_decide() -> None:
    people, _, _ = started()
    for part in PARTS:
        assert people.statuses(part) == RESEARCH_ONLY
    for page in (EXCLUDE, REINSTATE):
        assert people.statuses(page) == ADMINS_ONLY
        answers = {who: people.client(who).post(page, {"reason": ""}).status_code for who in ADMINS_ONLY}
        assert answers == {**ADMINS_ONLY, "admin": 422}
    assert ExclusionEvent.objects.count() == 0


def test_without_a_batch_the_page_says_what_will_be_here() -> None:
    people = make_people()
    for part in PARTS:
        answer = people.client("admin").get(part)
        assert answer.status_code == 200
        assert "Nothing to look at yet" in answer.text


def test_people_with_their_figures_and_standing() -> None:
    _, worked, client = started()
    worked.judge("d4", "Birch", 3, blind=False, early=True)
    Annotator.objects.filter(pseudonym="Dune").update(simulated=True)
    answer = client.get(PEOPLE)
    rows = [
        (row.pseudonym, row.standing, row.n_judged, row.n_gold, row.accuracy, round(row.low, 2), round(row.high, 2))
        for row in answer.context["page_obj"]
    ]
    assert rows == [
        ("Cedar", "unreliable", 17, 12, 0.5, 0.25, 0.75),
        ("Birch", "reliable", 24, 20, 0.7, 0.48, 0.85),
        ("Amber", "reliable", 14, 10, 0.9, 0.60, 0.98),
        ("Dune", "unproven", 13, 8, 1.0, 0.68, 1.0),
    ]
    birch = answer.context["page_obj"][1]
    assert (birch.active_s, birch.wall_s, birch.early, birch.not_blind) == (8.0, 12.0, 1 / 24, True)
    assert [share.n for share in birch.grades] == [0, 14, 1, 3, 6]
    assert [row.pseudonym for row in answer.context["page_obj"] if row.simulated] == ["Dune"]
    text = answer.text
    assert "48–85" in text
    assert EXCLUDE in text


def test_one_batch_shows_its_own_people_and_says_which_gold_is_its_own() -> None:
    people, worked, client = started()
    second = make_batch(people.collection, [worked.people["Amber"]], name="second")
    make_judgment(second.items.earliest("pk"), worked.people["Amber"], 1)
    policy = next(iter(client.get(PAGE).context["choice"].policies))
    one, both = report_of(client, f"?batch={second.token}&policy={quote_plus(policy)}"), report_of(client)
    assert [(person.pseudonym, person.n_gold) for person in one.people] == [("Amber", 10)]
    assert one.worth
    assert both.worth
    assert (one.worth.n, one.worth.n_here) == (10, 0)
    assert len(both.people) == 4
    assert (both.worth.n, both.worth.n_here) == (50, 50)


def test_agreement_leaves_gold_out() -> None:
    _, _, client = started()
    report = report_of(client)
    # d1 3 3 0 3, d2 2 3 2 2, d3 0 2 1 1, d4 4 4 4, d5 1 1: pairwise (3/6 + 3/6 + 1/6 + 1 + 1) / 5, exact d4 and d5
    assert (report.agreement.n_pairs, report.agreement.exact.value) == (5, 0.4)
    assert report.agreement.pairwise.value == pytest.approx((0.5 + 0.5 + 1 / 6 + 1 + 1) / 5, abs=1e-12)
    assert [(row.number, row.n_pairs, row.exact, row.n_kept, row.n_open) for row in report.topics] == [
        ("1", 5, 0.4, 2, 5),
        ("g", 0, None, 20, 20),
    ]


def test_coefficients_with_their_intervals_or_why_there_is_none() -> None:
    _, _, client = started()
    report, text = report_of(client), client.get(AGREEMENT).text
    rows = {row.name: row for row in (*report.agreement.first, *report.agreement.further)}
    alpha = rows["Krippendorff’s α, ordinal"]
    assert alpha.agreement.value == pytest.approx(0.5902688860435339, abs=1e-12)  # package krippendorff 0.9.0
    assert (alpha.agreement.n_items, alpha.agreement.n_judgments, alpha.agreement.n_annotators) == (5, 17, 4)
    assert alpha.over_items is not None
    assert alpha.over_items.low is not None
    assert -1 < alpha.over_items.low < 0.59 < (alpha.over_items.high or 0) <= 1
    assert alpha.over_topics is not None
    assert alpha.over_topics.reason == "Only 1 topic to draw from; it takes 5."
    assert rows["Cohen’s κ, linear"].agreement.reason == "No two people share 10 items or more; the most is 5."
    assert "of 20 judgments (4 people, 5 items) 17 are there" in rows["Kendall’s W"].agreement.reason
    assert all(row.meaning and escape(row.meaning) in text for row in rows.values())
    assert all(escape(row.agreement.reason) in text for row in rows.values())


def test_figures_below_0_have_the_minus_of_the_pages() -> None:
    people = make_people()
    two = [make_annotator(people.collection, pseudonym=name) for name in ("Amber", "Birch")]
    for place, item in enumerate(make_batch(people.collection, two, n_documents=12).items.order_by("pk")):
        for n, annotator in enumerate(two):
            make_judgment(item, annotator, 4 * ((place + n) % 2))
    client = people.client("admin")
    for page in (PAGE, AGREEMENT, PAGE + "couples"):
        text = re.sub(r"<script.*?</script>", "", client.get(page).text, flags=re.DOTALL)
        assert "−" in text, page
        assert re.findall(r"[\s>(]-\d", text) == [], page


def test_agreement_without_variation_is_undefined_and_says_so() -> None:
    people = make_people()
    two = [make_annotator(people.collection, pseudonym=name) for name in ("Amber", "Birch")]
    for item in make_batch(people.collection, two, n_documents=2).items.all():
        for annotator in two:
            make_judgment(item, annotator, 2)
    text = people.client("admin").get(AGREEMENT).text
    assert "Krippendorff’s α is undefined. All judgments compared have one and the same grade" in text


def test_pairs_that_drop_by_reason() -> None:
    _, _, client = started()
    assert [(each.key, each.n) for each in report_of(client).reasons] == [
        ("too_few", 2),
        ("too_far_apart", 1),
        ("gold_omitted", 0),
    ]
    page = client.get(PAIRS + "?reason=too_far_apart")
    assert [pair.docno for pair in page.context["page_obj"]] == ["d3"]
    assert "/quality/pair/open?number=1&amp;docno=d3" in page.text


def test_a_policy_that_keeps_few_pairs_is_warned_of_and_a_milder_one_named() -> None:
    _, _, client = started()
    report = report_of(client)
    assert (report.coverage.kept, report.coverage.total) == (2, 5)
    text = client.get(PAGE).text
    assert "keeps fewer than half of the pairs" in text
    assert escape("count people with too little gold: yes") in text
    assert "/policies/new?from=default%20v1&amp;name=milder&amp;count_unproven=True" in text


def test_batches_and_policy_are_chosen_and_no_batch_is_an_error() -> None:
    people, worked, client = started()
    other = make_batch(people.collection, [], n_documents=1, name="other")
    assert [batch.name for batch in client.get(PAGE).context["choice"].chosen_batches()] == ["other", "first"]
    query = f"?batch={worked.batch.token}&policy=default+v1"
    assert [row.number for row in report_of(client, query).topics] == ["1", "g"]
    for wrong, message in [
        ("?policy=default+v1", "Choose at least one batch."),
        ("?batch=nothing&policy=default+v1", "There is no such batch here."),
        (f"?batch={other.token}&policy=mine", "There is no such policy here."),
    ]:
        answer = client.get(PAGE + wrong)
        assert (answer.status_code, answer.context["report"]) == (422, None)
        assert message in answer.text


def test_exclusion_and_reinstatement_change_the_figures_and_back() -> None:
    _, _, client = started()
    before = report_of(client)
    answer = client.post(EXCLUDE + "?back=reason%3Dtoo_few", {"reason": "Looked away"})
    assert (answer.status_code, answer["Location"]) == (302, PEOPLE + "?reason=too_few")
    page = client.get(PEOPLE)
    amber = next(row for row in page.context["page_obj"] if row.pseudonym == "Amber")
    assert (amber.exclusion.reason, amber.believed, amber.n_gold) == ("Looked away", False, 10)
    assert REINSTATE in page.text
    assert report_of(client).coverage.kept == 0
    client.post(REINSTATE, {"reason": "A mistake of mine"})
    assert report_of(client).inputs.to_bytes() == before.inputs.to_bytes()
    assert "Looked away" in client.get(EXCLUDE).text


def test_where_one_goes_back_to_is_always_the_list_of_annotators() -> None:
    _, _, client = started()
    answer = client.post(EXCLUDE + "?back=//elsewhere.example", {"reason": "x"})
    assert answer["Location"] == PEOPLE + "?%2F%2Felsewhere.example="


def test_a_reason_is_asked_for() -> None:
    _, _, client = started()
    assert client.post(EXCLUDE, {"reason": "  "}).status_code == 422
    assert ExclusionEvent.objects.count() == 0


def test_checks_passed_are_shown() -> None:
    _, worked, client = started()
    for n in range(3):
        worked.add_item(f"far-{n}", planted=Planting.Purpose.CHECK)
        worked.judge(f"far-{n}", "Amber", 0 if n else 4)
    assert "2 of 3" in client.get(PEOPLE).text


def test_how_far_repeats_agree_is_shown_and_nothing_else_of_them() -> None:
    _, worked, client = started()
    assert "Same again" not in client.get(PEOPLE).text
    before = report_of(client)
    for docno, grade in (("d1", 3), ("d2", 1), ("d3", 4)):
        worked.judge(docno, "Amber", grade, reading=2)
    after = report_of(client)
    amber = next(person for person in after.people if person.pseudonym == "Amber")
    assert (amber.n_repeats, amber.n_same, amber.n_near) == (3, 1, 2)
    assert "1 (2) of 3" in client.get(f"{PEOPLE}?columns=repeats").text
    assert [(p.pseudonym, p.n_gold, p.accuracy) for p in after.people] == [
        (p.pseudonym, p.n_gold, p.accuracy) for p in before.people
    ]
    assert list(after.outcome.frozen_pairs()) == list(before.outcome.frozen_pairs())


def test_checks_change_neither_accuracy_nor_qrels() -> None:
    """Whatever they are answered, and even where the pair is gold besides."""
    _, worked, client = started()
    before = report_of(client)
    for name in ("Amber", "Birch"):
        make_gold(worked.add_item(f"far-{name}", planted=Planting.Purpose.CHECK), 0)
        worked.judge(f"far-{name}", name, 4)
    after = report_of(client)
    assert [(p.n_gold, p.accuracy) for p in after.people] == [(p.n_gold, p.accuracy) for p in before.people]
    assert list(after.outcome.frozen_pairs()) == list(before.outcome.frozen_pairs())


def test_withheld_pairs_are_listed_until_decided() -> None:
    people, worked, client = started()
    Item.objects.filter(pk=worked.items["d5"].pk).update(withheld=True)
    assignment = Assignment.objects.filter(item=worked.items["d5"])
    assignment.update(state=Assignment.State.SKIPPED, skip_reason=Assignment.SkipReason.BROKEN)
    withheld = client.get(PAIRS).context["withheld"]
    assert [(pair.item.document.docno, pair.skips, pair.decided) for pair in withheld] == [
        ("d5", ["Cedar: The document is broken or empty", "Dune: The document is broken or empty"], None)
    ]
    make_decision(worked.items["d5"], 0, by=people.admin)
    assert client.get(PAIRS).context["withheld"][0].decided == 0
    assert "1 of them by an adjudicator" in client.get(PAGE).text


@pytest.mark.parametrize("sort", ["name", "-judged", "gold", "-accuracy", "active", "wall", "-early", "nonsense"])
def test_every_column_sorts(sort: str) -> None:
    _, _, client = started()
    first = client.get(f"{PEOPLE}?sort={sort}").context["page_obj"][0].pseudonym
    expected = {"-judged": "Birch", "gold": "Dune", "-accuracy": "Dune"}
    assert first == expected.get(sort, "Amber")


def test_many_people_come_in_pages_and_are_told_apart_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, client = started()
    monkeypatch.setattr("annotation.kernel.listing.PER_PAGE", 3)
    answer = client.get(PEOPLE)
    assert [person.pseudonym for person in answer.context["page_obj"]] == ["Cedar", "Birch", "Amber"]
    assert "1–3 of 4" in answer.text
    assert "2 reliable, 1 unproven, 1 unreliable" in client.get(PAGE).text
    then = client.get(f"{PEOPLE}?people=2&sort=-name").context["page_obj"]
    assert [person.pseudonym for person in then] == ["Amber"]
