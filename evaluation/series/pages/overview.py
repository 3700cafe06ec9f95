"""A series as a whole: how it stands, in words and drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.models import Series, SeriesAlert, SeriesNote, SeriesPoint
from evaluation.series.pages.plot import Drawn, SeriesPlot, series_plot
from evaluation.series.pages.words import state_of, words_of
from evaluation.series.read.changes import Changes, changes_between
from evaluation.series.read.series import Standing, alerts_of, all_points, standing_of

MOST_DRAWN = 400


@dataclass(frozen=True, eq=False)
class Overview:
    """`alert` is the open one; `points` are all, those that were missed among them."""

    standing: Standing
    points: Sequence[SeriesPoint]
    alerts: Sequence[SeriesAlert]
    notes: Sequence[SeriesNote]
    changes: Changes

    @property
    def series(self) -> Series:
        return self.standing.series

    @property
    def alert(self) -> SeriesAlert | None:
        return next((alert for alert in self.alerts if alert.closed_at is None), None)

    @property
    def state(self) -> str:
        return state_of(self.standing, self.alert)

    @property
    def words(self) -> list[str]:
        return words_of(self.standing, self.alert)

    @property
    def last(self) -> SeriesPoint | None:
        return next((point for point in reversed(self.points) if point.value is not None), None)

    @property
    def n_points(self) -> int:
        return sum(point.value is not None for point in self.points)

    @property
    def n_missed(self) -> int:
        return sum(point.n_missed for point in self.points)

    @property
    def plot(self) -> SeriesPlot | None:
        """Of the newest points."""
        points = self.points[-MOST_DRAWN:]
        if not points:
            return None
        begin = points[0].time
        return series_plot(
            Drawn(
                standing=self.standing,
                points=points,
                alerts=[alert for alert in self.alerts if (alert.until or points[-1].time) >= begin],
                notes=[note for note in self.notes if note.time >= begin],
                changes=[change for change in self.changes.each if change.first >= begin],
            )
        )

    @property
    def n_undrawn(self) -> int:
        return max(0, len(self.points) - MOST_DRAWN)


def overview_of(series: Series, *, with_changes: bool = True) -> Overview:
    """Five queries, six with what else changed."""
    points = list(all_points(series))
    has_span = with_changes and points
    return Overview(
        standing=standing_of(series),
        points=points,
        alerts=list(alerts_of(series)),
        notes=list(series.notes.select_related("created_by")),
        changes=changes_between(series.collection, points[0].time, points[-1].time) if has_span else Changes([]),
    )
