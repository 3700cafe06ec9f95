"""A corpus in parts: the same bytes as a search of all of it, and nothing is searched twice."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import fsspec
import numpy as np
import pytest

from annotation.formats.problems import FormatError
from evaluation.engine.vectors.run_of_nearest import own_documents, run_of
from evaluation.engine.vectors.search import search
from evaluation.formats.shards import ids, merge, work
from evaluation.formats.shards.finished import MANIFEST, in_this_process
from evaluation.formats.shards.ids import IDS
from evaluation.formats.shards.parts import parts_of
from evaluation.formats.shards.search import search_shards
from evaluation.formats.shards.store import Store
from evaluation.formats.shards.work import (
    NUMBERS,
    QUERIES,
    RESULT,
    SearchRequest,
    queries_of,
    search_part,
    store_queries,
)
from tests.evaluation.formats.shards.corpus import Corpus, bytes_of, is_the_whole, write_corpus, write_part


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return write_corpus(tmp_path, 7)


@pytest.fixture
def mixed(tmp_path: Path) -> Corpus:
    """Parts of numpy and of Parquet."""
    return write_corpus(tmp_path, 7, parquet=True)


@pytest.mark.parametrize("width", [2, 3, 16])
@pytest.mark.parametrize("rows", [1, 500, 1 << 20])
def test_the_bytes_of_one_search(corpus: Corpus, width: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "WIDTH", width)
    monkeypatch.setattr(merge, "ROWS", rows)
    search = search_shards(corpus.request)
    assert (search.n_parts, search.n_searched) == (7, 7)
    assert is_the_whole(search.run, corpus)


def test_parts_of_several_forms_together(mixed: Corpus) -> None:
    search = search_shards(mixed.request)
    assert (search.n_parts, search.n_searched) == (7, 7)
    assert is_the_whole(search.run, mixed)


@pytest.mark.parametrize("k", [1, 35, 500])
def test_any_k_also_more_than_there_are(corpus: Corpus, k: int) -> None:
    asked = replace(corpus, request=replace(corpus.request, k=k))
    assert is_the_whole(search_shards(asked.request).run, asked)


def test_one_part_is_a_corpus(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, 2, rows=30)
    (tmp_path / "corpus" / "0001.npy").unlink()
    outcome = search_shards(corpus.request)
    nearest = search(corpus.query, corpus.document[:30], corpus.docno[:30], k=20)
    assert bytes_of(outcome.run) == bytes_of(run_of(nearest, corpus.numbers, corpus.docno, "cosine").packed)


def test_nothing_is_done_twice(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    first = search_shards(corpus.request)
    monkeypatch.setattr(work, "sha256_of", lambda _files: pytest.fail("a finished part was read"))
    again = search_shards(corpus.request)
    assert (again.n_searched, bytes_of(again.run)) == (0, bytes_of(first.run))


def test_without_the_manifest_parts_are_read_and_not_searched(corpus: Corpus, tmp_path: Path) -> None:
    search_shards(corpus.request)
    for text in (None, "no JSON", "[1]"):
        (tmp_path / "results" / MANIFEST).unlink()
        if text:
            (tmp_path / "results" / MANIFEST).write_text(text)
        assert search_shards(corpus.request).n_searched == 0


def test_a_stopped_search_goes_on_where_it_was(corpus: Corpus) -> None:
    def stop(done: int, _total: int) -> None:
        if done == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        search_shards(corpus.request, progress=stop)
    search = search_shards(corpus.request)
    assert (search.n_searched, is_the_whole(search.run, corpus)) == (4, True)


def test_a_part_that_changed_is_searched_again(corpus: Corpus, tmp_path: Path) -> None:
    search_shards(corpus.request)
    part = tmp_path / "corpus" / "0003.npy"
    before = part.stat()
    np.save(part, np.load(part) * np.linspace(1, 2, 8, dtype=np.float32))
    os.utime(part, (before.st_atime, before.st_mtime + 2))
    assert search_shards(corpus.request).n_searched == 1
    assert search_shards(replace(corpus.request, similarity="inner")).n_searched == 7


def test_a_query_finds_itself_in_no_part(corpus: Corpus, tmp_path: Path) -> None:
    numbers = corpus.docno[::9]
    sha = store_queries(Store(str(tmp_path / "results")), corpus.document[::9], numbers)
    outcome = search_shards(replace(corpus.request, queries=sha, exclude_self=True))
    own = own_documents(numbers, corpus.docno)
    nearest = search(corpus.document[::9], corpus.document, corpus.docno, k=20, own=own)
    assert bytes_of(outcome.run) == bytes_of(run_of(nearest, numbers, corpus.docno, "cosine").packed)


@pytest.fixture
def in_memory() -> Iterator[Callable[[Path], str]]:
    """Copies a folder to a file system that is none, and gives its address."""
    memory = fsspec.filesystem("memory")

    def copied(folder: Path) -> str:
        memory.put(str(folder), "/there", recursive=True)
        return "memory://there"

    yield copied
    memory.rm("/there", recursive=True)


def test_a_corpus_behind_fsspec(mixed: Corpus, tmp_path: Path, in_memory: Callable[[Path], str]) -> None:
    address = in_memory(tmp_path / "corpus")
    results = Store("memory://there/results")
    sha = store_queries(results, mixed.query, mixed.numbers)
    request = SearchRequest(address, results.url, sha, 20)
    search = search_shards(request)
    assert (search.n_searched, is_the_whole(search.run, mixed)) == (7, True)
    assert search_shards(request).n_searched == 0
    assert [part.name for part in parts_of(Store(address))][:3] == ["0000.npy", "0001.npy", "0002.parquet"]


class SilentError(Exception):
    """As a library behind fsspec has them."""


def test_errors_of_a_library_behind_fsspec_are_those_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_all: object, **_named: object) -> None:
        raise SilentError("no answer")

    store = Store("memory://silent")
    for name in ("isdir", "exists", "cat_file", "pipe_file", "get_file"):
        monkeypatch.setattr(type(store.fs), name, silent)

    def copied() -> None:
        with store.local(["a"]):
            pass

    for deed in (store.files, lambda: store.has("a"), lambda: store.read("a"), lambda: store.write("a", b""), copied):
        with pytest.raises(OSError, match="SilentError: no answer"):
            deed()


def test_what_is_wrong_with_parts_is_said_of_all_of_them(corpus: Corpus, tmp_path: Path) -> None:
    write_part(tmp_path / "corpus" / "0001", np.full((2, 8), np.nan, np.float32), ["x", "y"])
    (tmp_path / "corpus" / "0004.ids.txt").unlink()
    with pytest.raises(FormatError) as fault:
        search_shards(corpus.request)
    assert [(one.file, one.line) for one in fault.value.problems] == [("0001.npy", 1), ("0001.npy", 2), ("0004.npy", 0)]
    assert len(list((tmp_path / "results").glob("*.run"))) == 5


@pytest.mark.parametrize("rows", [1, 60, 1 << 24])
def test_a_docno_in_two_parts_is_refused_though_no_query_meets_it(
    corpus: Corpus, tmp_path: Path, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ids, "ROWS", rows)
    monkeypatch.setattr(ids, "_ids", lambda *_both: pytest.fail("ids were read without need"))
    asked = replace(corpus.request, k=1)
    search_shards(asked)
    monkeypatch.setattr(ids, "equal_hashes", lambda _work: pytest.fail("what was compared is compared again"))
    assert search_shards(asked).n_searched == 0
    monkeypatch.undo()
    far, names = np.full((3, 8), -9, np.float32), ["x", corpus.docno[5], "é"]
    far[:, 0] = [-9, -8, -7]
    write_part(tmp_path / "corpus" / "0004", far, names)
    reason = f"the document '{corpus.docno[5]}' is in two parts of the corpus, 0000.npy and 0004.npy"
    with pytest.raises(ValueError, match=reason):
        search_shards(asked)
    with pytest.raises(ValueError, match=reason):  # nothing says that these parts are different
        search_shards(asked)
    write_part(tmp_path / "corpus" / "0004", far, ["x", "y", "é"])
    assert search_shards(asked).n_searched == 1


def test_equal_hashes_of_different_ids_are_no_reason(mixed: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    class OneForAll:
        def digest(self) -> bytes:
            return bytes(8)

    monkeypatch.setattr(
        "evaluation.formats.shards.ids.hashlib.blake2b", lambda _name, digest_size: OneForAll() if digest_size else None
    )
    assert is_the_whole(search_shards(mixed.request).run, mixed)


def test_results_of_before_are_read_for_their_ids_and_not_searched(mixed: Corpus, tmp_path: Path) -> None:
    search_shards(mixed.request)
    for file in (tmp_path / "results").glob("*.id-hashes"):
        file.unlink()
    for file in (tmp_path / "results").glob("*.different"):
        file.unlink()
    assert (search_shards(mixed.request).n_searched, len(list((tmp_path / "results").glob("*.id-hashes")))) == (0, 7)


@pytest.mark.parametrize("ending", [RESULT, IDS, QUERIES, NUMBERS])
@pytest.mark.parametrize("at", [0.0, 0.4, 0.99, 1.0])
def test_a_flipped_bit_is_noticed_and_what_it_is_in_made_again(ending: str, at: float, tmp_path: Path) -> None:
    """Of results of parts, which are merged; of hashes of ids; of the queries, by whoever searches the next part."""
    corpus = write_corpus(tmp_path, 3)
    stop = 1 if ending in (QUERIES, NUMBERS) else 3
    list(
        in_this_process(search_part, [(corpus.request, part) for part in parts_of(Store(corpus.request.corpus))[:stop]])
    )
    queries_of.cache_clear()
    file = min((tmp_path / "results").glob(f"*{ending}"))
    data = bytearray(file.read_bytes())
    data[int(at * (len(data) - 1))] ^= 1
    file.write_bytes(data)
    with pytest.raises(ValueError, match="was damaged and has been taken away"):
        search_shards(corpus.request)
    store_queries(Store(corpus.request.results), corpus.query, corpus.numbers)
    assert is_the_whole(search_shards(corpus.request).run, corpus)


@pytest.mark.parametrize("at", [0.0, 0.5, 1.0])
def test_a_flipped_bit_of_the_merged_run_is_noticed(corpus: Corpus, at: float, tmp_path: Path) -> None:
    results = tmp_path / "results"
    of_parts = {search_part((corpus.request, part)).result for part in parts_of(Store(corpus.request.corpus))}
    search_shards(corpus.request)
    (file,) = (one for one in results.glob("*.run") if one.stem not in of_parts)
    data = bytearray(file.read_bytes())
    data[int(at * (len(data) - 1))] ^= 128
    file.write_bytes(data)
    with pytest.raises(ValueError, match=f"{file.name} was damaged and has been taken away"):
        search_shards(corpus.request)
    assert is_the_whole(search_shards(corpus.request).run, corpus)


def test_damage_that_two_find_at_once_is_said_by_both(tmp_path: Path) -> None:
    one, other = Store(str(tmp_path)), Store(str(tmp_path))
    one.write_result("a.run", b"bees")
    (tmp_path / "a.run").write_bytes(b"beer")
    damaged = other.read("a.run")
    for store in (one, other):
        with pytest.raises(ValueError, match=r"a\.run was damaged"):
            store.whole("a.run", damaged)


def test_refusals(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no part of a corpus is there"):
        search_shards(replace(corpus.request, corpus=str(tmp_path / "nowhere")))
    write_part(tmp_path / "corpus" / "0003", corpus.document[:40], corpus.docno[:40])
    with pytest.raises(ValueError, match=r"the document 'd\d+' is in two parts"):
        search_shards(corpus.request)
    write_part(tmp_path / "corpus" / "0003", corpus.document[:40, :5], corpus.docno[:40])
    with pytest.raises(ValueError, match="not of one dimension"):
        search_shards(corpus.request)


def test_work_that_two_do_at_once_leaves_one_result(corpus: Corpus) -> None:
    part = parts_of(Store(corpus.request.corpus))[0]
    outcomes = list(in_this_process(search_part, [(corpus.request, part)] * 2))
    assert [one.is_new for one in outcomes] == [True, False]
    assert outcomes[0].result == outcomes[1].result
