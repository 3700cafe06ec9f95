"""One verdict on a person with its reasons: what gold, the watch and an exclusion come to together."""

from dataclasses import dataclass

from annotation.quality.policy import Policy as Parameters
from annotation.quality.standing import STANDINGS, Standing
from annotation.text.counted import counted, percent
from annotation.trust.pages.watch import WatchRow

EXCLUDED, DOUBTFUL = "excluded", "doubtful"
_TONES = {
    STANDINGS[Standing.RELIABLE]: "ok",
    STANDINGS[Standing.UNPROVEN]: "warn",
    STANDINGS[Standing.UNRELIABLE]: "bad",
    DOUBTFUL: "warn",
}


@dataclass(frozen=True)
class Measured:
    """What gold says of a person: how many pairs, the share right and its interval; None without gold."""

    n_gold: int
    accuracy: float | None
    low: float
    high: float


@dataclass(frozen=True)
class Verdict:
    """`word`: the standing under the policy; *doubtful* where the watch stopped whom the policy does not call
    unreliable; *excluded* by a decision. `tone` as of a badge."""

    word: str
    reasons: tuple[str, ...]

    @property
    def tone(self) -> str:
        return _TONES.get(self.word, "")


def verdict_on(
    measured: Measured, *, standing: str, believed: bool, excluded_for: str | None, watch: WatchRow, policy: Parameters
) -> Verdict:
    """`excluded_for`: the reason; None where nobody excluded the person."""
    counts = "Their grades count." if believed else "Their grades do not count."
    reasons = [_of_gold(measured, standing, policy), *_of_watch(standing, watch), counts]
    if excluded_for is not None:
        return Verdict(EXCLUDED, (f"Excluded: {excluded_for}", *reasons))
    doubtful = bool(watch.reason) and standing != STANDINGS[Standing.UNRELIABLE]
    return Verdict(DOUBTFUL if doubtful else standing, tuple(reasons))


def _of_gold(measured: Measured, standing: str, policy: Parameters) -> str:
    if measured.accuracy is None:
        return f"Has judged no gold; the policy asks for {counted(max(policy.min_gold, 1), 'pair')}."
    right = (
        f"Right on {percent(measured.accuracy)} of {counted(measured.n_gold, 'gold pair')} "
        f"(95 % interval: {percent(measured.low)} to {percent(measured.high)})"
    )
    if standing == STANDINGS[Standing.UNPROVEN]:
        return f"{right}; too few: the policy asks for {policy.min_gold}."
    return f"{right}; the policy asks for {percent(policy.accuracy_threshold)}."


def _of_watch(standing: str, watch: WatchRow) -> list[str]:
    """What the watch adds. That it has stopped nobody says little of whoever is often wrong by one grade."""
    if not watch.n_gold:
        return []
    far = f"Far off on {watch.n_critical} of {counted(watch.n_gold, 'gold pair')}"
    if watch.reason:
        return [f"{far}: the watch stopped them after {watch.after}."]
    if standing == STANDINGS[Standing.UNRELIABLE] and watch.tone == "ok":
        return [f"{far}: mostly wrong by one grade, which the watch does not look at."]
    return [f"{far}."]
