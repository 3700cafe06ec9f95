"""The research desk with 9, 25 and 300 runs: every page fits and is legible, and marks of plots lead where they should.

Runs are drawn with a quality each, so that they have an order; all is evaluated, studied, replayed and reported.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, Snapshot, User
from evaluation.engine.comparison import Design
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation, PoolingReplay, Report, Run, SensitivityStudy
from evaluation.pooling.steps.replaying import ReplayAsked, ask_replay
from evaluation.reports.steps import ask_report
from evaluation.sensitivity.steps import ask_sensitivity
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import WHOLE, barriers, overflow, pushed_sideways, shoot
from tests.factories import make_collection, make_documents, make_run, make_snapshot, make_topics, make_user
from tests.live import Server

pytestmark = pytest.mark.browser
N_TOPICS, N_DOCUMENTS, DEPTH = 9, 24, 10  # with 300 runs just so many that they are compared at once
SMALLEST = 7.5  # px: how high a line of text in a plot is at least
LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((1280, "light"), (390, "dark"))
SIZE = ("duplicate-id-aria", "scrollable-region-focusable", "target-size")  # the rules that many rows can break
ALIKE = "tr:nth-child(n + 11), .mark:nth-of-type(n + 11), option:nth-child(n + 11)"  # hundreds that one template makes
# The page, a mark of a plot on it, and the heading of the page that it leads to, {} being what the mark is of.
MARKS = (
    ("leaderboard", ".mark a", "{}"),
    ("plots", ".mark a:has(circle)", "{}"),
    ("plots", ".mark a:has(.strong)", "{}"),
    ("run", ".mark a", "Topic {}"),
    ("compare-two", "a:has(rect)", "Topic {}"),
    ("compare-many", ".mark a", "{}"),
    ("compare-many", "a:has(rect)", "Compare two runs"),
    ("sensitivity", ".mark a", "{}"),
)
ILLEGIBLE = """smallest => [...document.querySelectorAll("svg.drawn")].filter(svg => svg.clientWidth).flatMap(svg => {
    const edge = svg.getBoundingClientRect()
    const texts = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim())
        .map(text => [text.textContent, text.getBoundingClientRect()])
    const small = texts.filter(([, box]) => box.height < smallest).map(([words]) => `small: ${words}`)
    const out = texts.filter(([, box]) => box.left < edge.left - 2 || box.right > edge.right + 2
        || box.top < edge.top - 4 || box.bottom > edge.bottom + 4).map(([words]) => `beyond the edge: ${words}`)
    const covered = texts.flatMap(([words, a], at) => texts.slice(at + 1)
        .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.4 * a.height)
        .map(([others]) => `one upon the other: ${words} and ${others}`))
    return [...small, ...out, ...covered]
})"""


@dataclass(frozen=True)
class Desk:
    """Everything a researcher has made of so many runs."""

    user: User
    collection: Collection
    snapshot: Snapshot
    runs: list[Run]

    def pages(self) -> Iterator[tuple[str, str]]:
        """The name and address of each, of the run in the middle and of the best two."""
        middle, measure = self._evaluations()[len(self.runs) // 2], {"measure": "nDCG@10"}
        yield "leaderboard", self._page("leaderboard")
        yield "plots", self._page("leaderboard_plots")
        yield "run", self._page("evaluation", pk=middle.pk)
        yield "compare-two", self._page("leaderboard_compare", query=measure)
        yield "compare-many", self._page("leaderboard_compare_many", query=measure)
        yield "sensitivity", self._page("sensitivity_study", pk=SensitivityStudy.objects.get().pk)
        yield "judge-next", self._page("pooling_next", query=measure)
        yield "replay", self._page("pooling_replay", pk=PoolingReplay.objects.get().pk)
        yield "report", self._page("report", pk=Report.objects.get().pk)

    def address(self, name: str) -> str:
        return dict(self.pages())[name]

    def _evaluations(self) -> list[Evaluation]:
        return list(Evaluation.objects.order_by("run__tag"))

    def _page(self, name: str, *, query: dict[str, str] | None = None, **parameters: object) -> str:
        address = reverse(name, kwargs={"slug": self.collection.slug, **parameters})
        return f"{address}?{urlencode(query)}" if query else address


def make_desk(n_runs: int) -> Desk:
    draw, user = random.Random(n_runs), make_user()
    collection = make_collection(admin=user)
    docnos, numbers = [f"d{n}" for n in range(N_DOCUMENTS)], [str(n) for n in range(1, N_TOPICS + 1)]
    make_topics(collection, numbers)
    make_documents(collection, docnos)
    grades = {(number, docno): draw.choice([0, 0, 0, 1, 2, 3]) for number in numbers for docno in docnos}
    unjudged = set(draw.sample(sorted(grades), len(grades) // 10))
    judged = [(pair, grade) for pair, grade in grades.items() if pair not in unjudged]
    other = [(pair, min(3, max(0, grade + draw.choice([-1, 0, 0, 1])))) for pair, grade in judged]
    machine = make_snapshot(collection, _qrels(other), name="a-machine-judge")
    people = make_snapshot(collection, _qrels(judged), name="people")  # the newest: pages begin with it
    tags = [f"{'bm25-k1.2-b0.75-' if n_runs == 9 else ''}system-{place:03}" for place in range(n_runs)]
    runs = [make_run(collection, _run(draw, grades, place / n_runs, tag)) for place, tag in enumerate(tags)]
    _study(people, runs, machine, user)
    return Desk(user, collection, people, runs)


def _qrels(judged: list[tuple[tuple[str, str], int]]) -> str:
    return "".join(f"{number} 0 {docno} {grade}\n" for (number, docno), grade in judged)


def _run(draw: random.Random, grades: dict[tuple[str, str], int], skill: float, tag: str) -> str:
    """The more skill, the more grades count beside chance."""
    lines = []
    for number in dict.fromkeys(number for number, _ in grades):
        scores = {docno: skill * grade + draw.gauss(0, 1) for (of, docno), grade in grades.items() if of == number}
        best = sorted(scores, key=scores.__getitem__, reverse=True)[:DEPTH]
        lines += [f"{number} Q0 {docno} {rank} {scores[docno]:.6f} {tag}\n" for rank, docno in enumerate(best, 1)]
    return "".join(lines)


def _study(snapshot: Snapshot, runs: list[Run], judge: Snapshot, user: User) -> None:
    measures = ["nDCG@10", "nDCG@5", "nDCG@3", "AP", "RR", "P@10"]
    if len(runs) == 9:
        measures += ["AP(rel=2)", "RBP"]  # beside the usual: thirteen
    ask_evaluation(snapshot, runs, averaging="complete", measures=measures, created_by=user)
    studied: dict[str, Any] = {"measure": "nDCG@10", "groups": {}, "pool_depth": 10, "judgments_anew": "annotators"}
    ask_sensitivity(snapshot, runs, beside=[judge], **studied, seed=0, created_by=user)
    how = ReplayAsked(
        methods=["depth", "move-to-front", "max-mean", "stratified"],
        measure="nDCG@10",
        depth=10,
        rel=1,
        n_seeds=2,
        unlisted="zero",
        leave_out=False,
    )
    ask_replay(snapshot, runs[:25], how, created_by=user)
    design = Design(test="tukey", n_draws=199)
    same: dict[str, Any] = {"averaging": "complete", "seed": 0, "created_by": user}
    ask_report(snapshot, runs, kind="comparison", title="Which is best", measures=["nDCG@10"], design=design, **same)
    while claimed := claim_job():
        assert run_job(claimed).state == "done"


@pytest.mark.parametrize("n_runs", [9, 25, 300])
def test_every_page_of_the_desk_fits_and_is_legible(
    transactional_db: None, server: Server, open_context: Opener, subtests: pytest.Subtests, n_runs: int
) -> None:
    desk = make_desk(n_runs)
    page = open_context(desk.user).new_page()
    for name, address in desk.pages():
        with subtests.test(name):
            _look(page, address, f"desk-{n_runs}-{name}", n_runs)
    if n_runs == 9:
        _follow_marks(desk, open_context, subtests)
    if n_runs == 25:
        _pass_by_keyboard(page, desk.address("leaderboard"))


def _look(page: Page, address: str, name: str, n_runs: int) -> None:
    """Wide and light, then narrow and dark. Axe looks at all of a page of few runs; with 25 a page has more of the same
    alone, so what does not overlap is enough. With many it looks at all by SIZE, then at what is left of each kind.
    Where looks are WHOLE it looks at all of every page."""
    _show(page, *LOOKS[0])
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200
    assert pushed_sideways(page) == []
    for width, scheme in LOOKS:
        _show(page, width, scheme)
        assert page.locator("svg:visible").count() > 0
        assert page.evaluate(ILLEGIBLE, SMALLEST) == []
        assert overflow(page) <= 0
        shoot(page, f"{name}-{width}")
        _show(page, width, scheme)  # where a picture was taken, there is none
        assert not (WHOLE or n_runs == 9) or barriers(page) == []
    if n_runs == 300:
        _show(page, *LOOKS[0])
        assert barriers(page, *SIZE) == []
        page.locator(ALIKE).evaluate_all("parts => parts.forEach(part => part.remove())")
        for width, scheme in LOOKS:
            _show(page, width, scheme)
            assert barriers(page) == []


def _show(page: Page, width: int, scheme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
    page.emulate_media(color_scheme=scheme)


def _follow_marks(desk: Desk, open_context: Opener, subtests: pytest.Subtests) -> None:
    """By mouse with script, by keyboard without; nothing covers a mark without script either."""
    with_script, without = (open_context(desk.user, script=script).new_page() for script in (True, False))
    for name, mark, heading in MARKS:
        with subtests.test(f"{name}: {mark}"):
            for page in (with_script, without):
                link = _mark(page, desk.address(name), mark)
                title = _title(link)
                link.locator("circle, rect, text").last.click(trial=page == without)
                if page == without:
                    page.locator(f"svg:not(.narrow) {mark}").first.focus()
                    page.keyboard.press("Tab")
                    expect(link).to_be_focused()
                    page.keyboard.press("Enter")
                expect(page.locator("h1")).to_have_text(heading.format(title))


def _mark(page: Page, address: str, mark: str) -> Locator:
    """The second of its kind."""
    page.goto(address)
    return page.locator(f"svg:not(.narrow) {mark}").nth(1)


def _title(link: Locator) -> str:
    """What it says to be of."""
    return (link.locator("title").text_content() or "").partition(":")[0]


def _pass_by_keyboard(page: Page, leaderboard: str) -> None:
    """A plot with many links can be passed."""
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.goto(leaderboard)
    past = page.get_by_role("link", name="Past the 25 links of this plot")
    past.focus()
    expect(past).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("region", name="Leaderboard", exact=True)).to_be_focused()
