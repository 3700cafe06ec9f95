"""Judging itself, and what one sees of one's own work."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.judging import (
    AheadRequest,
    CardDocument,
    Desk,
    GivenAnswer,
    GradedCardRequest,
    InformationToRead,
    JudgingChoices,
    JudgingDocumentQuery,
    JudgingGuidelineQuery,
    LaterCardRequest,
    MarkedWordsRequest,
    OwnBatch,
    OwnRound,
    PatchedChangedJudgingChoicesRequest,
    Recent,
    ReleasedCardRequest,
    ShownGuideline,
    SkippedCardRequest,
    UndoneCardRequest,
    WholeDesk,
)
from touchstone.client.schema.work import OwnResult, OwnWork, ResultsRead, WholeOwnResult, WorkQuery


class Judging(Part):
    def all(self) -> Iterator[OwnBatch]:
        """The batches in which you may judge."""
        return self._pages(OwnBatch)


class Choices(Part):
    """Your keys, and what you read first."""

    def read(self) -> JudgingChoices:
        return self._get(JudgingChoices)

    def change(self, **entries: Unpack[PatchedChangedJudgingChoicesRequest]) -> JudgingChoices:
        return self._patch(JudgingChoices, body=entries)


class OwnDesk(Part):
    """Yours in one batch. Send every deed as often as the network wants: a card takes one grade."""

    def read(self) -> WholeDesk:
        """What lies before you: a card, or why there is none. It claims nothing."""
        return self._get(WholeDesk)

    def next(self, **entries: Unpack[AheadRequest]) -> Desk:
        """The next card; `ahead` fetches so many after it, too."""
        return self._post(Desk, "next", body=entries)

    def grade(self, **entries: Unpack[GradedCardRequest]) -> Desk:
        """Grade the card of this `token`, and get the next."""
        return self._post(Desk, "grade", body=entries)

    def skip(self, **entries: Unpack[SkippedCardRequest]) -> Desk:
        """Give it back for good."""
        return self._post(Desk, "skip", body=entries)

    def later(self, **entries: Unpack[LaterCardRequest]) -> Desk:
        """To the end of its topic."""
        return self._post(Desk, "later", body=entries)

    def undo(self, **entries: Unpack[UndoneCardRequest]) -> Desk:
        """Open the last card again, or the one of a `token`."""
        return self._post(Desk, "undo", body=entries)

    def keep(self) -> Desk:
        """Leave it as it was."""
        return self._post(Desk, "keep")

    def heartbeat(self, *, token: str) -> None:
        """Go on holding your cards; ApiError `gone` when this one has gone to someone else."""
        self._do("heartbeat", body={"token": token})

    def release(self, **entries: Unpack[ReleasedCardRequest]) -> None:
        """Give back what was fetched ahead and never shown: of a `token`, or of several with commas between."""
        self._do("release", body=entries)

    def recent(self) -> Iterator[Recent]:
        return self._pages(Recent, "recent")

    def document(self, **query: Unpack[JudgingDocumentQuery]) -> CardDocument:
        """Of a card; with `view="whole"` all of it."""
        return self._get(CardDocument, "document", query=query)

    def mark_words(self, **entries: Unpack[MarkedWordsRequest]) -> CardDocument:
        """Your own, in the documents of a card's topic."""
        return self._post(CardDocument, "terms", body=entries)

    def information(self) -> InformationToRead:
        """The text to agree to before the first card."""
        return self._get(InformationToRead, "information")

    def consent(self, *, number: int) -> Desk:
        """To the version of this number."""
        return self._post(Desk, "consent", body={"number": number})

    def decline(self) -> None:
        self._do("decline")

    def guideline(self, **query: Unpack[JudgingGuidelineQuery]) -> ShownGuideline:
        """Of a card, or the one in force with what changed."""
        return self._get(ShownGuideline, "guideline", query=query)

    def acknowledge(self, *, number: int) -> Desk:
        """The guideline of this number; the next card comes."""
        return self._post(Desk, "acknowledge", body={"number": number})

    def qualification(self) -> OwnRound:
        """The next pair of the round, or how it went."""
        return self._get(OwnRound, "qualification")

    def begin_qualification(self) -> OwnRound:
        return self._post(OwnRound, "qualification", "begin")

    def answer_pair(self, item: str, *, grade: int) -> GivenAnswer:
        return self._post(GivenAnswer, "qualification", "pairs", item, body={"grade": grade})

    def answered_pair(self, item: str) -> GivenAnswer:
        """What is right of it, and why."""
        return self._get(GivenAnswer, "qualification", "pairs", item)


class Work(Part):
    """Your own."""

    def read(self) -> OwnWork:
        """By batch, day and session."""
        return self._get(OwnWork)

    def results(self, batch: str, **query: Unpack[WorkQuery]) -> Iterator[OwnResult]:
        """How your grades compare with known ones, as far as you were told."""
        return self._pages(OwnResult, batch, query=query)

    def mark_read(self, batch: str) -> ResultsRead:
        return self._post(ResultsRead, batch, "read")

    def result(self, batch: str, result: str) -> WholeOwnResult:
        """One, with its texts."""
        return self._get(WholeOwnResult, batch, "results", result)

    def object_to(self, batch: str, result: str, *, reason: str) -> WholeOwnResult:
        return self._post(WholeOwnResult, batch, "results", result, "object", body={"reason": reason})
