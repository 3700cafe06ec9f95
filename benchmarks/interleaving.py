"""Claim: ten million clicks on interleaved lists are credited in seconds, and tests over topics keep their level.

    python benchmarks/interleaving.py [rows] [replications]

First how often no preference is found to be one, and how often intervals miss, where topics prefer one ranker or the
other by chance; and where each method's lists are clicked at random. Then a log of clicks on team-draft lists, as
Parquet and CSV, credited by the command's own code, beside pandas, which joins the teams and compares sums by
impression, and checks nothing.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from evaluation.engine.interleaving.counting import Tally, tally  # noqa: E402 -- the path comes first
from evaluation.engine.interleaving.drawing import interleave  # noqa: E402
from evaluation.engine.interleaving.lists import Lists  # noqa: E402
from evaluation.engine.interleaving.method import Method  # noqa: E402
from evaluation.engine.interleaving.optimised import Optimised  # noqa: E402
from evaluation.engine.interleaving.preferences import preferences_of  # noqa: E402
from evaluation.engine.interleaving.probabilistic import Probabilistic  # noqa: E402
from evaluation.engine.interleaving.team_draft import TeamDraft  # noqa: E402
from evaluation.formats.interleaving import lists_jsonl  # noqa: E402
from touchstone.library.sources import read_run  # noqa: E402

TOPICS, LISTS, DEPTH = 1_000, 20, 10
ORDERS = "abcde", "bcdea", "cdeab", "deabc"
OURS = """
import touchstone as ts
found = ts.credit_clicks(LISTS, PATH)
print(found.preferences[0].wins, found.preferences[0].losses, end=" ")
"""
PANDAS = """
import pandas
log = pandas.read_csv(PATH, dtype={"number": str})
teams = pandas.read_csv(TEAMS, dtype={"number": str})
log = log.drop_duplicates().merge(teams, on=["number", "list", "position"])
sums = log.groupby(["number", "list", "impression"])["credit"].sum()
print((sums > 0).sum(), (sums < 0).sum(), end=" ")
"""
MEASURED = """
import time
begun = time.perf_counter()
{program}
peak = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(f"{{time.perf_counter() - begun:6.1f}} s {{int(peak[0]) // 1024:6}} MB")
"""


def missed(n_topics: int, replications: int) -> list[float]:
    """Per cent of replications in which p over topics and p over lists are at most .05 though no ranker is
    preferred; and in which intervals over topics and over lists miss a share of .6."""
    rng, count = np.random.default_rng(17), np.zeros(4)
    for _ in range(replications):
        n = rng.geometric(0.02, n_topics)  # impressions: few of most topics, many of some
        for mean, (over_topics, over_lists) in ((0.5, (0, 1)), (0.6, (2, 3))):
            wins = rng.binomial(n, rng.beta(4 * mean, 4 * (1 - mean), n_topics))[None]
            sample = Tally(("A", "B"), tuple(map(str, range(n_topics))), ((0, 1),), wins, n - wins, 0 * wins, 0)
            (one,) = preferences_of(sample, method="team_draft").preferences
            if mean == 0.5:
                count[[over_topics, over_lists]] += [(one.p or 1) <= 0.05, one.p_lists <= 0.05]
            elif one.clustered and one.interval:
                ends = (one.clustered, one.interval)
                count[[over_topics, over_lists]] += [not each.low <= mean <= each.high for each in ends]
    return (100 * count / replications).tolist()


def missed_at_random(
    method: Method, n_rankers: int, n_topics: int, each: int, replications: int, *, again: int = 1
) -> list[float]:
    """Per cent of pairs of rankers whose p over topics and over lists is at most .05, and whose intervals miss one
    half; and of replications in which any pair's adjusted p is. Rankings are one another's, moved on; of each topic
    `each` lists of 20 times as many, at least 200, are shown and clicked once, at any position alike; or `again` times,
    at position k with chances of .6 · .4^(k − 1)."""
    rng, kept = np.random.default_rng(17), max(200, 20 * each)
    scores = [{d: -float(at) for at, d in enumerate(ORDERS[r])} for r in range(n_rankers)]
    runs = [read_run({f"q{t}": one for t in range(n_topics)}, tag="ABCD"[r]) for r, one in enumerate(scores)]
    lists = interleave(runs, method, depth=5, lists_per_topic=kept)
    count, n_pairs, any_pair = np.zeros(4), 0, 0
    for _ in range(replications):
        serial = (rng.integers(0, kept, (n_topics, 1)) + np.arange(each)) % kept
        row = np.repeat((serial + kept * np.arange(n_topics)[:, None]).ravel(), again)
        position = rng.integers(0, 5, row.size) if again == 1 else np.minimum(rng.geometric(0.6, row.size), 5) - 1
        clicked = np.left_shift(np.uint64(1), position.astype(np.uint64))
        preferences = preferences_of(tally(lists, method, row, clicked), method=method.title).preferences
        with_share = [one for one in preferences if one.share is not None]
        for one in with_share:
            off = [end is not None and not end.low <= 0.5 <= end.high for end in (one.clustered, one.interval)]
            count += [one.p is not None and one.p <= 0.05, one.p_lists <= 0.05, *off]
        n_pairs += len(with_share)
        any_pair += any(one.p_adjusted is not None and one.p_adjusted <= 0.05 for one in with_share)
    return [*(100 * count / n_pairs).tolist(), 100 * any_pair / replications]


def made_lists() -> Lists:
    rng = np.random.default_rng(1)
    docnos = [f"d{i}" for i in range(40)]
    runs = []
    for tag in ("A", "B"):
        scores = {f"q{t}": dict(zip(docnos, rng.random(40).tolist(), strict=True)) for t in range(TOPICS)}
        runs.append(read_run(scores, tag=tag))
    return interleave(runs, TeamDraft(), depth=DEPTH, lists_per_topic=LISTS)


def main(rows: int, replications: int) -> None:
    print("topics   p over topics   over lists   intervals over topics   over lists, % wrong")
    for n_topics in (10, 30, 100):
        print(n_topics, *(f"{share:.1f}" for share in missed(n_topics, replications)), flush=True)
    print("clicks at random: rankers, topics, lists of each, impressions of each; p and intervals; any pair, adjusted")
    for method in (TeamDraft(), Optimised(), Optimised(click_credit="linear"), Probabilistic()):
        for n_rankers in (2,) if method.pairs_only else (2, 4):
            for n_topics, each, again in ((10, 1, 1), (10, 50, 1), (100, 5, 1), (10, 5, 50)):
                shares = missed_at_random(method, n_rankers, n_topics, each, replications, again=again)
                print(method, n_rankers, n_topics, each, again, *(f"{share:.1f}" for share in shares), flush=True)
    timed(rows)


def timed(rows: int) -> None:
    lists, rng = made_lists(), np.random.default_rng(2)
    at = rng.integers(0, lists.n_lists, rows)
    impression = rng.integers(0, max(1, rows // (2 * lists.n_lists)), rows)  # about two clicks each
    position = np.minimum(rng.geometric(0.4, rows), DEPTH)
    log = pl.DataFrame(
        {"number": np.array(lists.number)[at], "list": lists.serial[at], "impression": impression, "position": position}
    )
    places = np.arange(lists.n_lists)
    teams = pl.DataFrame(
        {
            "number": np.repeat(np.array(lists.number), DEPTH),
            "list": np.repeat(lists.serial, DEPTH),
            "position": np.tile(np.arange(1, DEPTH + 1), places.size),
            "credit": 1 - 2 * lists.team.ravel().astype(int),
        }
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lists.jsonl").write_bytes(b"".join(lists_jsonl(lists)))
        log.write_csv(folder / "clicks.csv")
        log.write_parquet(folder / "clicks.parquet")
        teams.write_csv(folder / "teams.csv")
        print(f"{rows:,} clicks on {lists.n_lists:,} lists, {(folder / 'clicks.csv').stat().st_size >> 20} MB as CSV")
        for title, program, form in (
            ("Parquet", OURS, "parquet"),
            ("CSV", OURS, "csv"),
            ("pandas, CSV", PANDAS, "csv"),
        ):
            print(f"{title:12}", end="", flush=True)
            measured = MEASURED.format(program=program)
            for word, file in (("PATH", f"clicks.{form}"), ("LISTS", "lists.jsonl"), ("TEAMS", "teams.csv")):
                measured = measured.replace(word, repr(str(folder / file)))
            subprocess.run([sys.executable, "-c", measured], cwd=ROOT, check=True)


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(*numbers, *(200_000, 100)[len(numbers) :])
