"""Pools whose documents come out of a corpus that stays outside."""

import json
import os
from pathlib import Path

import pytest

from annotation.formats.documents.corpus_index import ENDING
from annotation.models import Collection, Document, DocumentVersion, Import, Pool
from tests.evaluation.management.test_pool import pairs_of, printed, refused
from tests.factories import make_collection, make_document, make_run, make_topic

pytestmark = pytest.mark.django_db

LINES: list[dict[str, object]] = [
    {"_id": "far", "title": "", "text": "Nobody asks for this."},
    {"_id": "b", "title": "Bees", "text": "They dance; “ß”.", "metadata": {"url": "x"}},
    {"_id": "a", "title": "", "text": "Of the corpus, which the collection has already."},
    {"_id": "c", "title": "", "text": "Wasps do not."},
]


@pytest.fixture
def bees() -> Collection:
    collection = make_collection("bees")
    make_topic(collection, "1")
    make_document(collection, "a", text="As it stands here.")
    make_run(collection, "1 Q0 a 1 9 one\n1 Q0 b 2 8 one\n1 Q0 c 3 7 one\n")
    return collection


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    folder.mkdir()
    written(folder, LINES)
    return folder


def written(folder: Path, lines: list[dict[str, object]]) -> None:
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    (folder / "corpus.jsonl").write_text("\ufeff" + "\n\n".join(texts), encoding="utf-8")


def texts() -> dict[str, str]:
    return dict(DocumentVersion.objects.values_list("document__docno", "text"))


def test_documents_that_are_not_here_come_in_and_no_others(bees: Collection, corpus: Path) -> None:
    facts = json.loads(printed("bees", "deep", "--run", "one", "--corpus", str(corpus), "--json"))
    assert (facts["pairs"], facts["brought"]) == (3, 2)
    assert pairs_of("deep") == [("1", "a"), ("1", "b"), ("1", "c")]
    assert texts() == {"a": "As it stands here.", "b": "They dance; “ß”.", "c": "Wasps do not."}
    brought = Document.objects.get(docno="b")
    assert (brought.versions.get().title, brought.versions.get().fields) == ("Bees", {"url": "x"})
    assert Import.objects.get().filename == "documents of deep from corpus.jsonl"


def test_documents_that_share_a_hash_are_told_apart(
    bees: Collection, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.formats.documents.corpus_index._hash", lambda docno: 7)
    printed("bees", "deep", "--run", "one", "--corpus", str(corpus))
    assert sorted(texts()) == ["a", "b", "c"]


def test_what_is_here_is_not_read_again(bees: Collection, corpus: Path) -> None:
    printed("bees", "deep", "--run", "one", "--depth", "2", "--corpus", str(corpus))
    again = json.loads(printed("bees", "again", "--run", "one", "--depth", "2", "--corpus", str(corpus), "--json"))
    assert again["brought"] == 0
    assert Import.objects.count() == 1


def test_a_file_of_pairs_brings_its_documents(bees: Collection, corpus: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("1 far\n1 gone\n")
    assert refused("bees", "far", "--pairs", str(pairs), "--corpus", str(corpus))[1] == 1
    assert not Import.objects.exists()
    assert not Pool.objects.exists()
    output = printed("bees", "far", "--pairs", str(pairs), "--corpus", str(corpus), "--unknown", "skip")
    assert output == "stored: far, 1 pair of 1 topic, and 1 document of the corpus\n"
    assert pairs_of("far") == [("1", "far")]


def test_documents_of_a_pool_that_is_refused_do_not_come_in(bees: Collection, corpus: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("1 far\n9 b\n")
    no = refused("bees", "far", "--pairs", str(pairs), "--corpus", str(corpus))
    assert (no[1], "pairs.txt:2" in str(no)) == (1, True)
    assert set(texts()) == {"a"}
    output = printed("bees", "far", "--pairs", str(pairs), "--corpus", str(corpus), "--unknown", "skip")
    assert output == "stored: far, 1 pair of 1 topic, and 1 document of the corpus\n"


def test_only_tried_nothing_stays(bees: Collection, corpus: Path) -> None:
    facts = json.loads(printed("bees", "deep", "--run", "one", "--corpus", str(corpus), "--dry-run", "--json"))
    assert (facts["stored"], facts["pairs"], facts["brought"]) == (False, 3, 2)
    assert list(texts()) == ["a"]
    assert not Import.objects.exists()
    assert not Pool.objects.exists()


def test_a_corpus_that_has_changed_is_read_anew(bees: Collection, corpus: Path) -> None:
    printed("bees", "deep", "--run", "one", "--depth", "2", "--corpus", str(corpus))
    file = corpus / "corpus.jsonl"
    index = file.with_name(file.name + ENDING)
    before = index.read_bytes()
    written(corpus, [{"_id": "before", "text": "More."}, {"_id": "c", "text": "Another."}])
    os.utime(file, ns=(1, 1))
    printed("bees", "deeper", "--run", "one", "--corpus", str(corpus))
    assert index.read_bytes() != before
    assert texts()["c"] == "Another."


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            '{"_id": "b", "text": ""}\n{"_id": "b", "text": "x"}\n{"_id": "c"}',
            "document b stands at the bytes 0 and 25",
        ),
        ('{"_id": "b"}\n[1]\n', "corpus.jsonl:2: no object with a docno"),
        ('{"_id": "b"}\n{"text": "x"}\n', "corpus.jsonl:2: no object with a docno"),
        ('{"_id": "b"', "corpus.jsonl:1: no object with a docno"),
        ("\x1f\x8b", "it is gzip"),
        ("", "neither the collection nor the corpus has document b"),
    ],
)
def test_a_corpus_that_is_none_is_refused_by_its_lines(
    bees: Collection, tmp_path: Path, content: str, reason: str
) -> None:
    file = tmp_path / "corpus.jsonl"
    file.write_bytes(content.encode("latin-1"))
    message, code, lines = refused("bees", "deep", "--run", "one", "--corpus", str(file))
    assert code == 1
    assert any(reason in line for line in [message, *lines]), lines
    assert not Import.objects.exists()
    assert list(texts()) == ["a"]


def test_a_corpus_needs_files_and_pairs_that_can_be_read_twice(bees: Collection, tmp_path: Path) -> None:
    for words in (["--all-pairs"], ["--pairs", "-"], ["--run", "one", "--columns", "docno="]):
        assert refused("bees", "deep", *words, "--corpus", str(tmp_path / "corpus.jsonl"))[1] == 2
    assert refused("bees", "deep", "--run", "one", "--corpus", str(tmp_path / "none.jsonl"))[1] == 2


def test_keys_by_other_names_are_said(bees: Collection, tmp_path: Path) -> None:
    file = tmp_path / "passages.jsonl"
    file.write_text('{"key": "b", "words": "Dances."}\n{"key": "c", "words": "Stings."}\n')
    words = ["--corpus", str(file), "--columns", "docno=key", "text=words", "--corpus-index", str(tmp_path / "index")]
    printed("bees", "deep", "--run", "one", *words)
    assert texts()["c"] == "Stings."
    assert not file.with_name(file.name + ENDING).exists()
