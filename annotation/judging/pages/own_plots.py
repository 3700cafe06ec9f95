"""What people see of their own work, drawn."""

from annotation.judging.read.own_results import OwnResults, Verdict
from annotation.judging.read.own_work import OwnWork
from annotation.kernel.plots.bars import Bar, BarPlot, named_bar_plot
from annotation.text.counted import counted


def hours_plot(work: OwnWork) -> BarPlot | None:
    """Hours at the page by day, the earlier first; None without any."""
    days = [(f"{each.day:%-d %b}", each.done) for each in reversed(work.days)]
    bars = [
        Bar(done.active_hours, f"{day}: {done.active_hours:.2f} hours, {counted(done.n, 'judgment')}", day)
        for day, done in days
    ]
    return named_bar_plot(bars) if bars else None


def verdicts_plot(results: OwnResults) -> BarPlot:
    """Pairs by how far the grade is from the nearest accepted one."""
    shown = [
        (each.value.capitalize(), results.counts[each]) for each in (Verdict.RIGHT, Verdict.ONE_OFF, Verdict.FAR_OFF)
    ]
    return named_bar_plot([Bar(n, f"{name}: {counted(n, 'pair')}", name) for name, n in shown])
