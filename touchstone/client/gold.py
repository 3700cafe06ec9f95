"""Pairs whose grade is known, what people object to, and the rounds that people pass before their first card."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.gold import Gold
from touchstone.client.schema.qualifications import (
    GoldPairRequest,
    PatchedRoundEntriesRequest,
    PatchedTaughtEntriesRequest,
    RoundEntriesRequest,
    RoundPairEntriesRequest,
    RoundRow,
    StepEnum,
    WholeRound,
)
from touchstone.client.schema.review import (
    AnswerRequest,
    Changed,
    Effect,
    GoldEntriesRequest,
    GoldQrelsEntriesRequest,
    GoldWithdrawalEntriesRequest,
    Objection,
    Taken,
    WholeObjection,
)


class GoldPart(Part):
    def all(self) -> Iterator[Gold]:
        return self._pages(Gold)

    def would_set(self, **entries: Unpack[GoldEntriesRequest]) -> Effect:
        """Whom `set` would touch; its `seen` confirms that."""
        return self._post(Effect, "set", body={"dry_run": True, **entries})

    def set(self, **entries: Unpack[GoldEntriesRequest]) -> Changed:
        """Make a pair gold, or correct it: a conflict where that touches people and `seen` does not say so."""
        return self._post(Changed, "set", body={"dry_run": False, **entries})

    def would_withdraw(self, **entries: Unpack[GoldWithdrawalEntriesRequest]) -> Effect:
        return self._post(Effect, "withdraw", body={"dry_run": True, **entries})

    def withdraw(self, **entries: Unpack[GoldWithdrawalEntriesRequest]) -> Changed:
        """Make it gold no more, in the same way."""
        return self._post(Changed, "withdraw", body={"dry_run": False, **entries})

    def take_qrels(self, **entries: Unpack[GoldQrelsEntriesRequest]) -> Taken:
        """Imported qrels as gold."""
        return self._post(Taken, "qrels", body=entries)


class Objections(Part):
    """What annotators object to of the gold they were told."""

    def all(self) -> Iterator[Objection]:
        """The open ones first."""
        return self._pages(Objection)

    def read(self, objection: str) -> WholeObjection:
        return self._get(WholeObjection, objection)

    def answer(self, objection: str, **entries: Unpack[AnswerRequest]) -> WholeObjection | Effect:
        """Without `seen`, a decision that changes gold only says whom it would touch (an Effect); send its `seen`."""
        return self._post(WholeObjection, objection, body=entries)


class Qualifications(Part):
    """Rounds. Each deed answers the round as it is then."""

    def all(self) -> Iterator[RoundRow]:
        return self._pages(RoundRow)

    def read(self, qualification: str) -> WholeRound:
        """One, with its pairs and how people fared."""
        return self._get(WholeRound, qualification)

    def make(self, **entries: Unpack[RoundEntriesRequest]) -> WholeRound:
        """A draft."""
        return self._post(WholeRound, body=entries)

    def change(self, qualification: str, **entries: Unpack[PatchedRoundEntriesRequest]) -> WholeRound:
        return self._patch(WholeRound, qualification, body=entries)

    def delete(self, qualification: str) -> None:
        self._do(qualification, method="DELETE")

    def open(self, qualification: str) -> WholeRound:
        """Let people begin: its pairs stand still from now on."""
        return self._post(WholeRound, qualification, "open")

    def close(self, qualification: str) -> WholeRound:
        return self._post(WholeRound, qualification, "close")

    def redraft(self, qualification: str) -> WholeRound:
        """A draft again, unless somebody has begun."""
        return self._post(WholeRound, qualification, "redraft")

    def add_pair(self, qualification: str, **entries: Unpack[RoundPairEntriesRequest]) -> WholeRound:
        return self._post(WholeRound, qualification, "pairs", body=entries)

    def add_gold(self, qualification: str, *, pairs: list[GoldPairRequest]) -> WholeRound:
        """Pairs, as they are known in the gold."""
        return self._post(WholeRound, qualification, "pairs", "gold", body={"pairs": pairs})

    def change_pair(self, qualification: str, item: str, **entries: Unpack[PatchedTaughtEntriesRequest]) -> WholeRound:
        return self._patch(WholeRound, qualification, "pairs", item, body=entries)

    def move_pair(self, qualification: str, item: str, *, step: StepEnum) -> WholeRound:
        return self._post(WholeRound, qualification, "pairs", item, "move", body={"step": step})

    def remove_pair(self, qualification: str, item: str) -> WholeRound:
        return self._delete(WholeRound, qualification, "pairs", item)
