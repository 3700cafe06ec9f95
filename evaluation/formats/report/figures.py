"""The plots of a report as files for papers, each as SVG and PNG."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from annotation.text.watch import Watch
from evaluation.formats.names import safe_name
from evaluation.formats.plots import Estimate, plot_differences, plot_means, plot_panels, plot_topics
from evaluation.formats.report import drawings
from evaluation.formats.report.contents import Contents
from evaluation.formats.report.page import means_by_run
from evaluation.formats.report.question import Question

ENDINGS = ("svg", "png")
VS_K = "metrics_vs_k"


def write_figures(question: Question, contents: Contents, folder: Path, watch: Watch) -> list[Path]:
    """The files, in a folder that is there."""
    paths = list[Path]()
    for ending in ENDINGS:
        for path in _written(question, contents, folder, ending):
            paths.append(path)
            watch(0, 0, f"drawing: {path.name}")
    return sorted(paths)


def _written(question: Question, contents: Contents, folder: Path, ending: str) -> Iterator[Path]:
    confidence = question.design.confidence
    for column, measure in enumerate(question.measures):
        path = folder / f"means_{safe_name(str(measure))}.{ending}"
        means = _estimates(means_by_run(contents.evaluations, column, confidence))
        plot_means(means, measure=str(measure), path=path, confidence=confidence, summary=measure.summary)
        yield path
    if contents.by_cutoff:
        families = {
            name: {one.tag: [*map(Estimate, one.mean.tolist())] for one in evaluations}
            for name, (_, evaluations) in contents.by_cutoff.items()
        }
        best = [row.name for row in means_by_run(contents.evaluations, 0, confidence)]
        plot_panels(families, question.cutoffs, best=best, path=folder / f"{VS_K}.{ending}")
        yield folder / f"{VS_K}.{ending}"
    for comparison in contents.pairs:
        name = safe_name(comparison.measure)
        differences = {
            f"{pair.first} − {pair.second}": Estimate(pair.interval.mean, pair.interval.low, pair.interval.high)
            for pair in comparison.pairs
        }
        path = folder / f"differences_{name}.{ending}"
        plot_differences(differences, measure=comparison.measure, path=path, confidence=confidence)
        yield path
    for runs in contents.two:
        pair, path = runs.pair, folder / f"topics_{safe_name(runs.comparison.measure)}.{ending}"
        title = f"{pair.first} − {pair.second}, {runs.comparison.measure}"
        plot_topics(pair.difference, runs.comparison.numbers, title=title, path=path)
        yield path


def _estimates(rows: Sequence[drawings.Estimate]) -> dict[str, Estimate]:
    return {
        row.name: Estimate(row.value) if row.low is None or row.high is None else Estimate(row.value, row.low, row.high)
        for row in rows
    }
