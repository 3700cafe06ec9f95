"""A study of sensitivity as it is stored and as it goes out: JSON with all of it, CSV, a table to look at."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from evaluation.engine.sensitivity.conclusions import (
    REPLICATION,
    judge_sentence,
    refusals,
    sentence,
    share_sentence,
    verdict,
)
from evaluation.engine.sensitivity.judge_orders import JudgeOrder
from evaluation.engine.sensitivity.orders import OrderUnder, PairSwap
from evaluation.engine.sensitivity.shares.share import Share
from evaluation.engine.sensitivity.study import PairShares, Sensitivity
from evaluation.formats.values import aligned, csv_text

CASES = ("kind", "case", "tau_b", "tau_ap", "n_swaps")
SWAPS = ("kind", "ahead", "behind", "difference", "n", "n_cases")
SHARES = ("first", "second", "difference", "anew", "share", "error", "n_draws", "refusal")
ORDERS = ("judge", "run", "mean", "rank")
MOST_SWAPS = 5  # pairs of runs that the table names of a judge
ANEW = ("topics", "judgments", "both")


def as_object(studied: Sensitivity) -> dict[str, Any]:
    """Plain values, as JSON holds them, with the sentences that a page says."""
    stored: dict[str, Any] = json.loads(json.dumps(asdict(studied), allow_nan=False))
    for change, one in zip(stored["changes"], studied.changes, strict=True):
        change |= {"n_cases": one.n_cases, "n_held": one.n_held, "conclusion": sentence(one)}
    for pair, two in zip(stored["shares"], studied.shares, strict=True):
        pair["conclusion"] = share_sentence(two)
    return {**stored, "rank": list(studied.rank), "conclusion": [*verdict(studied), REPLICATION]}


def of_object(stored: Mapping[str, Any]) -> Sensitivity:
    """What `as_object` was given, value for value."""
    plain = ("measure", "n_topics", "n_judged", "pool_depth", "judgments_anew", "n_draws", "seed", "policy")
    return Sensitivity(
        **{name: stored[name] for name in plain},
        tags=tuple(stored["tags"]),
        mean=tuple(stored["mean"]),
        changes=tuple(map(_change, stored["changes"])),
        shares=tuple(map(_pair, stored["shares"])),
        judges=tuple(map(_judge, stored.get("judges", ()))),  # older results have none
    )


def as_json(studied: Sensitivity) -> str:
    return json.dumps(as_object(studied), ensure_ascii=False, indent=2) + "\n"


def as_csv(studied: Sensitivity) -> str:
    """A row a kind of change and case; drawn cases have numbers from 1."""
    return csv_text(CASES, (row for change in studied.changes for row in _cases(change)))


def as_swaps_csv(studied: Sensitivity) -> str:
    """A row a kind of change and two runs that change places under it."""
    rows = (
        (change.kind, swap.ahead, swap.behind, swap.difference, swap.n, change.n_cases)
        for change in studied.changes
        for swap in change.swaps
    )
    return csv_text(SWAPS, rows)


def as_shares_csv(studied: Sensitivity) -> str:
    """A row two runs and what is drawn anew."""
    return csv_text(SHARES, (row for pair in studied.shares for row in _shares(pair)))


def as_orders_csv(studied: Sensitivity) -> str:
    """A row a judge and run, the best run as it stands first; without a judge as it stands."""
    names = ["", *(one.judge for one in studied.judges)]
    rows = (
        (judge, *row)
        for judge, (mean, rank) in zip(names, _orders(studied), strict=True)
        for row in zip(studied.tags, mean, rank, strict=True)
    )
    return csv_text(ORDERS, rows)


def as_table(studied: Sensitivity) -> str:
    """The verdict, a sentence a kind of change, then the shares of neighbours or of the pairs that were named."""
    tried = [sentence(change) for change in studied.changes if not change.refusal]
    refused = [f"Not tried: {'; '.join(kinds)}: {reason}." for reason, kinds in refusals(studied)]
    facts = f"Pool of depth {studied.pool_depth}, {studied.n_draws} draws, seed {studied.seed}."
    tables = [*_table_of_judges(studied), *_table_of_shares(studied)]
    lines = [*verdict(studied), "", *tried, *refused, "", *tables, "", REPLICATION, facts]
    return "\n".join(lines) + "\n"


FORMATS: Mapping[str, Callable[[Sensitivity], str]] = {
    "table": as_table,
    "csv": as_csv,
    "swaps": as_swaps_csv,
    "shares": as_shares_csv,
    "orders": as_orders_csv,
    "json": as_json,
}


def shares_object(pair: PairShares) -> dict[str, Any]:
    """The shares of two runs, with their sentence."""
    return {**asdict(pair), "conclusion": share_sentence(pair)}


def _table_of_shares(studied: Sensitivity) -> list[str]:
    rows = [
        [pair.first, pair.second, f"{pair.difference:.4f}", *(share.text for share in _three(pair))]
        for pair in studied.shares
    ]
    refusals = dict.fromkeys(share.refusal for pair in studied.shares for share in _three(pair) if share.refusal)
    head = ["first", "second", "difference", "topics anew", "judgments anew", "both"]
    return [
        "Share of draws in which the first beats the second",
        *aligned([head, *rows], n_names=2),
        *(f"–: {reason}" for reason in refusals),
    ]


def _table_of_judges(studied: Sensitivity) -> list[str]:
    """Nothing where there is no other judge."""
    if not studied.judges:
        return []
    rows = [
        [tag, *(f"{rank[at]} ({mean[at]:.4f})" for mean, rank in _orders(studied))]
        for at, tag in enumerate(studied.tags)
    ]
    head = ["run", "as it stands", *(one.judge for one in studied.judges)]
    lines = [judge_sentence(one, studied.n_pairs, most=MOST_SWAPS) for one in studied.judges]
    title = "Rank (mean) of each run, as it stands and under each judge"
    return [title, *aligned([head, *rows], n_names=1), *lines, ""]


def _orders(studied: Sensitivity) -> list[tuple[Sequence[float], Sequence[int]]]:
    return [(studied.mean, studied.rank), *((one.mean, one.rank) for one in studied.judges)]


def _three(pair: PairShares) -> tuple[Share, Share, Share]:
    return pair.topics, pair.judgments, pair.both


def _cases(change: OrderUnder) -> Iterator[tuple[object, ...]]:
    names = change.cases or range(1, change.n_cases + 1)
    yield from ((change.kind, *row) for row in zip(names, change.tau_b, change.tau_ap, change.n_swaps, strict=True))


def _shares(pair: PairShares) -> Iterator[tuple[object, ...]]:
    for share in _three(pair):
        figures = (share.anew, share.share, share.error, share.n_draws, share.refusal)
        yield (pair.first, pair.second, pair.difference, *figures)


def _change(stored: Mapping[str, Any]) -> OrderUnder:
    names = ("cases", "tau_b", "tau_ap", "n_swaps")
    swaps = tuple(PairSwap(**{**swap, "cases": tuple(swap["cases"])}) for swap in stored["swaps"])
    columns = {name: tuple(stored[name]) for name in names}
    return OrderUnder(stored["kind"], swaps=swaps, refusal=stored["refusal"], **columns)


def _pair(stored: Mapping[str, Any]) -> PairShares:
    shares = {name: Share(**stored[name]) for name in ANEW}
    return PairShares(stored["first"], stored["second"], stored["difference"], **shares)


def _judge(stored: Mapping[str, Any]) -> JudgeOrder:
    columns = {name: tuple(stored[name]) for name in ("mean", "rank")}
    swaps = tuple((ahead, behind) for ahead, behind in stored["swaps"])
    return JudgeOrder(stored["judge"], tau_b=stored["tau_b"], tau_ap=stored["tau_ap"], swaps=swaps, **columns)
