"""Quality in parts: what the summary says and leads to, what each part asks for, how one gets from part to part."""

import re
from html import unescape
from urllib.parse import quote_plus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from annotation.models import DEFAULT_GRADES, Planting, ScaleVersion
from annotation.quality.policy import Policy as Parameters
from annotation.trust.pages.verdict import TRIED
from annotation.trust.steps.policies import store_policy
from annotation.trust.views import quality
from tests.annotation.roles import People, make_people
from tests.annotation.trust.views.test_quality import AGREEMENT, PAGE, PAIRS, PARTS, PEOPLE, report_of, started
from tests.factories import make_annotator, make_batch, make_gold, make_judgment

pytestmark = pytest.mark.django_db


def sentences(client: Client, query: str = "") -> list[str]:
    return [sentence.whole for sentence in report_of(client, query).verdict]


def deeds(page: str) -> dict[str, str]:
    """The address of each deed of the verdict, by its text."""
    verdict = page.partition('<ol class="verdict">')[2].partition("</ol>")[0]
    return {text.strip(): unescape(address) for address, text in re.findall(r'href="([^"]*)"\s*>([^<]*)</a>', verdict)}


def test_the_summary_begins_with_three_sentences_each_with_its_number_and_its_deed() -> None:
    _, worked, client = started()
    judgments, standing, kept = sentences(client)
    assert judgments == (
        "74 % of the 50 judgments on gold are right. Giving grade 1 every time would be right on 100 % of the same. "
        "Gold on which one grade is always right cannot tell who reads: add gold of other grades."
    )
    assert standing == (
        "0 of 4 people are clearly below the 70 % right that the policy asks for, 0 clearly above; for 4 there is not "
        "enough gold to tell. Half of all have judged 10 gold pairs or fewer. Of 2 who count as reliable, 2 may be "
        "there by luck, and 2 would be as right with one grade for all of their gold."
    )
    assert kept.startswith("2 of 5 pairs are kept under this policy. It asks for more than these judgments can give.")
    query = f"batch={worked.batch.token}&policy=default+v1"
    ways = deeds(client.get(PAGE).text)
    rules = "".join(f"&rule={rule}" for rule in TRIED)
    assert ways == {
        "Import gold": "/c/bees/imports/new/gold",
        "See how much gold is left for whom": "/c/bees/gold/supply",
        "Compare this policy with others": f"/c/bees/policies/compare?{query}{rules}",
    }
    assert all(client.get(address).status_code == 200 for address in ways.values())
    compared = client.get(ways["Compare this policy with others"]).context["comparison"].rows
    assert [row.name for row in compared] == ["default v1", *(f"trial: {rule}" for rule in TRIED)]


def test_the_verdict_leads_researchers_to_nothing_that_they_may_not_do() -> None:
    people, _, _ = started()
    client = people.client("researcher")
    ways = deeds(client.get(PAGE).text)
    assert list(ways) == ["See how much gold is left for whom", "Compare this policy with others"]
    assert all(client.get(address).status_code == 200 for address in ways.values())


def test_whom_the_watch_stopped_the_verdict_leads_to() -> None:
    _, worked, client = started()
    for n in range(10):
        item = worked.add_item(f"more-{n}", planted=Planting.Purpose.GOLD)
        make_gold(item, 4)
        worked.judge(f"more-{n}", "Cedar", 0)
    assert sentences(client)[1].startswith("1 of 4 people is clearly below the 70 % right")
    address = deeds(client.get(PAGE).text)["See whom the watch stopped"]
    assert client.get(address).context["page_obj"][0].pseudonym == "Cedar"
    assert "has stopped 1 of 4" in client.get(address).text


def test_without_judged_gold_the_page_says_that_nothing_is_known_of_people() -> None:
    people = make_people()
    annotator = make_annotator(people.collection, pseudonym="Amber")
    make_judgment(make_batch(people.collection, [annotator], n_documents=1).items.get(), annotator, 2)
    client = people.client("admin")
    judgments, standing, kept = sentences(client)
    assert judgments.startswith("0 judgments are on gold: nobody can say how often anybody is right.")
    assert standing == "0 of 1 person counts under this policy."
    assert kept == "0 of 1 pair is kept under this policy. It asks for more than these judgments can give."
    ways = deeds(client.get(PAGE).text)
    assert list(ways) == ["Import gold", "See the annotators", "Decide on contested pairs"]
    assert all(client.get(address).status_code == 200 for address in ways.values())


def test_a_policy_that_asks_nothing_of_people_says_so() -> None:
    people, worked, client = started()
    policy = store_policy(people.collection, name="mild", parameters=Parameters(accuracy_threshold=0), actor=None)
    query = f"?batch={worked.batch.token}&policy={quote_plus(str(policy))}"
    report = report_of(client, query)
    number = f"{report.n_believed} of 4"
    assert (
        sentences(client, query)[1] == f"{number} people count under this policy. It asks nobody to be right on gold."
    )


def test_accuracy_is_drawn_by_the_server_and_who_is_clearly_below_stands_out() -> None:
    people, worked, client = started()
    plot = report_of(client).accuracy_plot
    assert plot.drawn
    assert [mark.estimate.name for mark in plot.drawn.marks] == ["Cedar", "Birch", "Amber", "Dune"]
    assert plot.drawn.marks[0].estimate.text == "Cedar: 50 % (25 % to 75 %) of 12 gold pairs, unreliable"
    assert [mark.estimate.is_marked for mark in plot.drawn.marks] == [False] * 4
    assert plot.words.endswith("Dashed: 70 %, from which on somebody is reliable.")
    assert 'class="limit"' in client.get(PEOPLE).text
    mild = store_policy(people.collection, name="mild", parameters=Parameters(accuracy_threshold=0), actor=None)
    query = f"?batch={worked.batch.token}&policy={quote_plus(str(mild))}"
    assert 'class="limit"' not in client.get(PEOPLE + query).text
    strict = store_policy(people.collection, name="strict", parameters=Parameters(accuracy_threshold=0.8), actor=None)
    plot = report_of(client, f"?batch={worked.batch.token}&policy={quote_plus(str(strict))}").accuracy_plot
    assert plot.drawn
    assert [mark.estimate.name for mark in plot.drawn.marks if mark.estimate.is_marked] == ["Cedar"]
    assert plot.words.endswith("In bold: who is clearly below.")


def shown(client: Client, query: str = "") -> list[str]:
    return [column.name for column in client.get(PEOPLE + query).context["listed"].columns[1:]]


def test_columns_are_chosen_and_the_choice_stays_in_the_address() -> None:
    _, worked, client = started()
    first = ["standing", "judged", "gold", "accuracy", "watch", "critical_errors", "agreement_with_others"]
    assert shown(client) == shown(client, "?columns=nothing") == first
    assert shown(client, "?sort=-early") == [*first, "early"], "by what people are sorted is shown"
    assert shown(client, "?columns=leniency&columns=gold&columns=nothing") == ["gold", "leniency"]
    chosen = f"batch={worked.batch.token}&policy=default+v1"
    page = client.get(f"{PEOPLE}?{chosen}&sort=-gold&people=1&page=1&columns=gold")
    assert page.context["page_obj"][0].pseudonym == "Birch"
    assert f'href="?{escape(chosen)}&amp;sort=gold&amp;columns=gold"' in page.text, "sorting keeps the columns"
    form = page.text.partition('class="menu columns-choice"')[2].partition("</form>")[0]
    assert re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form) == [
        ("batch", worked.batch.token),
        ("policy", "default v1"),
        ("sort", "-gold"),
    ]
    assert re.findall(r'value="(\w+)"\s+checked', form) == ["annotator", "gold"]
    legend = page.text.partition('class="columns-legend"')[2].partition("</details>")[0]
    assert "share of gold pairs judged right" not in legend, "it says what the columns say that are shown"


# Of each part; when all was one page it asked 23 times.
QUERIES = dict(zip(PARTS, (31, 33, 25, 29, 25), strict=True))


def test_each_part_asks_for_what_it_shows_and_as_often_for_one_pair_as_for_three() -> None:
    _, worked, client = started()
    for round_ in range(2):
        counts = {}
        for part in PARTS:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(part).status_code == 200
            counts[part] = len(queries)
        assert counts == QUERIES
        for n in range(3):
            worked.add_item(f"more-{round_}-{n}")
            worked.judge(f"more-{round_}-{n}", "Amber", n)


def test_addresses_of_the_one_page_lead_to_its_parts() -> None:
    _, worked, client = started()
    chosen = f"batch={worked.batch.token}&policy=default+v1"
    for query, part in {"sort=watch": PEOPLE, "people=2": PEOPLE, "reason=too_few": PAIRS, "page=2": PAIRS}.items():
        assert client.get(f"{PAGE}?{chosen}&{query}")["Location"] == f"{part}?{chosen}&{query}"
    text = client.get(PAGE).text
    for name in ("annotators", "agreement", "by-topic", "given", "dropped", "withheld", "machines", "raw"):
        assert text.count(f'id="{name}"') == 1, name


def test_what_was_chosen_goes_along_from_part_to_part() -> None:
    _, worked, client = started()
    chosen = f"?batch={worked.batch.token}&amp;policy=default+v1"
    for part in PARTS:
        tabs = client.get(part).text.partition('<nav class="parts"')[2].partition("</nav>")[0]
        assert re.findall(r'href="([^"]*)"', tabs) == list(PARTS)
        assert tabs.partition("aria-current")[0].rpartition('href="')[2].startswith(f'{part}"')
        tabs = client.get(part + unescape(chosen)).text.partition('<nav class="parts"')[2].partition("</nav>")[0]
        assert re.findall(r'href="([^"]*)"', tabs) == [each + chosen for each in PARTS]


def of_two_grades(people: People) -> ScaleVersion:
    grades = DEFAULT_GRADES[:2]
    return ScaleVersion.objects.create(collection=people.collection, number=2, sha256="1" * 64, grades=grades)


def test_batches_that_cannot_be_read_together_are_refused_and_the_latest_are_read_before_anything_is_chosen() -> None:
    people, worked, client = started()
    pseudonym = worked.batch.participations.earliest("pk").annotator.pseudonym
    tables = [f"{PAGE}couples.csv", f"{PAGE}annotators.csv"]
    beside = [f"{PAGE}couples", f"{PAGE}annotators/{pseudonym}/", *tables]
    forms = [*PARTS, f"/c/{people.collection.slug}/quality/contested/", f"/c/{people.collection.slug}/snapshots/new"]
    other = make_batch(people.collection, [], n_documents=1, name="of two grades", scale=of_two_grades(people))
    both = f"?batch={worked.batch.token}&batch={other.token}&policy=default+v1"
    for address in [*forms, *beside]:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert address in tables or answer.context["choice"].chosen_batches() == [other], address
        assert client.get(f"{address}{both}").status_code == (422 if address in forms else 404), address
    for part in PARTS:
        assert "scales with different numbers of grades" in client.get(f"{part}{both}").text


def test_topics_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quality, "SHOWN_TOPICS", 1)
    _, _, client = started()
    pages = [client.get(f"{AGREEMENT}?page={n}") for n in (1, 2)]
    numbers = [topic.number for topic in report_of(client).topics]
    assert [[topic.number for topic in page.context["page_obj"]] for page in pages] == [numbers[:1], numbers[1:2]]
