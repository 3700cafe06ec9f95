"""What a study of sensitivity says, in sentences that say no more than its numbers."""

from collections.abc import Iterator

from evaluation.engine.sensitivity.judge_orders import JudgeOrder
from evaluation.engine.sensitivity.kinds import KIND_WORDS
from evaluation.engine.sensitivity.orders import OrderUnder, PairSwap
from evaluation.engine.sensitivity.shares.share import Share
from evaluation.engine.sensitivity.study import PairShares, Sensitivity

REPLICATION = (
    "A share is no probability that a new study finds the same order: where any difference is as likely beforehand, "
    "a share of .95 means about .88."
)


def verdict(studied: Sensitivity) -> list[str]:
    """Whether the order holds, which pair of runs is shakiest, and whether the best run stays the best."""
    tried = [change for change in studied.changes if change.n_cases]
    swapped = {(swap.ahead, swap.behind) for change in tried for swap in change.swaps}
    runs = f"The order of {len(studied.tags)} runs by {studied.measure}"
    if not tried:
        return [f"{runs} could not be put to any test here."]
    if not swapped:
        return [f"{runs} holds: no two runs change places under any of the {len(tried)} kinds of change tried."]
    pairs = f"{len(swapped):,} of {studied.n_pairs:,} pairs of runs change places"
    kinds = f"under at least one of the {len(tried)} kinds of change tried"
    return [f"{runs} does not hold throughout: {pairs} {kinds}.", *_shakiest(tried), _best(studied)]


def refusals(studied: Sensitivity) -> list[tuple[str, list[str]]]:
    """`(why, kinds in words)` of the kinds of change that could not be made."""
    kinds: dict[str, list[str]] = {}
    for change in studied.changes:
        if change.refusal:
            kinds.setdefault(change.refusal, []).append(KIND_WORDS[change.kind])
    return list(kinds.items())


def sentence(change: OrderUnder) -> str:
    """One kind of change, or why it could not be made."""
    words = KIND_WORDS[change.kind][0].upper() + KIND_WORDS[change.kind][1:]
    if change.refusal:
        return f"{words}: not tried: {change.refusal}."
    if not change.n_cases:
        return f"{words}: there is no other to try."
    order = f"the order holds in {change.n_held} of {change.n_cases}"
    spread = change.quantiles(change.tau_b)
    tau = f"; τ-b {_number(spread[0])} to {_number(spread[2])}, median {_number(spread[1])}" if spread else ""
    most = f"; most often {_swap(change.swaps[0], change)}" if change.swaps else ""
    return f"{words}: {order}{tau}{most}."


def share_sentence(pair: PairShares) -> str:
    """The three shares of two runs."""
    drawn = (("topics", pair.topics), ("judgments", pair.judgments), ("both", pair.both))
    shares = [f"{share.text} of draws of {words}" for words, share in drawn if share.share is not None]
    words = f"{pair.first} beats {pair.second} in {', '.join(shares)}." if shares else f"{pair.first}, {pair.second}:"
    return " ".join([words, *_refusals(drawn)])


def judge_sentence(order: JudgeOrder, n_pairs: int, *, most: int = 0) -> str:
    """What a judge makes of the order as it stands; up to `most` pairs of runs that change places by name."""
    if order.tau_b is None or order.tau_ap is None:
        return f"{order.judge}: all runs are equal in one of the two orders."
    n, named = len(order.swaps), "; ".join(f"{ahead} and {behind}" for ahead, behind in order.swaps[:most])
    rest = " …" if named and n > most else ""
    places = f"{n:,} of {n_pairs:,} pairs of runs change places{': ' * bool(named)}{named}{rest}"
    return f"{order.judge}: τ-b {_number(order.tau_b)}, τ-AP,b {_number(order.tau_ap)}; {places}."


def _refusals(drawn: tuple[tuple[str, Share], ...]) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for words, share in drawn:
        if share.refusal:
            reasons.setdefault(share.refusal, []).append(words)
    for reason, several in reasons.items():
        yield f"No share of {' and '.join(several)}: {reason}."


def _shakiest(tried: list[OrderUnder]) -> Iterator[str]:
    """The pair with the highest share of the cases of some kind that has ten or more, so that one case is not all."""
    many = [change for change in tried if change.n_cases >= 10 and change.swaps] or [one for one in tried if one.swaps]
    change = max(many, key=lambda one: one.swaps[0].n / one.n_cases)
    swap = change.swaps[0]
    often = f"{swap.n} of {change.n_cases} cases of “{KIND_WORDS[change.kind]}”"
    yield f"Shakiest are {swap.ahead} and {swap.behind}: they change places in {often}."


def _best(studied: Sensitivity) -> str:
    best = studied.tags[0]
    rivals = {swap.behind for change in studied.changes for swap in change.swaps if swap.ahead == best}
    if not rivals:
        return f"{best}, the best, stays ahead of every other run throughout."
    return f"{best}, the best, falls behind {_listed(sorted(rivals))} under some change."


def _swap(swap: PairSwap, change: OrderUnder) -> str:
    return f"{swap.ahead} and {swap.behind}, which change places in {swap.n} of {change.n_cases}"


def _listed(tags: list[str], most: int = 3) -> str:
    more = f" and {len(tags) - most} more" if len(tags) > most else ""
    return ", ".join(tags[:most]) + more


def _number(value: float | None) -> str:
    text = f"{value or 0.0:.2f}"
    return text.replace("-", "−")
