"""Every other page, as an admin opens it: found through the resolver, so that a new page is looked at by itself."""

import re
from collections.abc import Generator, Iterable, Iterator

import pytest
from django.conf import settings as django_settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from playwright.sync_api import Page, expect
from pytest_django import DjangoDbBlocker

from tests.browser.campaign import Campaign, make_campaign
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import (
    LARGEST_SHIFT,
    POLICY,
    TALLEST,
    WATCH_SHIFTS,
    WHOLE,
    barriers,
    barriers_in_system_colours,
    height,
    inline_code,
    overflow,
    overflow_in_larger_letters,
    passing_heads,
    policy_of,
    pushed_sideways,
    shift,
    shift_anew,
    shoot,
)
from tests.flushing import empty_patiently
from tests.live import Server

pytestmark = pytest.mark.browser

DEEDS = {  # a POST; a GET is answered with 405, as a test below proves
    "adjudicate_blind", "adjudicate_leave", "adjudicate_look", "adjudicate_open", "adjudicate_withdraw",
    "adjudication_next", "adjudication_send",
    "api_token_revoke", "arrival_discard", "arrival_publish",
    "batch_assign", "batch_cost", "batch_delete", "batch_due", "batch_estimate", "batch_feedback", "batch_lay_out",
    "batch_plan",
    "batch_release", "batch_replace",
    "batch_step", "batch_unassign", "batch_withdraw", "inbox_read", "inbox_read_all",
    "saved_view_delete", "saved_view_new", "saved_view_rename",
    "gold_withdraw", "guideline_preview", "import_cancel", "import_check", "import_publish", "imports_publish",
    "information_preview", "invitation_withdraw", "demo_load", "job_cancel",
    "judge_acknowledge", "judge_choices", "judge_consent", "judge_decline",
    "judge_grade", "judge_heartbeat", "judge_keep", "judge_later", "judge_qualify_begin",
    "judge_release", "judge_skip",
    "judge_start", "judge_terms", "judge_undo",
    "judgments_named", "logout", "own_object", "own_results_read",
    "people_password_link", "people_remove", "pool_delete", "qualification_delete", "qualification_pair_move",
    "quality_pairs_pool",
    "qualification_pair_remove", "qualification_step", "run_delete", "snapshot_delete", "snapshot_verify",
    "outgoing_end", "outgoing_test",
    "series_alert", "series_end", "series_file", "series_measure", "series_note", "series_point",
    "vectors_delete", "ab_test_delete", "beyond_delete", "click_comparison_delete",
}  # fmt: skip
FILES = {  # sent as a file, not as a page, as a test below proves
    "accounting_dropped_csv", "accounting_file", "batch_health_csv", "quality_csv",
    "adjudications_csv", "gold_appeals_csv",
    "annotators_csv", "arrival_problems", "beyond_file", "experiment_sample", "gold_csv", "batch_hours", "couples_csv",
    "gold_export",
    "healthz", "import_problems",
    "judgments_export", "leaderboard_csv", "pooling_replay_file", "pooling_sample", "readyz", "report_file",
    "run_file", "series_csv",
    "sensitivity_file", "ab_test_file",
    "snapshot_dropped", "snapshot_pairs",
    "snapshot_qrels", "vectors_comparison_file",
}  # fmt: skip
ELSEWHERE = {
    "api_problem": "leads to its line of api_docs, as the test of that page follows it",
    "judge": "test_judge_looks.py opens it in every state",
    "judge_document": "a part of the judging page, fetched by it",
    "judge_qualify": "test_guidance.py goes through a round",
    "judge_qualify_pair": "test_guidance.py goes through a round",
    "adjudication_csv": "a file of a table that has its own names; test_adjudication.py fetches it",
    "annotator_csv": "a file of a table that has its own names; test_annotators.py of the views fetches it",
    "batch_alert": "test_health.py sets an alert aside",
    "batch_overlap_csv": "a file of a batch that a policy steers; test_overlap.py fetches it",
    "gold_table_csv": "a file of a table that has its own names; test_gold_reports.py fetches it",
    "monitored": "not there unless a token is set; test_monitoring.py asks for it",
    "login": "opened below by a visitor: an admin is sent home",
    "invitation": "opened below by a visitor",
    "password_link": "opened below by a visitor",
    "sign_in_link": "opened below by a visitor",
    "policies_calibration_csv": "a file of what is chosen; test_policies_calibration.py fetches it",
    "policies_compare_csv": "a file of what is chosen; test_policies_compare.py fetches it",
    "pool_runs_count": "a part of pool_runs, fetched by it",
    "report": "a page with a policy and a style of its own; opened below",
    "bundle_file": "a file, once a job has packed it; test_bundles.py fetches it",
}
BY_VISITORS = ("login", "invitation", "password_link", "sign_in_link")
QUERY = {
    "adjudicate": "?number=1&docno=d3",
    "annotators_together": "?deed=pause&names=Amber&names=Birch",
    "leaderboard_compare_topic": "?snapshot=first-round&first=dense&second=sparse&measure=AP",
}
OF_COLOUR = ("color-contrast", "link-in-text-block")  # the rules that take most of axe's time
# Parts that one template makes hundreds of: they are looked at by the other rules, and by those of colour some of them.
ALIKE = {"api_docs": "details.operation:not(:nth-of-type(6n + 1))"}
TALL = {"api_docs"}  # a reference of every operation
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif pattern.name:
            yield pattern.name, route


ROUTES = {name: route for name, route in routes(get_resolver().url_patterns) if not route.startswith("api/v1/")}
PAGES = sorted(ROUTES.keys() - DEEDS - FILES - ELSEWHERE.keys())


@pytest.fixture(scope="module")
def campaign(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, shared_server: Server
) -> Generator[Campaign, None, None]:
    """One for all tests here: they look and change nothing."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(django_settings, "TOUCHSTONE_FILES", shared_server.var / "files")
        yield make_campaign()
        empty_patiently()


@pytest.fixture
def server(campaign: Campaign, shared_server: Server) -> Server:
    """With the rows of the campaign, which stay from test to test."""
    return shared_server


def address(campaign: Campaign, name: str) -> str:
    parameters = frozenset(PARAMETER.findall(ROUTES[name]))
    return reverse(name, kwargs=campaign.values(name, parameters)) + QUERY.get(name, "")


def look(page: Page, path: str, name: str) -> None:
    """Open the page wide and light, then as wide as at 200 %, then narrow and dark."""
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.emulate_media(color_scheme="light")
    answer = page.goto(path)
    assert answer is not None
    assert answer.status != 405, f"{name} answers no GET: add it to DEEDS"
    assert answer.headers["content-type"].startswith("text/html"), f"{name} is no page: add it to FILES"
    assert (answer.status, policy_of(answer), inline_code(answer)) == (200, POLICY, [])
    assert page.url.endswith(path), f"{name} leads to {page.url}"
    assert height(page) <= TALLEST or name in TALL
    assert pushed_sideways(page) == []
    shoot(page, f"page-{name}-1280")
    if name in ALIKE:
        assert barriers(page, without=OF_COLOUR) == []
        page.locator(ALIKE[name]).evaluate_all("parts => parts.forEach(part => part.remove())")
    assert barriers(page) == []
    assert shift(page) <= LARGEST_SHIFT
    assert barriers_in_system_colours(page) == []
    page.set_viewport_size({"width": 640, "height": HEIGHTS[1280] // 2})
    assert overflow(page) <= 0
    assert not WHOLE or barriers(page) == []
    page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
    shoot(page, f"page-{name}-390")
    page.emulate_media(color_scheme="dark")
    assert barriers(page) == []
    assert barriers_in_system_colours(page) == []
    assert overflow(page) <= 0
    assert passing_heads(page) == []
    assert not WHOLE or shift_anew(page) <= LARGEST_SHIFT
    assert not WHOLE or [overflow_in_larger_letters(page, width) for width in (390, 1280)] == [0, 0]
    assert not WHOLE or pushed_sideways(page) == []


def test_every_page_is_accessible_clean_and_fits(
    campaign: Campaign, open_context: Opener, subtests: pytest.Subtests
) -> None:
    page = open_context(campaign.session).new_page()
    page.add_init_script(WATCH_SHIFTS)
    for name in PAGES:
        with subtests.test(name):
            look(page, address(campaign, name), name)


def test_every_page_of_a_visitor_is_accessible_clean_and_fits(
    campaign: Campaign, open_context: Opener, subtests: pytest.Subtests
) -> None:
    page = open_context(None).new_page()
    page.add_init_script(WATCH_SHIFTS)
    for name in BY_VISITORS:
        with subtests.test(name):
            look(page, address(campaign, name), name)


def test_a_report_is_accessible_and_fits_wide_narrow_and_printed(campaign: Campaign, open_context: Opener) -> None:
    """Its style counts: the policy lets it through by its hash. Nothing else is loaded. Paper has what is folded."""
    page = open_context(campaign.session).new_page()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(address(campaign, "report"))
    sections = page.locator("section, main > details").locator("> div")
    links = page.get_by_role("navigation", name="Contents").get_by_role("link")
    folded = page.locator("details:not([open])")
    expect(links).to_have_count(sections.count())
    assert height(page) <= TALLEST
    n_folded = folded.count()
    links.last.press("Enter")
    expect(sections.last).to_be_visible()
    expect(folded).to_have_count(n_folded - 1)
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert barriers(page) == []
        assert barriers_in_system_colours(page) == []
        assert overflow(page) <= 0
        assert not WHOLE or shift_anew(page) <= LARGEST_SHIFT
        widest = page.locator("caption").evaluate_all("captions => Math.max(...captions.map(each => each.offsetWidth))")
        assert widest <= width
        shown = page.locator("svg.narrow" if width == 390 else "svg.wide").first
        expect(shown).to_be_visible()
        shoot(page, f"page-report-{width}")
    page.emulate_media(media="print")
    expect(page.locator("svg.wide").first).to_be_visible()
    expect(folded).not_to_have_count(0)
    assert page.locator("details > :not(summary)").evaluate_all("parts => parts.every(part => part.checkVisibility())")
    assert [url for url in loaded if "favicon" not in url] == [page.url.partition("#")[0]]


def test_deeds_refuse_a_get_and_files_are_files(campaign: Campaign, open_context: Opener) -> None:
    request = open_context(campaign.session).request
    kinds: dict[str, str] = {}
    for name in DEEDS | FILES:
        answer = request.get(address(campaign, name))
        kinds[name] = "405" if answer.status == 405 else answer.headers["content-type"].partition(";")[0]
    assert {name for name, kind in kinds.items() if kind == "405"} == DEEDS
    assert "text/html" not in kinds.values()


@pytest.mark.django_db  # one test has to ask for the database, or there is none where this file runs alone
def test_what_is_left_out_is_an_address() -> None:
    assert (DEEDS | FILES | ELSEWHERE.keys() | QUERY.keys()) - ROUTES.keys() == set()


def test_on_a_phone_a_head_that_rows_are_sorted_by_is_seen_once_a_key_leads_into_it(
    campaign: Campaign, open_context: Opener
) -> None:
    page = open_context(campaign.session, width=390).new_page()
    page.goto(address(campaign, "gold"))
    link = page.locator("table.stacked thead a").first
    link.focus()
    box = link.bounding_box()
    assert box
    assert page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('thead a') !== null", [box["x"] + 4, box["y"] + 4]
    )


def test_a_menu_opens_and_closes_by_keyboard(campaign: Campaign, open_context: Opener) -> None:
    page = open_context(campaign.session).new_page()
    page.goto(address(campaign, "collection"))
    menu = page.locator("details.menu").last
    menu.locator("summary").press("Enter")
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()
