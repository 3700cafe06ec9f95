"""Interleaved lists as JSONL, an object a list; what they were credited, as a table and as facts."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, BinaryIO

import numpy as np

from annotation.formats.fields import id_fault, shown
from annotation.formats.objects import Json, id_of, read_objects
from annotation.formats.problems import Problems
from annotation.text.p_values import tabled_p
from evaluation.engine.interleaving import METHODS
from evaluation.engine.interleaving.drawing import method_named
from evaluation.engine.interleaving.lists import MOST_DEPTH, NOBODY, Lists
from evaluation.engine.interleaving.preferences import Interleaving, Preference
from evaluation.engine.interleaving.words import words_of
from evaluation.formats.values import aligned

HEAD = ["first", "second", "wins", "losses", "ties", "share", "low", "high", "p", "adjusted"]


def lists_jsonl(lists: Lists) -> Iterator[bytes]:
    """`teams` name a ranker or are null; `ranks` are those of a document in each ranking, null beyond its first
    documents."""
    write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    names: list[str | None] = [*lists.rankers, None]
    shared = {"method": lists.method, "parameters": lists.parameters, "rankers": list(lists.rankers)}
    for at, (number, docnos) in enumerate(zip(lists.number, lists.docno, strict=True)):
        line = {"number": number, "list": int(lists.serial[at]), **shared, "docnos": docnos}
        teams = [names[team] for team in lists.team[at, : len(docnos)].tolist()]
        ranks = [[rank or None for rank in ranks] for ranks in lists.rank[at, : len(docnos)].tolist()]
        yield f"{write({**line, 'teams': teams, 'ranks': ranks})}\n".encode()


def read_lists(stream: BinaryIO, problems: Problems) -> Lists:
    """What `lists_jsonl` writes; of team draft also without `ranks` and `parameters`, as other tools may serve it.

    Raises `FormatError` for what is malformed: a list that stands twice, a document twice in a list, a team that is no
    ranker, lists of different methods or rankers, and no list.
    """
    reader = _Reader(problems)
    for line, value in read_objects(stream, problems):
        reason = reader.add(line, value)
        if reason:
            problems.add(line, reason)
    problems.check()
    if not reader.numbers:
        raise problems.stop(0, "there is no list in this file")
    return reader.lists()


class _Reader:
    """Lists line by line; `add` says what is wrong with one."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.head: tuple[Json, ...] = ()
        self.numbers, self.serials = list[str](), list[int]()
        self.docnos, self.teams = list[tuple[str, ...]](), list[list[int]]()
        self.ranks = list[list[list[int]]]()
        self.lines: dict[tuple[str, int], int] = {}

    def add(self, line: int, value: dict[str, Json]) -> str:
        head = value.get("method"), value.get("rankers"), value.get("parameters") or {}
        if not self.head:
            if fault := _head_fault(*head):
                raise self.problems.stop(line, fault)
            self.head = head
        if head != self.head:
            return "the method, its parameters or the rankers are not those of the first list"
        number, serial = id_of(value.get("number")), value.get("list")
        if number is None or id_fault(number, "number"):
            return id_fault(number or "", "number") or "the number is not text"
        if isinstance(serial, bool) or not isinstance(serial, int) or not 0 < serial < 2**31:
            return "the list is not a whole number from 1"
        if (before := self.lines.setdefault((number, serial), line)) != line:
            return f"list {serial} of topic {shown(number)} stands in line {before} already"
        return self._add_documents(number, serial, value)

    def _add_documents(self, number: str, serial: int, value: dict[str, Json]) -> str:
        docnos, teams, ranks = value.get("docnos"), value.get("teams"), value.get("ranks")
        if not isinstance(docnos, list) or not 0 < len(docnos) <= MOST_DEPTH:
            return f"docnos are no list of 1 to {MOST_DEPTH} documents"
        names = [id_of(one) or "" for one in docnos]
        if not all(names) or len(set(names)) < len(names):
            return "a document stands twice in the list, or is not text"
        rankers: list[Any] = [*self._rankers, None]
        if not isinstance(teams, list) or len(teams) != len(names) or any(team not in rankers for team in teams):
            return "teams are not, for each document, one of the rankers or null"
        rows = _ranks_of(ranks, len(names), len(self._rankers), needed=self.head[0] != "team_draft")
        if rows is None:
            return "ranks are not, for each document, its rank in each ranking or null, and at least one of them"
        self.numbers.append(number)
        self.serials.append(serial)
        self.docnos.append(tuple(names))
        self.teams.append([NOBODY if team is None else rankers.index(team) for team in teams])
        self.ranks.append(rows)
        return ""

    @property
    def _rankers(self) -> list[str]:
        return [str(one) for one in self.head[1]] if isinstance(self.head[1], list) else []

    def lists(self) -> Lists:
        depth = max(map(len, self.docnos))
        team = np.full((len(self.docnos), depth), NOBODY, np.int8)
        rank = np.zeros((len(self.docnos), depth, len(self._rankers)), np.int16)
        for at, (teams, ranks) in enumerate(zip(self.teams, self.ranks, strict=True)):
            team[at, : len(teams)], rank[at, : len(teams)] = teams, ranks
        parameters = self.head[2]
        return Lists(
            method=str(self.head[0]),
            parameters={name: str(one) for name, one in parameters.items()} if isinstance(parameters, dict) else {},
            rankers=tuple(self._rankers),
            number=tuple(self.numbers),
            serial=np.array(self.serials, np.int64),
            docno=tuple(self.docnos),
            team=team,
            rank=rank,
        )


def _head_fault(method: Json, rankers: Json, parameters: Json) -> str:
    if not isinstance(method, str) or method not in METHODS:
        return f"the method is not one of {', '.join(METHODS)}"
    if not isinstance(rankers, list) or not 2 <= len(rankers) <= 100 or len(set(map(str, rankers))) < len(rankers):
        return "the rankers are no list of two to a hundred different names"
    if METHODS[method].pairs_only and len(rankers) > 2:
        return f"{METHODS[method].title} has two rankers, not {len(rankers)}"
    if not isinstance(parameters, dict):
        return "the parameters are no object"
    try:
        method_named(method, parameters)
    except ValueError as fault:
        return f"the parameters are not right: {fault}"
    return ""


def _ranks_of(ranks: Json, n_documents: int, n_rankers: int, *, needed: bool) -> list[list[int]] | None:
    """0 for null; None where they are malformed."""
    if ranks is None and not needed:
        return [[0] * n_rankers for _ in range(n_documents)]
    if not isinstance(ranks, list) or len(ranks) != n_documents:
        return None
    rows = list[list[int]]()
    for row in ranks:
        if not isinstance(row, list) or len(row) != n_rankers:
            return None
        numbers = [0 if one is None else one for one in row]
        if not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= 32_000 for one in numbers):
            return None
        if not any(numbers):
            return None
        rows.append([int(one) for one in numbers if isinstance(one, int)])
    return rows


def preferences_as_text(interleaving: Interleaving) -> str:
    rows = [[one.first, one.second, *_cells(one)] for one in interleaving.preferences]
    return "\n".join([*aligned([HEAD, *rows], n_names=2), "", *words_of(interleaving)])


def preferences_as_facts(interleaving: Interleaving) -> dict[str, object]:
    """Null: nothing decided, or of one topic alone. `words` is a list of sentences."""
    return {**asdict(interleaving), "words": words_of(interleaving)}


def _cells(one: Preference) -> list[str]:
    share = "" if one.share is None else f"{one.share:.4f}"
    ends = ["", ""] if one.clustered is None else [f"{one.clustered.low:.4f}", f"{one.clustered.high:.4f}"]
    p = ["" if value is None else tabled_p(value) for value in (one.p, one.p_adjusted)]
    return [f"{one.wins:,}", f"{one.losses:,}", f"{one.ties:,}", share, *ends, *p]
