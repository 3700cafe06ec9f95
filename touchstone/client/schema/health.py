"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

RuleEnum = Literal["agreement", "accuracy", "racing", "gold", "cannot", "silence", "due"]


class Alert(TypedDict):
    about: str  # A pseudonym, a topic’s number, or empty.
    advice: str
    batch: str
    level: float  # In the rule’s own unit; higher is worse.
    name: str
    note: str  # Of whoever has set it aside.
    rule: RuleEnum
    says: str
    set_aside: bool  # By somebody, and not worse since.


class AlertDeedRequest(TypedDict):
    about: NotRequired[str]
    note: str  # What you found, or what you do about it.
    rule: RuleEnum


class AlertSettings(TypedDict):
    """Shares are parts of 1. What is left out of a change stays as it is."""

    accuracy: NotRequired[float]  # Wrong on gold: right on less than, %: The default policy counts people from 70 % on.
    cannot: NotRequired[float]  # Hard to judge: cards of a topic, from %: That people skipped as not to be judged.
    # Cost of a judgment: Of batches that do not say otherwise. Empty: no costs are shown.
    cost_per_judgment: NotRequired[str | None]
    currency: NotRequired[str]  # As you write it: EUR, $, points.
    early: NotRequired[float]  # Too fast: before the minimum time, from %: Share of a person’s judgments.
    # Gold judgments a person needs: Before that nobody is called wrong; who cannot reach it is named.
    golds: NotRequired[int]
    hasty: NotRequired[float]  # Too fast: far faster than everybody, from %: Share of a person’s judgments.
    pairs: NotRequired[int]
    quiet_hours: NotRequired[float]  # Nobody judges: for hours: In a batch that is open, with work left.


class BatchCost(TypedDict):
    cost_per_judgment: str | None  # null: what the collection says.
    token: str


class BatchDue(TypedDict):
    due: str | None  # The day by which all judgments are wanted, or null.
    token: str


class CostRequest(TypedDict):
    # Cost of a judgment: In the collection’s currency. Empty: what the collection says.
    cost_per_judgment: NotRequired[str | None]


class DueRequest(TypedDict):
    due: NotRequired[str | None]  # Due: The day by which all judgments are wanted. Empty: none.


class PatchedAlertSettingsRequest(TypedDict):
    """Shares are parts of 1. What is left out of a change stays as it is."""

    accuracy: NotRequired[float]  # Wrong on gold: right on less than, %: The default policy counts people from 70 % on.
    cannot: NotRequired[float]  # Hard to judge: cards of a topic, from %: That people skipped as not to be judged.
    # Cost of a judgment: Of batches that do not say otherwise. Empty: no costs are shown.
    cost_per_judgment: NotRequired[str | None]
    currency: NotRequired[str]  # As you write it: EUR, $, points.
    early: NotRequired[float]  # Too fast: before the minimum time, from %: Share of a person’s judgments.
    # Gold judgments a person needs: Before that nobody is called wrong; who cannot reach it is named.
    golds: NotRequired[int]
    hasty: NotRequired[float]  # Too fast: far faster than everybody, from %: Share of a person’s judgments.
    pairs: NotRequired[int]
    quiet_hours: NotRequired[float]  # Nobody judges: for hours: In a batch that is open, with work left.


class AlertsQuery(TypedDict):
    batch: NotRequired[str]  # The token of a batch; all under way if left out.
