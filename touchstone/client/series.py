"""Figures watched over time: their points, notes and alerts."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.jobs import Job, job_of
from touchstone.client.parts import Part
from touchstone.client.schema.series import (
    CloseEntriesRequest,
    NoteEntriesRequest,
    PatchedChangedSeriesEntriesRequest,
    PointsEntriesRequest,
    Series,
    SeriesEntriesRequest,
    SeriesJob,
    SeriesPoint,
    SeriesQuery,
    SeriesState,
)


class SeriesPart(Part):
    """Each is addressed by its `id`."""

    def all(self, **query: Unpack[SeriesQuery]) -> Iterator[Series]:
        return self._pages(Series, query=query)

    def begin(self, **entries: Unpack[SeriesEntriesRequest]) -> SeriesState:
        return self._post(SeriesState, body=entries)

    def read(self, series: int) -> SeriesState:
        """How it stands: `state`, `words`, what is usual, alerts and notes."""
        return self._get(SeriesState, series)

    def change(self, series: int, **entries: Unpack[PatchedChangedSeriesEntriesRequest]) -> SeriesState:
        """Another name, rule or schedule; what is left out stays."""
        return self._patch(SeriesState, series, body=entries)

    def points(self, series: int) -> Iterator[SeriesPoint]:
        return self._pages(SeriesPoint, series, "points")

    def add(self, series: int, **entries: Unpack[PointsEntriesRequest]) -> SeriesState:
        """`points` in order of time: all, or none. Those that are there already are left alone."""
        return self._post(SeriesState, series, "points", body=entries)

    def measure(self, series: int) -> Job:
        """Now; where the series measures itself."""
        return job_of(self._wire, self._post(SeriesJob, series, "measurements"))

    def note(self, series: int, **entries: Unpack[NoteEntriesRequest]) -> SeriesState:
        return self._post(SeriesState, series, "notes", body=entries)

    def see(self, series: int) -> SeriesState:
        """You look into the open alert."""
        return self._post(SeriesState, series, "alert", "see")

    def close(self, series: int, **entries: Unpack[CloseEntriesRequest]) -> SeriesState:
        """The open alert, with a note; `anew`: the new level is usual from now on."""
        return self._post(SeriesState, series, "alert", "close", body=entries)

    def end(self, series: int) -> SeriesState:
        return self._post(SeriesState, series, "end")
