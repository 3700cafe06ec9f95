"""What every rule gives: that something goes wrong, about whom or what, how bad it is, and in which words."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Alert:
    """Known by `rule` and `about`: a pseudonym, a topic's number, or what the rule says; empty where it is the batch.

    `level` is in the rule's own unit, higher is worse.
    """

    rule: str
    about: str
    level: float
    text: str


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"
