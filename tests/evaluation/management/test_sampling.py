"""A query log becomes topics, topics become estimates, and an experiment is planned, by commands."""

import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from django.core.management import CommandError

from annotation.formats.problems import Problems
from evaluation.engine.sampling.estimates import hajek_mean
from evaluation.formats.log.query_sample import read_sample
from tests.evaluation.management.calling import called

N = 5_000


@pytest.fixture
def log(tmp_path: Path) -> Path:
    rng = np.random.default_rng(9)
    count = np.sort(rng.zipf(1.6, N).clip(max=10**6))[::-1]
    market = rng.choice(["de", "us"], N)
    rows = (f"query {i}\t{n}\t{m}\n" for i, (n, m) in enumerate(zip(count.tolist(), market, strict=True)))
    path = tmp_path / "log.tsv"
    path.write_text("query\tcount\tmarket\n" + "".join(rows))
    return path


def sample(log: Path, *options: str) -> dict[str, object]:
    """The manifest; topics stand in topics.tsv beside the log."""
    topics = log.with_name("topics.tsv")
    out, _ = called("sample_queries", log, "--total", "60", "-o", topics, "--force", "--json", *options)
    return json.loads(out)  # type: ignore[no-any-return]


def test_topics_with_their_probabilities(log: Path) -> None:
    facts = sample(log, "--head", "50", "--torso", "450", "--minimum", "5", "--seed", "3")
    assert [(one["stratum"], one["queries"], one["n"]) for one in facts["strata"]] == [  # type: ignore[attr-defined]
        ("head", 50, 5), ("torso", 450, 9), ("tail", 4500, 46),
    ]  # fmt: skip
    content = log.with_name("topics.tsv").read_bytes()
    assert content.startswith(b"number\ttitle\tcount\tstratum\tprobability\n1\tquery ")
    assert facts["topics_sha256"] == hashlib.sha256(content).hexdigest()
    assert facts["log"]["sha256"] == hashlib.sha256(log.read_bytes()).hexdigest()  # type: ignore[index]
    topics = read_sample(log.with_name("topics.tsv"), Problems("topics.tsv"))
    assert (1 / topics.probability).sum() == pytest.approx(N)


def test_the_same_seed_gives_the_same_bytes_whatever_the_form(log: Path) -> None:
    first = sample(log, "--seed", "3")["topics_sha256"]
    table = pl.read_csv(log, separator="\t", quote_char=None)
    table.write_ndjson(log.with_name("log.jsonl"))
    table.write_parquet(log.with_name("log.parquet"))
    log.with_name("log.tsv.gz").write_bytes(gzip.compress(log.read_bytes()))
    for name in ("log.tsv", "log.jsonl", "log.parquet", "log.tsv.gz"):
        assert sample(log.with_name(name), "--seed", "3")["topics_sha256"] == first, name
    assert sample(log, "--seed", "4")["topics_sha256"] != first


def test_rows_of_one_query_are_added_up(tmp_path: Path) -> None:
    (tmp_path / "events.csv").write_text("q\na, b\nc\na, b\nd\na, b\n")
    topics = tmp_path / "topics.tsv"
    called("sample_queries", tmp_path / "events.csv", "--total", "3", "--head", "1", "--torso", "1", "-o", topics)
    rows = [line.split("\t")[1:4] for line in topics.read_text().splitlines()[1:]]
    assert rows == [["a, b", "3", "head"], ["c", "1", "torso"], ["d", "1", "tail"]]


def test_strata_by_a_column_and_notes(log: Path) -> None:
    out, err = called(
        "sample_queries", log, "--total", "10", "--by", "market", "--rule", "equal", "--oversample", "us=3", "--dry-run"
    )
    assert [line.split()[0] for line in out.splitlines()] == ["stratum", "us", "de", "all"]
    assert err == "20 in all, which is more than the total of 10\n"
    options = ("--rule", "neyman", "--deviation", "de=0.1", "--deviation", "us=0.4", "--dry-run", "--json")
    facts = json.loads(called("sample_queries", log, "--total", "100", "--by", "market", *options)[0])
    assert {one["stratum"]: one["n"] for one in facts["strata"]}["us"] in range(76, 84)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--by", "country"), "1 problem"),
        (("--by", "query"), "1 problem"),
        (("--query-column", "text"), "1 problem"),
        (("--head", "0.9", "--torso", "0.9"), "shares of all traffic"),
        (("--head", "10", "--torso", "0.5"), "two numbers of queries, or two shares"),
        (("--total", "6000"), "the total lies between 1 and the 5,000 units"),
        (("--minimum", "50", "--head", "50", "--torso", "450"), "takes 150, more than the total 60"),
        (("--oversample", "tail"), "STRATUM=NUMBER"),
    ],
)
def test_what_cannot_be_sampled(log: Path, options: tuple[str, ...], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        sample(log, *options)


def test_a_malformed_log_is_refused_by_line(log: Path) -> None:
    log.write_text(log.read_text() + "last\tmany\tde\n")
    with pytest.raises(CommandError) as refused:
        sample(log)
    assert [str(problem) for problem in refused.value.problems] == [  # type: ignore[attr-defined]
        f"log.tsv:{N + 2}: the count 'many' is not a whole number"
    ]


def judged(log: Path) -> tuple[Path, Path]:
    """A run that has what is wanted first where the query is frequent."""
    topics = read_sample(log.with_name("topics.tsv"), Problems("topics.tsv"))
    good = topics.count > np.median(topics.count)
    qrels, run = log.with_name("qrels"), log.with_name("one.run")
    qrels.write_text("".join(f"{number} 0 a 1\n{number} 0 b 0\n" for number in topics.number))
    orders = zip(topics.number, good, strict=True)
    run.write_text("".join(f"{n} Q0 {d} 1 {-i} one\n" for n, g in orders for i, d in enumerate("ab" if g else "ba")))
    return qrels, run


def test_means_over_all_queries(log: Path) -> None:
    sample(log, "--rule", "equal", "--head", "50", "--torso", "450")
    qrels, run = judged(log)
    topics_file = log.with_name("topics.tsv")
    (estimate,) = json.loads(called("estimate_means", qrels, run, "--sample", topics_file, "-m", "P@1", "--json")[0])
    topics = read_sample(topics_file, Problems("topics.tsv"))
    value = (topics.count > np.median(topics.count)).astype(float)
    expected = hajek_mean(value, topics.probability, stratum=np.array(topics.stratum))
    assert (estimate["queries"]["mean"], estimate["queries"]["low"]) == pytest.approx((expected.value, expected.low))
    assert estimate["queries"]["mean"] < estimate["sample"] < estimate["traffic"]["mean"]
    table = called("estimate_means", qrels, run, "--sample", topics_file, "-m", "P@1")[0].splitlines()
    assert table[1].split()[:3] == ["one", "P@1", f"{estimate['sample']:.4f}"]
    assert called("estimate_means", qrels, run, "--sample", topics_file, "--format", "csv")[0].startswith("run,measure")


def test_topics_without_judgments_and_strangers(log: Path) -> None:
    sample(log, "--rule", "equal", "--head", "50", "--torso", "450")
    qrels, run = judged(log)
    topics = log.with_name("topics.tsv")
    qrels.write_text("".join(qrels.read_text().splitlines(keepends=True)[:-4]))
    _, err = called("estimate_means", qrels, run, "--sample", topics)
    assert "2 sampled topics have no value: the others of their stratum stand for them" in err
    qrels.write_text(qrels.read_text() + "stranger 0 a 1\n")
    with pytest.raises(CommandError, match="topic stranger was evaluated, but is not in the sample"):
        called("estimate_means", qrels, run, "--sample", topics)
    topics.write_text("number\tstratum\tprobability\n1\thead\t0\n1\thead\t0.5\n")
    with pytest.raises(CommandError, match="1 problem"):
        called("estimate_means", qrels, run, "--sample", topics)


def test_a_plan_in_words_and_as_json() -> None:
    out, _ = called("plan_experiment", "groups", "--rate", "0.15", "--relative", "0.01")
    assert out.startswith("Take 889,540 units in each group: ")
    facts = json.loads(called("plan_experiment", "groups", "--rate", "0.15", "--n", "10000", "--json")[0])
    assert (facts["solved"], f"{facts['relative']:.3f}", facts["width"]) == ("difference", "0.094", None)
    with pytest.raises(CommandError, match="either a rate or a standard deviation"):
        called("plan_experiment", "groups", "--difference", "0.1")
    with pytest.raises(CommandError, match="invalid choice"):
        called("plan_experiment", "guess")
