"""Files and whole collections on their way in and out."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Unpack

from touchstone.client.jobs import ArrivalWork, ImportWork, Job, job_of, last_part
from touchstone.client.parts import Part
from touchstone.client.schema.exchange import (
    AnswersRequest,
    Arrival,
    BroughtRequest,
    ConfirmedRequest,
    Import,
    ImportLine,
    JudgmentFormRequest,
    JudgmentsQuery,
    NewlyBrought,
    Packed,
    Problem,
    PublishedRequest,
)
from touchstone.client.uploads import File


class Imports(Part):
    def all(self) -> Iterator[ImportLine]:
        return self._pages(ImportLine)

    def read(self, number: int) -> Import:
        """How one stands: `state`, what it is read as, what would be stored, its first 10,000 problems."""
        return self._get(Import, number)

    def problems(self, number: int) -> Iterator[Problem]:
        return self._pages(Problem, number, "problems")

    def bring(
        self,
        file: File,
        *,
        filename: str | None = None,
        ids: str | os.PathLike[str] | None = None,
        **entries: Unpack[BroughtRequest],
    ) -> ImportWork:
        """Send a path or an open file. `wait` for what would be stored, then `publish` it.

        With `publish` and a `format`, what has no problem is stored at once; gold that corrects gold is `checked` even
        then. `ids`: the file of ids of vectors that come without.
        """
        return self._work(self._upload(Import, file, filename, entries, beside={} if ids is None else {"ids": ids}))

    def check(self, number: int, **entries: Unpack[AnswersRequest]) -> ImportWork:
        """Check the kept file anew, read otherwise."""
        return self._work(self._post(Import, number, "check", body=entries))

    def publish(self, number: int, **entries: Unpack[ConfirmedRequest]) -> ImportWork:
        """Store what was checked. `correct`: how many pairs of gold it corrects, where it does."""
        return self._work(self._post(Import, number, "publish", body=entries))

    def cancel(self, number: int) -> Import:
        return self._post(Import, number, "cancel")

    def _work(self, answer: Import) -> ImportWork:
        return ImportWork(self._wire, self._at(answer["id"]), answer["id"])


class Judgments(Part):
    """Every judgment, as a file."""

    def save(self, path: str | os.PathLike[str], **query: Unpack[JudgmentsQuery]) -> Path:
        return self._save(path, query=query)

    def save_named(self, path: str | os.PathLike[str], **entries: Unpack[JudgmentFormRequest]) -> Path:
        """With the account beside each pseudonym; the record notes who took them."""
        return self._save(path, "named", method="POST", body=entries)


class Bundles(Part):
    """The whole collection as one file."""

    def pack(self) -> Job:
        """Wait for it, and `save` the bundle by the job's token within a day."""
        return job_of(self._wire, self._post(Packed))

    def save(self, path: str | os.PathLike[str], *, token: str) -> Path:
        return self._save(path, token)


class Arrivals(Part):
    """Whole collections on their way in."""

    def bring(self, file: File, *, slug: str, grades: str = "", filename: str | None = None) -> ArrivalWork:
        """A bundle, or a BEIR folder packed as zip or tar: looked through first; `wait`, then `publish`."""
        entries = {"slug": slug, "grades": grades, "publish": False}
        answer = self._upload(NewlyBrought, file, filename, entries)
        return self._work(last_part(answer["job_url"]))

    def bring_unseen(self, file: File, *, slug: str, grades: str = "", filename: str | None = None) -> Job:
        """The same, stored at once; JobError says what is wrong with it."""
        entries = {"slug": slug, "grades": grades, "publish": True}
        return job_of(self._wire, self._upload(NewlyBrought, file, filename, entries))

    def read(self, token: str) -> Arrival:
        """How one stands: `state`, `preview`, `problems`."""
        return self._get(Arrival, token)

    def publish(self, token: str, **entries: Unpack[PublishedRequest]) -> ArrivalWork:
        """Bring in what was looked through, under another `slug` where the first is taken by now."""
        self._post(Arrival, token, "publish", body=entries)
        return self._work(token)

    def discard(self, token: str) -> None:
        """Forget what was looked through; nothing is left of it."""
        self._do(token, "discard")

    def _work(self, token: str) -> ArrivalWork:
        return ArrivalWork(self._wire, self._at(token), token)
