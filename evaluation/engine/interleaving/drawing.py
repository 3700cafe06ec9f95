"""Lists of several runs: each is a pure function of the seed, the topic and its serial number."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.engine.interleaving import METHODS
from evaluation.engine.interleaving.lists import MOST_RANKERS, Lists
from evaluation.engine.interleaving.method import Method, Shown
from evaluation.engine.run import PackedRun

DEPTH = 10
PARAMETERS = tuple(dict.fromkeys(name for kind in METHODS.values() for name in kind.parameters()))  # of any method


def method_named(name: str, parameters: Mapping[str, Any]) -> Method:
    """The method, with those of the parameters that are not None. Raises `ValueError` for an unknown name, a parameter
    that the method does not have, and a value that it refuses."""
    if name not in METHODS:
        raise ValueError(f"a method of interleaving is one of {', '.join(METHODS)}, not {name!r}")
    kind = METHODS[name]
    chosen = {key: value for key, value in parameters.items() if value is not None}
    if unknown := next((key for key in chosen if key not in kind.parameters()), None):
        raise ValueError(f"{kind.title} has no {unknown.replace('_', ' ')}")
    return kind(**chosen)


def generator_of(seed: int, number: str, serial: int) -> np.random.Generator:
    """The same draws for the same list, whatever else is drawn and in which order."""
    digest = hashlib.sha256(f"{seed}\0{number}\0{serial}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def interleave(
    runs: Sequence[PackedRun],
    method: Method,
    *,
    depth: int = DEPTH,
    lists_per_topic: int = 1,
    seed: int = 0,
    only: Collection[str] | None = None,
) -> Lists:
    """`lists_per_topic` lists of each topic that all runs have, numbered from 1, of at most `depth` documents; `only`
    of topics with these numbers, where they are named.

    In a topic where a ranking is shorter, all are cut to its length: else the longer one would be picked from more
    often, and its documents clicked more often by chance. Raises `ValueError` for fewer than two runs, more than
    `MOST_RANKERS` or than the two that the method takes, tags that are not distinct, a depth that it does not take, no
    list a topic, and no topic that all runs have.
    """
    tags = tuple(run.tag for run in runs)
    _check(tags, method, depth, lists_per_topic)
    topics_by_run = [_topic_by_number(run) for run in runs]
    chosen = runs[0].numbers if only is None else [number for number in runs[0].numbers if number in only]
    numbers = [number for number in chosen if all(number in topics for topics in topics_by_run[1:])]
    if not numbers:
        raise ValueError(f"no topic is in all of {', '.join(tags)}")
    shown, rankings = list[Shown](), list[list[list[str]]]()
    for number in numbers:
        of_topic = _rankings_at(runs, [topics[number] for topics in topics_by_run], depth)
        try:
            draw = method.drawing(of_topic)
        except ValueError as fault:
            raise ValueError(f"topic {number}: {fault}") from fault
        shown += [draw(generator_of(seed, number, serial)) for serial in range(1, lists_per_topic + 1)]
        rankings += [of_topic] * lists_per_topic
    return Lists(
        method=_name_of(method),
        parameters={name: str(getattr(method, name)) for name in method.parameters()},
        rankers=tags,
        number=tuple(number for number in numbers for _ in range(lists_per_topic)),
        serial=np.tile(np.arange(1, lists_per_topic + 1), len(numbers)),
        docno=tuple(one.docno for one in shown),
        **_arrays(shown, rankings),
    )


def rankings_of(runs: Sequence[PackedRun], number: str, depth: int) -> list[list[str]]:
    """The first documents of the topic in each run, as many as the shortest has and at most `depth`."""
    return _rankings_at(runs, [run.numbers.index(number) for run in runs], depth)


def rankings_of_topics(runs: Sequence[PackedRun], numbers: Sequence[str], depth: int) -> list[list[list[str]]]:
    """Those of many topics."""
    topics_by_run = [_topic_by_number(run) for run in runs]
    return [_rankings_at(runs, [topics[number] for topics in topics_by_run], depth) for number in numbers]


def _topic_by_number(run: PackedRun) -> dict[str, int]:
    return {number: at for at, number in enumerate(run.numbers)}


def _rankings_at(runs: Sequence[PackedRun], topics: Sequence[int], depth: int) -> list[list[str]]:
    spans = [(run, int(run.start[at]), int(run.start[at + 1])) for run, at in zip(runs, topics, strict=True)]
    length = min(depth, *(end - begin for _, begin, end in spans))
    return [list(run.docno.take(np.arange(begin, begin + length))) for run, begin, _ in spans]


def _arrays(shown: Sequence[Shown], rankings: Sequence[list[list[str]]]) -> dict[str, Any]:
    depth = max(len(one.docno) for one in shown)
    team = np.full((len(shown), depth), -1, np.int8)
    rank = np.zeros((len(shown), depth, len(rankings[0])), np.int16)
    for row, (one, of_topic) in enumerate(zip(shown, rankings, strict=True)):
        team[row, : len(one.team)] = one.team
        for ranker, ranking in enumerate(of_topic):
            rank_by_docno = {docno: at for at, docno in enumerate(ranking, 1)}
            rank[row, : len(one.docno), ranker] = [rank_by_docno.get(docno, 0) for docno in one.docno]
    return {"team": team, "rank": rank}


def _check(tags: Sequence[str], method: Method, depth: int, lists_per_topic: int) -> None:
    if len(tags) < 2:
        raise ValueError("interleaving takes at least two runs")
    if len(tags) > MOST_RANKERS:
        raise ValueError(f"interleaving takes at most {MOST_RANKERS} runs, not {len(tags)}")
    if method.pairs_only and len(tags) > 2:
        raise ValueError(f"{method.title} takes two runs, not {len(tags)}: take team draft")
    if len(set(tags)) < len(tags):
        raise ValueError("two runs have the same tag")
    if not 1 <= depth <= method.most_depth:
        raise ValueError(f"the depth of {method.title} is 1 to {method.most_depth}, not {depth}")
    if lists_per_topic < 1:
        raise ValueError(f"at least one list a topic is drawn, not {lists_per_topic}")


def _name_of(method: Method) -> str:
    return next(name for name, kind in METHODS.items() if type(method) is kind)
