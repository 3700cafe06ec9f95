"""Lists, alarms and drift described: what the order of a run does not show."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias, Unpack

from touchstone.client.jobs import Job, last_part
from touchstone.client.parts import Part
from touchstone.client.schema.beyond import (
    AlarmEntriesRequest,
    AskedDescription,
    Description,
    DescriptionLine,
    DriftEntriesRequest,
    InterleavedListsQuery,
    InterleavingEntriesRequest,
    InterleavingPowerEntriesRequest,
    RecommendationEntriesRequest,
)
from touchstone.client.wire import Wire

PathLike: TypeAlias = str | os.PathLike[str]


class DescriptionWork(Job):
    """A job that describes; `key` names what it makes."""

    def __init__(self, wire: Wire, token: str, descriptions: "Descriptions", key: str) -> None:
        super().__init__(wire, token)
        self._descriptions, self.key = descriptions, key

    def description(self) -> Description:
        """Wait for the end, and read it; JobError says what is wrong with a file."""
        self.wait()
        return self._descriptions.read(self.key)


class Descriptions(Part):
    """At the address of the collection: what is described has addresses of its own. Files by their paths."""

    def all(self) -> Iterator[DescriptionLine]:
        return self._pages(DescriptionLine, "descriptions")

    def read(self, key: str) -> Description:
        """One, with `figures` as the command has them with `--json`."""
        return self._get(Description, "descriptions", key)

    def recommendations(
        self,
        *,
        run_file: PathLike | None = None,
        items: PathLike | None = None,
        truth: PathLike | None = None,
        history: PathLike | None = None,
        asked_file: PathLike | None = None,
        **entries: Unpack[RecommendationEntriesRequest],
    ) -> DescriptionWork:
        """Lists of a run with the items they chose from, or a query log alone (`asked_file`)."""
        files = {"run_file": run_file, "items": items, "truth": truth, "history": history, "asked_file": asked_file}
        return self._asked("recommendations", files, entries)

    def alarms(
        self,
        *,
        scores: PathLike | None = None,
        anomalies: PathLike | None = None,
        **entries: Unpack[AlarmEntriesRequest],
    ) -> DescriptionWork:
        """Alarms of scores, or of a run or vectors with the anomalies among their items."""
        return self._asked("alarm-scores", {"scores": scores, "anomalies": anomalies}, entries)

    def drift(
        self,
        *,
        reference_file: PathLike | None = None,
        window_file: PathLike | None = None,
        **entries: Unpack[DriftEntriesRequest],
    ) -> DescriptionWork:
        """A window beside a reference: vectors, scores of runs, or files with a column of scores."""
        return self._asked("drift", {"reference_file": reference_file, "window_file": window_file}, entries)

    def save_interleaved_lists(self, path: PathLike, **query: Unpack[InterleavedListsQuery]) -> Path:
        """Lists of `runs`, two or more, as JSONL: to be shown, and credited by `interleaving`."""
        return self._save(path, "interleaved-lists", query=query)

    def interleaving(
        self,
        *,
        lists: PathLike | None = None,
        log: PathLike | None = None,
        **entries: Unpack[InterleavingEntriesRequest],
    ) -> DescriptionWork:
        """Clicks of a log on lists, credited to their rankers."""
        return self._asked("interleaving", {"lists": lists, "log": log}, entries)

    def interleaving_power(self, **entries: Unpack[InterleavingPowerEntriesRequest]) -> DescriptionWork:
        """How many impressions show which of two runs users prefer, beside an A/B test."""
        return self._asked("interleaving-power", {}, entries)

    def delete(self, key: str) -> None:
        """It can be asked again."""
        self._do("descriptions", key, method="DELETE")

    def _asked(self, where: str, files: Mapping[str, PathLike | None], entries: Mapping[str, Any]) -> DescriptionWork:
        named = {name: path for name, path in files.items() if path is not None}
        answer = self._send(AskedDescription, named, entries, where)
        return DescriptionWork(self._wire, last_part(answer["job_url"]), self, answer["key"])
