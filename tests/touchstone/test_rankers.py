"""The demo's rankers: deterministic, different from each other, and not equally good."""

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from touchstone.demo.content import Document, Topic, demo_documents, demo_grades, demo_topics
from touchstone.demo.rankers import RANKERS, make_runs
from touchstone.demo.rankers.ranking import ranked
from touchstone.demo.rankers.words import stem, words_of

pytestmark = pytest.mark.pure
ROOT = Path(__file__).resolve().parents[2]
TAGS = ["bm25", "dirichlet", "tfidf-title", "latent", "trigrams", "fused"]


@pytest.fixture(scope="module")
def runs() -> dict[str, bytes]:
    return make_runs(demo_topics(), demo_documents())


def _rows(run: bytes) -> list[list[str]]:
    return [line.split(" ") for line in run.decode().splitlines()]


def _top(run: bytes, number: str, depth: int = 10) -> list[str]:
    return [row[2] for row in _rows(run) if row[0] == number][:depth]


def test_runs_are_the_same_every_time(runs: dict[str, bytes]) -> None:
    assert list(runs) == TAGS
    assert make_runs(demo_topics(), demo_documents()) == runs


@pytest.mark.parametrize("tag", TAGS)
def test_run_text_is_trec(runs: dict[str, bytes], tag: str) -> None:
    rows = _rows(runs[tag])
    docnos = {document.docno for document in demo_documents()}
    assert {len(row) for row in rows} == {6}
    assert {row[1] for row in rows} == {"Q0"}
    assert {row[5] for row in rows} == {tag}
    assert {row[0] for row in rows} == {topic.number for topic in demo_topics()}
    assert {row[2] for row in rows} <= docnos
    assert len({(row[0], row[2]) for row in rows}) == len(rows)


@pytest.mark.parametrize("tag", TAGS)
def test_rank_column_is_the_order_of_trec_eval(runs: dict[str, bytes], tag: str) -> None:
    rows = _rows(runs[tag])
    for topic in demo_topics():
        own = [row for row in rows if row[0] == topic.number]
        by_score = sorted(own, key=lambda row: (float(row[4]), row[2].encode()), reverse=True)
        assert [row[3] for row in own] == [str(rank) for rank in range(1, len(own) + 1)]
        assert by_score == own
        assert 5 <= len(own) <= 100


def test_systems_differ_in_quality(runs: dict[str, bytes]) -> None:
    """nDCG@10 as pytrec_eval-terrier 0.5.11 gives it for the true grades, unlisted pairs being 0."""
    qrels: dict[str, dict[str, int]] = {}
    for row in demo_grades():
        qrels.setdefault(row.number, {})[row.docno] = row.grade
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
    means = {}
    for tag, run in runs.items():
        topic_values = evaluator.evaluate(pytrec_eval.parse_run(run.decode().splitlines()))
        means[tag] = float(np.mean([values["ndcg_cut_10"] for values in topic_values.values()]))
    assert max(means.values()) - min(means.values()) >= 0.08
    assert min(means.values()) > 0.3  # the worst is weak, not broken
    assert means["trigrams"] < means["dirichlet"] < means["bm25"] < means["fused"]


@pytest.mark.parametrize(("first", "second"), list(combinations(TAGS, 2)))
def test_no_two_systems_are_nearly_alike(runs: dict[str, bytes], first: str, second: str) -> None:
    numbers = [topic.number for topic in demo_topics()]
    shared = [len(set(_top(runs[first], number)) & set(_top(runs[second], number))) for number in numbers]
    assert sum(shared) <= 9 * len(numbers)  # of the first ten, at least one a topic is another's own


def test_the_pool_to_depth_ten_is_graded_throughout(runs: dict[str, bytes]) -> None:
    """So that a simulated judgment never rests on the silence of grades.tsv."""
    graded = {(row.number, row.docno) for row in demo_grades()}
    numbers = [topic.number for topic in demo_topics()]
    pool = {(number, docno) for number in numbers for run in runs.values() for docno in _top(run, number)}
    assert pool - graded == set()
    assert len(pool) >= 200


@pytest.mark.parametrize("tag", TAGS)
def test_the_only_document_about_the_topic_comes_first(tag: str) -> None:
    words = ["bread oven flour", "garden spade seeds", "wheel spoke brake", "needle thread cloth"]
    documents = [Document(f"d{place}", text, f"{text}. More {text}.", "") for place, text in enumerate(words)]
    topic = Topic("1", "spoke and brake of a wheel", "How is a wheel with spokes trued?", "About wheels.")
    assert RANKERS[tag]([topic], documents)["1"][0][0] == "d2"


@pytest.mark.parametrize("tag", [tag for tag in TAGS if tag != "trigrams"])
def test_a_topic_without_a_known_word_finds_nothing(tag: str) -> None:
    documents = [Document("d1", "bread", "Flour and water.", ""), Document("d2", "wheel", "Spokes and rim.", "")]
    topic = Topic("1", "xylophone", "xylophone", "xylophone")
    assert RANKERS[tag]([topic], documents) == {"1": []}


def test_ties_fall_as_in_trec_eval() -> None:
    assert ranked(["a", "c", "b", "z"], np.array([1.0, 0.50001, 0.5, 0.0])) == [("a", 1.0), ("c", 0.5), ("b", 0.5)]
    assert ranked(["a", "c", "b"], np.array([0.5, 0.5, 0.5])) == [("c", 0.5), ("b", 0.5), ("a", 0.5)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("patches", "patch"),
        ("oiling", "oil"),
        ("stopped", "stop"),
        ("knives", "kniv"),
        ("berries", "berri"),
        ("berry", "berri"),
        ("apples", "appl"),
        ("removing", "remov"),
        ("remove", "remov"),
        ("glass", "glass"),
        ("filling", "fill"),
        ("ring", "ring"),
        ("red", "red"),
    ],
)
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_stop_words_are_left_out() -> None:
    assert words_of("How do I stop the Tap's drip?") == ["stop", "tap", "s", "drip"]


def test_the_demo_needs_no_django() -> None:
    code = (
        "import sys; sys.modules['django'] = None\n"
        "import touchstone.demo.annotators, touchstone.demo.content, touchstone.demo.rankers"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
