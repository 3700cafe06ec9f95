"""The command `search_shards`, in one process and with a real cluster of two workers, some of which are killed."""

import importlib.util
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from evaluation.formats.shards.search import search_shards
from tests.commands import ran
from tests.evaluation.formats.shards.corpus import is_the_whole, write_corpus


def test_the_run_of_search_vectors(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, 4, parquet=True)
    for name, vector, ids in (("q", corpus.query, corpus.numbers), ("d", corpus.document, corpus.docno)):
        np.save(tmp_path / f"{name}.npy", vector)
        (tmp_path / f"{name}.ids.txt").write_text("".join(f"{one}\n" for one in ids))
    whole = ran("search_vectors", str(tmp_path / "q.npy"), str(tmp_path / "d.npy"), "--k", "9", "--tag", "mine")
    words = (str(tmp_path / "q.npy"), corpus.request.corpus, "--results", str(tmp_path / "found"), "--k", "9")
    ended = ran("search_shards", *words, "--tag", "mine")
    assert (ended.code, ended.out) == (0, whole.out)
    assert ended.err == "4 parts, 4 of them searched now: 270 rows\n"
    again = ran("search_shards", *words, "-o", str(tmp_path / "run"))
    assert again.err == "4 parts, 0 of them searched now: 270 rows\n"
    assert (tmp_path / "run").read_text() == whole.out.replace(" mine\n", " cosine\n")
    assert ran("search_shards", *words, "--k", "0").code == 2
    assert ran("search_shards", *words, "--workers", "0").code == 2
    assert ran("search_shards", *words, "--workers", "1", "--cluster", "tcp://nowhere:1").code == 2
    for one in (tmp_path / "found").glob("*.run"):  # of each part, and of all
        one.write_bytes(one.read_bytes()[:-40])
    ends = [ran("search_shards", *words, "--tag", "mine") for _ in range(6)]
    assert [ended.code for ended in ends] == [1, 1, 1, 1, 1, 0]
    assert (ends[-1].out, ".run was damaged and has been taken away" in ends[0].err) == (whole.out, True)
    (tmp_path / "corpus" / "0001.ids.txt").write_text("a\n")
    ended = ran("search_shards", *words, "--json")
    assert (ended.code, ended.error["problems"][0]["file"]) == (1, "0001.ids.txt")
    assert ended.error["error"] == "1 problem; nothing was written."


@pytest.mark.parametrize(
    ("address", "reason"),
    [("s3://lab/corpus", "Install s3fs"), ("nowhere://lab/corpus", "Protocol not known: nowhere")],
)
def test_an_address_that_cannot_be_reached_is_refused_in_words(address: str, reason: str, tmp_path: Path) -> None:
    if "s3fs" in reason and importlib.util.find_spec("s3fs"):
        pytest.skip("s3fs is installed")
    np.save(tmp_path / "q.npy", np.ones((1, 3), np.float32))
    (tmp_path / "q.ids.txt").write_text("1\n")
    ended = ran("search_shards", str(tmp_path / "q.npy"), address, "--results", str(tmp_path / "found"))
    assert (ended.code, ended.out, reason in ended.err) == (1, "", True)


def test_what_lies_behind_an_address_is_named_where_it_fails(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, 2)
    np.save(tmp_path / "q.npy", corpus.query)
    (tmp_path / "q.ids.txt").write_text("".join(f"{one}\n" for one in corpus.numbers))
    (tmp_path / "file").write_text("no folder")
    words = (str(tmp_path / "q.npy"), corpus.request.corpus, "--results", str(tmp_path / "file" / "found"))
    ended = ran("search_shards", *words)
    assert (ended.code, str(tmp_path / "file") in ended.err) == (2, True)


def test_workers_that_are_killed_cost_their_parts_time_alone(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    from evaluation.management.cluster import local_workers, on, workers_at

    corpus = write_corpus(tmp_path, 12, rows=1500, dim=32, n_queries=100)
    finished = dict[Path, int]()

    with local_workers(2) as client:
        pids = list(client.run(os.getpid).values())

        def kill(done: int, _total: int) -> None:
            """One worker when two parts are done, the other when seven are, each in the middle of another part."""
            if done in (2, 7):
                finished.update({file: file.stat().st_mtime_ns for file in (tmp_path / "results").glob("*.run")})
                os.kill(pids.pop(), signal.SIGKILL)

        search = search_shards(corpus.request, on(client), progress=kill)
        assert (pids, is_the_whole(search.run, corpus)) == ([], True)
        assert {file: file.stat().st_mtime_ns for file in finished} == finished
        with workers_at(client.scheduler.address) as other:
            assert search_shards(corpus.request, on(other)).n_searched == 0
