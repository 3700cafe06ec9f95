"""A series as a whole: how it stands, in words and drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluation.models import Series, SeriesAlert, SeriesNote, SeriesPoint
from evaluation.series.pages.plot import Drawn, SeriesPlot, series_plot
from evaluation.series.pages.words import state_of, words_of
from evaluation.series.read.changes import Changes, changes_between
from evaluation.series.read.series import (
    Counts,
    SeriesCourse,
    alerts_of,
    counts_of,
    course_of,
    last_point,
    newest_points,
)

MOST_DRAWN = 400


@dataclass(frozen=True, eq=False)
class Overview:
    """`alert` is the open one."""

    course: SeriesCourse
    counts: Counts
    alerts: Sequence[SeriesAlert]
    notes: Sequence[SeriesNote]
    changes: Changes

    @property
    def series(self) -> Series:
        return self.course.series

    @property
    def alert(self) -> SeriesAlert | None:
        return next((alert for alert in self.alerts if alert.closed_at is None), None)

    @property
    def state(self) -> str:
        return state_of(self.course, self.alert)

    @property
    def words(self) -> list[str]:
        return words_of(self.course, self.alert)

    @cached_property
    def last(self) -> SeriesPoint | None:
        return last_point(self.series)

    @property
    def n_points(self) -> int:
        return self.counts.n_points

    @property
    def n_missed(self) -> int:
        return self.counts.n_missed

    @property
    def plot(self) -> SeriesPlot | None:
        """Of the newest points, those that were missed among them."""
        points = list(reversed(newest_points(self.series)[:MOST_DRAWN]))
        if not points:
            return None
        begin = points[0].time
        return series_plot(
            Drawn(
                course=self.course,
                points=points,
                alerts=[alert for alert in self.alerts if (alert.until or points[-1].time) >= begin],
                notes=[note for note in self.notes if note.time >= begin],
                changes=[change for change in self.changes.each if change.first >= begin],
            )
        )

    @property
    def n_undrawn(self) -> int:
        return max(0, self.counts.n - MOST_DRAWN)


def overview_of(series: Series, *, with_changes: bool = True) -> Overview:
    """Five queries, six with what else changed; another for `last`, and for `plot`."""
    counts = counts_of(series)
    begin, end = counts.begin, counts.end
    return Overview(
        course=course_of(series),
        counts=counts,
        alerts=list(alerts_of(series)),
        notes=list(series.notes.select_related("created_by")),
        changes=changes_between(series.collection, begin, end) if with_changes and begin and end else Changes([]),
    )
