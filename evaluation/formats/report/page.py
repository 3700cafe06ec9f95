"""A report as one page of HTML: styles and drawings stand in it, and no script."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from inspect import cleandoc

from annotation.formats.version import VERSION
from evaluation.engine.measures import Measure, is_count
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.value_range import interval_of_mean
from evaluation.formats.report import drawings
from evaluation.formats.report.comparing import Section, comparison_parts, html_table, words
from evaluation.formats.report.contents import JUDGED, Contents
from evaluation.formats.report.question import Inputs, Question, as_line, report_command
from evaluation.formats.report.style import STYLE

UNSAID = {"depth": "all documents of a topic", "max_grade": "the highest of the qrels"}  # options that are None


def report_page(
    question: Question,
    contents: Contents,
    inputs: Inputs,
    hashes: Mapping[str, str],
    commands: Mapping[str, Sequence[str]],
) -> str:
    """`hashes`: SHA-256 of the files it was made from, by their places; `commands`: what makes each table anew."""
    parts = [*_of_evaluation(question, contents)] if question.kind == "evaluation" else []
    parts += [*comparison_parts(question, contents), *_cutoffs(question, contents)]
    parts += [_made_from(question, contents, inputs, hashes), _meant(question), *_notes(contents)]
    parts += [_again(question, inputs, commands)]
    by_anchor = {f"part-{number}": part for number, part in enumerate(parts, 1)}
    title = escape(question.title)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    sections = [part.html(anchor) for anchor, part in by_anchor.items()]
    body = "\n".join([_head(question, contents), _contents_list(by_anchor), *sections])
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<title>{title}</title><style>{STYLE}</style></head>\n'
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def _head(question: Question, contents: Contents) -> str:
    first = contents.evaluations[0]
    runs, topics = len(contents.evaluations), len(first.numbers)
    over = "all topics of the qrels" if question.averaging == "complete" else "the topics that a run has"
    counted = f"{runs} run{'s' * (runs != 1)}, {topics} topic{'s' * (topics != 1)}"
    return (
        f"<h1>{escape(question.title)}</h1>\n<p class='muted'>{question.kind.title()} of {counted}, means over "
        f"{over}. Touchstone {VERSION}.</p>"
    )


def _contents_list(by_anchor: Mapping[str, Section]) -> str:
    links = (f'<li><a href="#{anchor}">{escape(part.title)}</a></li>' for anchor, part in by_anchor.items())
    return f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>'


def _of_evaluation(question: Question, contents: Contents) -> Iterator[Section]:
    rows = means_by_run(contents.evaluations, 0, question.design.confidence)
    if contents.many:
        yield Section("In words", words(contents.many[0]), is_open=True)
    first = str(question.measures[0])
    if all(row.low is not None for row in rows):
        caption = f"{first} of each run with its {_percent(question)} interval over topics, each for its run alone: "
        caption += "runs share their topics, so two whose intervals overlap may still be told apart."
    else:
        caption = f"{first} of each run."
    drawing = drawings.intervals(rows, named=f"{first} by run")
    yield Section("Means", f"{_figure(caption, drawing)}{_means_table(question, contents)}", is_open=True)


def means_by_run(evaluations: Sequence[MeasureValues], column: int, confidence: float) -> list[drawings.Estimate]:
    """The best first; equal ones by tag."""
    rows = [drawings.Estimate(one.tag, *_estimate(one, column, confidence)) for one in evaluations]
    return sorted(rows, key=lambda row: (-row.value, row.name))


def _estimate(one: MeasureValues, column: int, confidence: float) -> tuple[float, float | None, float | None]:
    """A mean of two topics or more has an interval; a sum and a geometric mean have none."""
    value, mean = one.value[:, column], float(one.mean[column])
    if len(one.numbers) < 2 or abs(float(value.mean()) - mean) > 1e-9:
        return mean, None, None
    interval = interval_of_mean(value, one.measures[column], confidence=confidence)
    return mean, interval.low, interval.high


def _means_table(question: Question, contents: Contents) -> str:
    """A row a run, the best by the first measure on top; ranks beside it where they were tested."""
    ranks = {run.tag: f"{run.best_rank} to {run.worst_rank}" for many in contents.many for run in many.runs}
    confidence = question.design.confidence
    order = [row.name for row in means_by_run(contents.evaluations, 0, confidence)]
    by_tag = dict(zip((one.tag for one in contents.evaluations), contents.evaluations, strict=True))
    judged = dict(zip(by_tag, contents.judged, strict=True))
    head = ["Run", *map(str, question.measures), *(["Ranks"] if ranks else []), JUDGED, "Missing topics"]
    rows = []
    for tag in order:
        one = by_tag[tag]
        cells = [_cell(one, column, confidence) for column in range(len(question.measures))]
        cells += [ranks[tag]] if ranks else []
        rows.append([escape(tag), *cells, f"{judged[tag]:.4f}", str(len(one.missing))])
    caption = f"Means, with their {_percent(question)} intervals over topics below them"
    caption += f"; ranks are those that the tests leave a run by {question.measures[0]}" if ranks else ""
    return html_table(f"{caption}.", head, rows)


def _percent(question: Question) -> str:
    return f"{100 * question.design.confidence:g} %"


def _cell(one: MeasureValues, column: int, confidence: float) -> str:
    mean, low, high = _estimate(one, column, confidence)
    text = f"{mean:.0f}" if is_count(one.measures[column]) and mean.is_integer() else f"{mean:.4f}"
    return text if low is None else f"{text}<small>{low:.4f} to {high:.4f}</small>"


def _cutoffs(question: Question, contents: Contents) -> Iterator[Section]:
    """What of each measure that has a cutoff the others would say."""
    rows = means_by_run(contents.evaluations, 0, question.design.confidence)
    figures, best = [], [row.name for row in rows][: drawings.NAMED]
    for name, (_, evaluations) in contents.by_cutoff.items():
        values = {one.tag: one.mean.tolist() for one in evaluations}
        drawing = drawings.curves(values, question.cutoffs, best, named=f"{name} by cutoff")
        figures.append(
            _figure(
                f"{escape(name)}@k by the cutoff k, a line a run; the best by {question.measures[0]} named.", drawing
            )
        )
    if figures:
        yield Section("By cutoff", "".join(figures))


def _figure(text: str, drawing: str) -> str:
    return f"<figure><figcaption>{text}</figcaption>{drawing}</figure>"


def _made_from(question: Question, contents: Contents, inputs: Inputs, hashes: Mapping[str, str]) -> Section:
    tags = {path: one.tag for path, one in zip(inputs.runs, contents.evaluations, strict=True)}
    rows = [
        [escape(path), escape(tags.get(path, "qrels" if path == inputs.qrels else "facts")), f"<code>{sha}</code>"]
        for path, sha in hashes.items()
    ]
    parts = [html_table("Files of this report’s folder.", ["File", "What", "SHA-256"], rows, numbers=False)]
    if inputs.facts:
        facts = (f"<dt>{escape(name)}</dt><dd>{_fact(value)}</dd>" for name, value in inputs.facts.items())
        parts.append(f"<h3>The qrels</h3><dl>{''.join(facts)}</dl>")
    options = question.options
    read = {"averaging": question.averaging, **UNSAID, **{k: v for k, v in vars(options).items() if v is not None}}
    pairs = (
        f"<dt>{escape(name.replace('_', ' '))}</dt><dd>{escape(_in_words(value))}</dd>" for name, value in read.items()
    )
    parts.append(f"<h3>How runs were read</h3><dl>{''.join(pairs)}</dl>")
    return Section("Made from", "".join(parts))


def _fact(value: object) -> str:
    if isinstance(value, str | int | float):
        return escape(_in_words(value))
    if isinstance(value, Mapping) and all(isinstance(each, str) for each in value.values()):
        return escape(", ".join(f"{name} {each}" for name, each in value.items()))
    return f"<code>{escape(json.dumps(value, ensure_ascii=False))}</code>"


def _in_words(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _meant(question: Question) -> Section:
    return Section("Measures", f'<dl class="meant">{"".join(map(_definition, question.measures))}</dl>')


def definition_of(measure: Measure) -> str:
    """In words and formulas, with the paper."""
    return cleandoc(type(measure).__doc__ or "")


def _definition(measure: Measure) -> str:
    paragraphs = definition_of(measure).split("\n\n")
    text = "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return f"<dt>{escape(str(measure))}</dt><dd>{marked}</dd>"


def _notes(contents: Contents) -> Iterator[Section]:
    if contents.notes:
        items = "".join(f"<li>{escape(note)}</li>" for note in contents.notes)
        yield Section("To know beside the figures", f"<ul>{items}</ul>")


def _again(question: Question, inputs: Inputs, commands: Mapping[str, Sequence[str]]) -> Section:
    """The very commands, to be run inside the folder."""
    whole = escape(as_line(report_command(question, inputs)))
    each = "".join(
        f"<p class='muted'>{escape(file)}</p><pre>{escape(as_line(line))}</pre>"
        for file, line in commands.items()
        if file.endswith(".csv")
    )
    return Section(
        "To make it anew",
        f"<p>Run inside the folder of this report, with Touchstone {VERSION}; in a checkout "
        f"<code>python manage.py</code> stands for <code>touchstone</code>. It writes an equal report, and "
        f"<code>manifest.json</code> has the SHA-256 of every file to compare.</p><pre>{whole}</pre>"
        f"<p>The tables alone, with <code>--format json</code> or <code>latex</code> as those:</p>{each}",
    )
