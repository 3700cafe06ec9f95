"""The rule of a batch whose pairs get as many judgments as they need: from how many on, to how many, and how sure."""

from dataclasses import dataclass

from annotation.quality.consolidation import POSTERIOR, RULE_WORDS
from annotation.quality.policy import Policy
from annotation.quality.settings import SettingError

MOST = 15


@dataclass(frozen=True)
class OverlapRule:
    """A pair has `first` judgments, then one more at a time up to `maximum`, as long as the calibrated probability that
    its grade is right lies below `target`. Raises `SettingError`."""

    first: int
    maximum: int
    target: float

    def __post_init__(self) -> None:
        if not 1 <= self.first < self.maximum <= MOST:
            reason = f"The largest number must be above the {self.first} that every pair gets, and at most {MOST}."
            raise SettingError("maximum", reason)
        if not 0.5 <= self.target < 1:
            raise SettingError("target", "The probability to reach must lie between 0.5 and below 1.")

    @property
    def numbers(self) -> range:
        """The numbers of judgments that a pair can stop at."""
        return range(self.first, self.maximum + 1)


def why_not(policy: Policy, *, maximum: int) -> str:
    """Why a policy cannot steer how many judgments a pair gets; empty if it can."""
    if policy.consolidation not in POSTERIOR:
        listed = "; ".join(RULE_WORDS[name] for name in POSTERIOR)
        return f"This policy gives no probability of a grade to steer by. Those that do: {listed}."
    if policy.max_range is not None:
        return (
            f"This policy drops pairs whose grades are more than {policy.max_range} apart: the more judgments a pair "
            "gets, the likelier it is dropped, so that asking for more deletes pairs. Use one without such a limit."
        )
    if policy.min_judgments > maximum:
        return f"This policy wants {policy.min_judgments} judgments of every pair, more than the largest number."
    return ""
