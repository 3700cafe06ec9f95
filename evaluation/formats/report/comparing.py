"""The parts of a report's page that compare runs, and the pieces that all its parts are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from evaluation.engine.comparison import Comparison
from evaluation.engine.conclusions import TEST_WORDS, conclusion_of_many
from evaluation.engine.many_runs import ManyRuns
from evaluation.engine.two_runs import TESTS, TwoRuns, by_difference
from evaluation.formats.comparison import shown_difference, shown_p
from evaluation.formats.report import drawings
from evaluation.formats.report.contents import Contents
from evaluation.formats.report.question import Question

INTERVALS = "each for itself: runs share their topics, so two that overlap may still be told apart."


@dataclass(frozen=True)
class Section:
    """`body` is HTML; on a screen it is folded under its title unless it is open."""

    title: str
    body: str
    is_open: bool = False

    def html(self, anchor: str) -> str:
        """The anchor lies within what is folded: a link there opens it."""
        title = f"<h2>{escape(self.title)}</h2>"
        body = f'<div id="{anchor}">\n{self.body}</div>'
        return f"<section>{title}{body}</section>" if self.is_open else folded(title, body)


def comparison_parts(question: Question, contents: Contents) -> Iterator[Section]:
    """A section a measure, the first open."""
    if question.kind == "evaluation":
        return
    for at, many in enumerate(contents.many):
        yield Section(f"Compared by {many.measure}", f"{words(many)}{_many(many)}", is_open=at == 0)
    two = [*contents.two, *[None] * len(contents.pairs)]
    for at, (comparison, runs) in enumerate(zip(contents.pairs, two, strict=False)):
        conclusion = sentences(comparison.conclusion)
        body = _two(runs) if runs else _against(comparison)
        yield Section(f"Compared by {comparison.measure}", f"{conclusion}{body}", is_open=at == 0 and not contents.many)


def folded(title: str, body: str) -> str:
    """HTML that opens under its title; paper has it open."""
    return f"<details><summary>{title}</summary>{body}</details>\n"


def words(many: ManyRuns) -> str:
    return sentences(conclusion_of_many(many))


def sentences(conclusion: Sequence[str]) -> str:
    return f'<div class="conclusion">{"".join(f"<p>{escape(one)}</p>" for one in conclusion)}</div>'


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = True) -> str:
    """`rows` are HTML, their first cells name them. `numbers`: the others stand at the right."""
    kind = ' class="num"' if numbers else ""
    heads = "".join(f'<th scope="col"{kind if at else ""}>{escape(name)}</th>' for at, name in enumerate(head))
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td{kind}>{cell}</td>" for cell in row[1:])}</tr>\n'
        for row in rows
    )
    table = f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead>\n<tbody>{body}</tbody></table>"
    return f"{drawings.scrolling(table, caption)}\n"


def _many(many: ManyRuns) -> str:
    percent = f"{100 * many.design.confidence:g} %"
    rows = [drawings.Estimate(run.tag, run.interval.mean, run.interval.low, run.interval.high) for run in many.runs]
    parts = [_figure(f"{many.measure} with {percent} intervals, {INTERVALS}", drawings.intervals(rows, named="Means"))]
    if squares := drawings.triangle(many, named="All pairs"):
        legend = f"A square for each pair: filled, told apart ({many.n_apart} of {many.n_pairs}); empty, not."
        parts.append(_figure(f"{legend} Columns are runs by number.", squares))
    cells = [
        [
            escape(run.tag),
            f"{run.interval.mean:.4f}",
            f"{run.interval.low:.4f} to {run.interval.high:.4f}",
            f"{run.best_rank} to {run.worst_rank}",
            run.letters or "–",
        ]
        for run in many.runs
    ]
    caption = "Runs that share a letter cannot be told apart; ranks are those that the tests leave a run."
    return "".join([*parts, html_table(caption, ["Run", "Mean", f"{percent} interval", "Ranks", "Groups"], cells)])


def _two(runs: TwoRuns) -> str:
    comparison, pair = runs.comparison, runs.pair
    order = by_difference(runs)
    differences = [(comparison.numbers[at], float(pair.difference[at])) for at in order]
    most, least = (drawings.signed(differences[at][1]) for at in (0, -1))
    caption = (
        f"{escape(pair.first)} minus {escape(pair.second)}, a bar a topic: {pair.n_better} better, "
        f"{pair.n_equal} equal, {pair.n_worse} worse; from {most} to {least}."
    )
    threshold = comparison.design.threshold
    figure = _figure(caption, drawings.bars(differences, named="Differences by topic", threshold=threshold))
    values = [
        [
            escape(comparison.numbers[at]),
            *(f"{value:.4f}" for value in comparison.value[at].tolist()),
            drawings.signed(d),
        ]
        for at, (_, d) in zip(order, differences, strict=True)
    ]
    head = ["Topic", pair.first, pair.second, "Difference"]
    topics = html_table("Topic by topic.", head, values)
    looked_up = folded("Paired tests, effect sizes, topic by topic", f"{_tests(runs)}{_effects(comparison)}{topics}")
    return f"{figure}{_pairs(comparison)}{looked_up}"


def _against(comparison: Comparison) -> str:
    rows = [
        drawings.Estimate(f"{pair.first} − {pair.second}", pair.interval.mean, pair.interval.low, pair.interval.high)
        for pair in sorted(comparison.pairs, key=lambda pair: -pair.interval.mean)
    ]
    percent = f"{100 * comparison.design.confidence:g} %"
    caption = f"Differences in {comparison.measure} with {percent} intervals, each for its pair alone."
    return _figure(caption, drawings.intervals(rows, named="Differences", zero=True)) + _pairs(comparison)


def _pairs(comparison: Comparison) -> str:
    mean = dict(zip(comparison.tags, comparison.mean, strict=True))
    cells = [
        [
            escape(f"{pair.first} − {pair.second}"),
            f"{mean[pair.first]:.4f}",
            f"{mean[pair.second]:.4f}",
            "{}<small>{}</small>".format(*shown_difference(pair)),
            shown_p(pair.p),
            shown_p(pair.adjusted),
            f"{pair.n_better}/{pair.n_equal}/{pair.n_worse}",
        ]
        for pair in sorted(comparison.pairs, key=lambda pair: -pair.interval.mean)
    ]
    head = ["Pair", "Mean of the first", "of the second", "Difference", "p", "adjusted p", "better/equal/worse"]
    caption = (
        f"By {TEST_WORDS[comparison.test]}, correction {comparison.correction}; intervals are each for its pair alone."
    )
    return html_table(caption, head, cells)


def _tests(runs: TwoRuns) -> str:
    rows = []
    for test in TESTS:
        one = runs.comparison if test == runs.comparison.test else runs.others.get(test)
        name = escape(TEST_WORDS[test]) + (" (decides)" if test == runs.comparison.test else "")
        p = shown_p(one.pairs[0].p) if one else "–"
        draws = "exact" if one and one.exact else f"{one.n_draws} draws" if one and one.n_draws else "its formula"
        rows.append([name, p, escape(runs.refused.get(test, draws))])
    return html_table("Paired tests, two-sided, each for this pair alone.", ["Test", "p", "Rests on"], rows)


def _effects(comparison: Comparison) -> str:
    rows = [
        [
            size.name,
            *([escape(size.note), ""] if size.note else [f"{size.value:.3f}", f"{size.low:.3f} to {size.high:.3f}"]),
        ]
        for size in comparison.pairs[0].effects
    ]
    return html_table("Effect sizes: the difference in standard deviations.", ["Size", "Value", "Interval"], rows)


def _figure(text: str, drawing: str) -> str:
    return f"<figure><figcaption>{text}</figcaption>{drawing}</figure>"
