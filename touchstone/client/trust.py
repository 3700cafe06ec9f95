"""Whom to believe: annotators, policies, pausing, the watch, alerts, the last word on a pair."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.parts import Part
from touchstone.client.schema.health import Alert, AlertSettings, AlertsQuery, PatchedAlertSettingsRequest
from touchstone.client.schema.review import (
    BlindRequest,
    ContestedNextQuery,
    ContestedPairQuery,
    ContestedQuery,
    DecisionRequest,
    Decisions,
    PairRequest,
    ReadPair,
    SendRequest,
    Sent,
    Waiting,
    WithdrawalRequest,
)
from touchstone.client.schema.trust import (
    Annotator,
    AnnotatorsQuery,
    ByRuleRequest,
    Comparison,
    KindRequest,
    NewPolicyRequest,
    PatchedChangedRulesRequest,
    PatchedChangedWatchRequest,
    Paused,
    PauseRequest,
    Pausing,
    PoliciesCompareQuery,
    Policy,
    Standing,
    WatchInForce,
)


class Annotators(Part):
    def all(self, **query: Unpack[AnnotatorsQuery]) -> Iterator[Annotator]:
        """As a policy sees them."""
        return self._pages(Annotator, query=query)

    def exclude(self, pseudonym: str, **entries: Unpack[ByRuleRequest]) -> Standing:
        """Out of the count."""
        return self._post(Standing, pseudonym, "exclude", body=entries)

    def reinstate(self, pseudonym: str, *, reason: str) -> Standing:
        return self._post(Standing, pseudonym, "reinstate", body={"reason": reason})

    def set_kind(self, pseudonym: str, **entries: Unpack[KindRequest]) -> Standing:
        """A machine judge, or a person after all."""
        return self._post(Standing, pseudonym, "kind", body=entries)

    def pause(self, pseudonym: str, **entries: Unpack[PauseRequest]) -> Paused:
        """No new cards; `told` is what they read."""
        return self._post(Paused, pseudonym, "pause", body=entries)

    def resume(self, pseudonym: str, *, reason: str) -> Paused:
        return self._post(Paused, pseudonym, "resume", body={"reason": reason})


class Policies(Part):
    def all(self) -> Iterator[Policy]:
        return self._pages(Policy)

    def make(self, **entries: Unpack[NewPolicyRequest]) -> Policy:
        """A new version where the name is here with other `parameters`; those left out are the default policy's."""
        return self._post(Policy, body=entries)

    def compare(self, **query: Unpack[PoliciesCompareQuery]) -> Comparison:
        """Policies, and rules by themselves, on the same judgments."""
        return self._get(Comparison, "compare", query=query)


class PausingPart(Part):
    def read(self) -> Pausing:
        """Who gets no cards, whom the rules would pause, and the rules."""
        return self._get(Pausing)

    def change(self, **entries: Unpack[PatchedChangedRulesRequest]) -> Pausing:
        return self._patch(Pausing, body=entries)


class Watch(Part):
    """On critical errors."""

    def read(self) -> WatchInForce:
        return self._get(WatchInForce)

    def change(self, **entries: Unpack[PatchedChangedWatchRequest]) -> WatchInForce:
        return self._patch(WatchInForce, body=entries)


class Alerts(Part):
    def all(self, **query: Unpack[AlertsQuery]) -> Iterator[Alert]:
        """Of the batches under way; those set aside, too."""
        return self._pages(Alert, query=query)

    def settings(self) -> AlertSettings:
        """Thresholds, what a judgment costs, the currency."""
        return self._get(AlertSettings, "settings")

    def change_settings(self, **entries: Unpack[PatchedAlertSettingsRequest]) -> AlertSettings:
        return self._patch(AlertSettings, "settings", body=entries)


class Contested(Part):
    """Pairs that wait for the last word."""

    def all(self, **query: Unpack[ContestedQuery]) -> Iterator[Waiting]:
        return self._pages(Waiting, query=query)

    def decisions(self) -> Iterator[Decisions]:
        return self._pages(Decisions, "decisions")

    def send(self, **entries: Unpack[SendRequest]) -> Sent:
        """Pairs that shall be decided on, whatever the policy makes of them, with a reason."""
        return self._post(Sent, "send", body=entries)

    def read(self, **query: Unpack[ContestedPairQuery]) -> ReadPair:
        """What people `said` is None until you have graded the pair blind, or looked."""
        return self._get(ReadPair, "pair", query=query)

    def next(self, **query: Unpack[ContestedNextQuery]) -> ReadPair | None:
        """The first that nobody else has is yours for half an hour; None where none waits."""
        return self._post(ReadPair, "next", query=query)

    def open(self, **entries: Unpack[PairRequest]) -> ReadPair:
        """This one is yours for half an hour."""
        return self._post(ReadPair, "pair", "open", body=entries)

    def grade_blind(self, **entries: Unpack[BlindRequest]) -> ReadPair:
        return self._post(ReadPair, "pair", "blind", body=entries)

    def look(self, **entries: Unpack[PairRequest]) -> ReadPair:
        """At what people said, without a grade of your own; the decision is then not blind."""
        return self._post(ReadPair, "pair", "look", body=entries)

    def decide(self, **entries: Unpack[DecisionRequest]) -> ReadPair:
        """`based_on` as the pair says it."""
        return self._post(ReadPair, "pair", "decide", body=entries)

    def leave(self, **entries: Unpack[PairRequest]) -> ReadPair:
        """To others."""
        return self._post(ReadPair, "pair", "leave", body=entries)

    def withdraw(self, **entries: Unpack[WithdrawalRequest]) -> ReadPair:
        """The decision."""
        return self._post(ReadPair, "pair", "withdraw", body=entries)
