"""Lists, alarms and drift described: what the order of a run does not show."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, Unpack

from touchstone.client.jobs import job_of
from touchstone.client.parts import Part
from touchstone.client.schema.beyond import (
    AlarmEntriesRequest,
    AskedDescription,
    Description,
    DescriptionLine,
    DriftEntriesRequest,
    RecommendationEntriesRequest,
)

Files = Mapping[str, str | os.PathLike[str]]  # paths by the names of their fields


class Descriptions(Part):
    """At the address of the collection: what is described has addresses of its own."""

    def all(self) -> Iterator[DescriptionLine]:
        return self._pages(DescriptionLine, "descriptions")

    def read(self, key: str) -> Description:
        """One, with `figures` as the command has them with `--json`."""
        return self._get(Description, "descriptions", key)

    def wait(self, asked: AskedDescription) -> Description:
        """What was asked, once it is described; JobError says what is wrong with a file."""
        job_of(self._wire, asked).wait()
        return self.read(asked["key"])

    def recommendations(
        self, files: Files | None = None, **entries: Unpack[RecommendationEntriesRequest]
    ) -> AskedDescription:
        """Lists of a run, or a query log. Files: `run_file`, `items`, `truth`, `history`, `asked_file`."""
        return self._asked("recommendations", files, entries)

    def alarms(self, files: Files | None = None, **entries: Unpack[AlarmEntriesRequest]) -> AskedDescription:
        """Alarms of the file `scores`, or of a run or vectors with the file `anomalies`."""
        return self._asked("alarm-scores", files, entries)

    def drift(self, files: Files | None = None, **entries: Unpack[DriftEntriesRequest]) -> AskedDescription:
        """A window beside a reference. Files: `reference_file`, `window_file`."""
        return self._asked("drift", files, entries)

    def _asked(self, where: str, files: Files | None, entries: Mapping[str, Any]) -> AskedDescription:
        return self._send(AskedDescription, files or {}, entries, where)
