"""Plain dicts: looked up as they are, they have the bits that the same rows have by way of the engine's own tables."""

import math
import random
from dataclasses import astuple, fields
from typing import Any

import numpy as np
import pytest

import touchstone as ts
from evaluation.engine.lookup import Lookup, look_up
from evaluation.engine.measures import DEFAULT_MEASURES, parse_measures
from evaluation.engine.options import DEFAULT_OPTIONS
from touchstone.library import plain_dicts

pytestmark = pytest.mark.pure

MEASURES = [
    *map(str, DEFAULT_MEASURES),
    *map(str, parse_measures("official")),
    "RBP",
    "ERR@10",
    "infAP",
    "GMAP",
    "nERR",
]
IDS = [*"abcdefghij", "é", "\U0001f41d", "ﬁ", "zz", "a b"]

Rows = dict[str, dict[str, Any]]


def case_of(seed: int) -> tuple[Rows, Rows]:
    """Few ids and few scores: ties, topics and documents that only one side has, topics without a document."""
    rng = random.Random(seed)

    def some(value: Any) -> Rows:
        topics = rng.sample(IDS, rng.randint(4, 9))
        return {topic: {docno: value() for docno in rng.sample(IDS, rng.randint(0, 15))} for topic in topics}

    scores = (0.0, -0.0, 1, 0.5, -3, 1e300, 2**60)
    qrels, run = some(lambda: rng.choice((-2, -1, 0, 0, 1, 2, 4))), some(lambda: rng.choice(scores))
    qrels["a"], run["a"] = {"a": 1, "b": 0}, {"b": 1, "a": 1, "c": 2}
    return qrels, run


def as_rows(rows: Rows) -> list[tuple[str, str, Any]]:
    return [(topic, docno, value) for topic, documents in rows.items() for docno, value in documents.items()]


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("reading", [{}, {"max_grade": 7}, {"averaging": "retrieved"}])
def test_the_same_bits_as_of_rows(seed: int, reading: Any) -> None:
    qrels, run = case_of(seed)
    assert plain_dicts.look_up_plain(qrels, run, "run", DEFAULT_OPTIONS)
    evaluations = ts.evaluate(qrels, run, MEASURES, **reading)
    expected = ts.evaluate(as_rows(qrels), as_rows(run), MEASURES, **reading)
    (one,), (other,) = ([run.evaluation for run in each.runs] for each in (evaluations, expected))
    assert one.value.tobytes() == other.value.tobytes()
    assert one.mean.tobytes() == other.mean.tobytes()
    assert [part for part in astuple(one) if not isinstance(part, np.ndarray)] == [
        part for part in astuple(other) if not isinstance(part, np.ndarray)
    ]
    assert evaluations.notes == expected.notes


@pytest.mark.parametrize("seed", range(10))
def test_what_is_looked_up_is_what_the_engine_looks_up(seed: int) -> None:
    qrels, run = case_of(seed)
    plainly = plain_dicts.look_up_plain(qrels, run, "run", DEFAULT_OPTIONS)
    assert plainly
    lookup, expected = plainly[2], look_up(ts.read_run(run), ts.read_qrels(qrels), DEFAULT_OPTIONS, 4)
    for field in fields(Lookup):
        assert np.array_equal(getattr(lookup, field.name), getattr(expected, field.name)), field.name


GOOD: Rows = {"q": {"d": 1}}
LARGE = ({"q": {"d": 10**30}}, {"q": {"d": 10**10}})  # scores like any other
ODD: list[Any] = [
    {1: {"d": 1}},
    {"q": {2: 1}},
    {"q": {"d": True}},
    {"q": {"d": np.int64(1)}},
    {"q": {"d": 1}, "": {"d": 1}},
    {"q": {"": 1}},
    {"q": {"d\0": 1}},
    {"q": {"\ud800": 1}},
    {"q": {"d": math.nan}},
    {"q": {"d": "1"}},
    *LARGE,
    {"q": [("d", 1)]},
    {"q": {}},
    {},
    [("q", "d", 1)],
    {"run": {"q": {"d": 1}}},
]


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_what_is_not_plain_is_left_to_those_who_say_what_is_wrong(odd: Any) -> None:
    assert plain_dicts.look_up_plain(odd, GOOD, "run", DEFAULT_OPTIONS) is None
    if odd not in LARGE:
        assert plain_dicts.look_up_plain(GOOD, odd, "run", DEFAULT_OPTIONS) is None


@pytest.mark.parametrize(
    "reading", [{"ties": "file"}, {"depth": 1}, {"judged_only": True}, {"unjudged": "top"}, {"trec_eval": 9}]
)
def test_other_options_hold_for_dicts(reading: Any) -> None:
    qrels, run = case_of(3)
    evaluation = ts.evaluate(qrels, run, "AP", **reading)[0]
    expected = ts.evaluate(as_rows(qrels), as_rows(run), "AP", **reading)[0]
    assert evaluation.value.tobytes() == expected.value.tobytes()


def test_many_rows_are_left_to_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_dicts, "MOST_ROWS", 2)
    monkeypatch.setattr(plain_dicts, "SHORT_TOPIC", 1)
    assert plain_dicts.look_up_plain(GOOD, {"q": {"a": 1, "b": 2}}, "run", DEFAULT_OPTIONS)
    assert plain_dicts.look_up_plain(GOOD, {"q": {"a": 1, "b": 2, "c": 3}}, "run", DEFAULT_OPTIONS) is None


def test_many_short_topics_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_dicts, "MOST_ROWS", 2)
    monkeypatch.setattr(plain_dicts, "SHORT_TOPIC", 2)
    four = {"q": {"a": 1, "b": 2}, "r": {"a": 1, "b": 2}}
    assert plain_dicts.look_up_plain(GOOD, four, "run", DEFAULT_OPTIONS)
    assert plain_dicts.look_up_plain(GOOD, {**four, "q": {"a": 1, "b": 2, "c": 3}}, "run", DEFAULT_OPTIONS) is None


def test_no_topic_in_common_is_refused() -> None:
    with pytest.raises(ValueError, match="no topic in common"):
        ts.evaluate(GOOD, {"p": {"d": 1.0}}, "AP")
