"""The search among documents: with its index, and by reading every text. Both find the same."""

import json
from collections.abc import Sequence

import pytest
from django.db import connection
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpus.read.document_page import COUNTED, document_page
from annotation.corpus.read.document_search import has_whole_index, search_for
from annotation.corpus.read.texts import found_documents
from annotation.corpus.steps import document_index
from annotation.corpus.steps.document_index import index_documents, sweep_document_index
from annotation.exchange.steps.deletion.deleting import start_deletion
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, DocumentVersion, DocumentWords, Job
from tests.annotation.exchange.steps.import_work import bring, many, stored
from tests.factories import make_collection, make_member

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]

TEXTS = {
    "FT911-3": ("Bees", "eat pollen, 100% of it; don't they"),
    "d_17": ("L'été", "Bienen essen Honigbrot"),
    "clueweb09-en0000": ("", "state-of-the-art beehives at example.org/honey"),
    "zh": ("蜂蜜", "我们喜欢东京的蜂蜜"),
}
FOUND = {
    "bees": ["FT911-3"],
    "BEE": ["FT911-3", "clueweb09-en0000"],
    "bee honey": ["clueweb09-en0000"],
    "hon": ["d_17", "clueweb09-en0000"],
    "onig": [],
    "ft911": ["FT911-3"],
    "FT911-3": ["FT911-3"],
    "17": ["d_17"],
    "100%": ["FT911-3"],
    "the-art": ["clueweb09-en0000"],
    "example.org": ["clueweb09-en0000"],
    "été": ["d_17"],
    "ete": [],
    "don't": ["FT911-3"],
    "京": ["zh"],
    "蜂蜜 喜欢": ["zh"],
    "%": [],
    "wasps": [],
    "": [*TEXTS],
    "  ": [*TEXTS],
}
NASTY = (
    '"',
    "'",
    "a' | 'b",
    "a:*",
    "NOT",
    "a AND",
    "(",
    "a NEAR(b",
    "\\",
    "a\\'",
    "*",
    "-a",
    "x^2",
    "{a b}: c",
    "[",
    "²",
)


def make_texts() -> Collection:
    collection = make_collection()
    lines = [json.dumps({"docno": docno, "title": title, "text": text}) for docno, (title, text) in TEXTS.items()]
    stored(collection, "documents", "\n".join(lines))
    return collection


def docnos(collection: Collection, words: str) -> list[str]:
    return [version.document.docno for version in found_documents(collection, words)]


def test_with_and_without_an_index_the_same_is_found() -> None:
    collection = make_texts()
    assert not has_whole_index(collection)
    assert {words: docnos(collection, words) for words in FOUND} == FOUND
    assert sweep_document_index() == 4
    assert has_whole_index(collection)
    assert {words: docnos(collection, words) for words in FOUND} == FOUND
    assert sweep_document_index() == 0


def test_no_search_is_an_error(client: Client) -> None:
    collection = make_texts()
    client.force_login(make_member(collection, role="researcher"))
    for indexed in (False, True):
        if indexed:
            index_documents(collection)
        for words in NASTY:
            assert client.get(f"/c/{collection.slug}/documents/", {"q": words}).status_code == 200, words


@given(st.text(max_size=30))
def test_what_is_typed_makes_words_alone(text: str) -> None:
    search = search_for(text)
    assert not set("\"'\\:&|!()*<>^{}-+ ") & set("".join(search.words))


def test_only_published_current_texts_are_found() -> None:
    collection = make_texts()
    index_documents(collection)
    assert stored(collection, "documents", many(2) + many(1, text="other")).state == "refused"
    stored(collection, "documents", '{"docno": "FT911-3", "title": "Wasps", "text": "sting"}\n', on_conflict="version")
    assert not has_whole_index(collection)
    assert (docnos(collection, "wasps"), docnos(collection, "pollen")) == (["FT911-3"], [])
    assert sweep_document_index() == 1
    assert (docnos(collection, "wasps"), docnos(collection, "pollen")) == (["FT911-3"], [])
    first = '{"docno": "FT911-3", "title": "Bees", "text": "eat pollen, 100% of it; don\'t they"}\n'
    stored(collection, "documents", first, on_conflict="version")
    index_documents(collection)
    assert (docnos(collection, "wasps"), docnos(collection, "pollen")) == ([], ["FT911-3"])


@pytest.mark.parametrize("is_indexed", [False, True])
def test_texts_of_an_import_are_found_from_its_flip_on(is_indexed: bool) -> None:
    """A new document, and another text of one that is here: looked for between staging and flip."""
    collection = make_texts()
    lines = [{"docno": "late-1", "text": "wasps"}, {"docno": "FT911-3", "title": "Wasps", "text": "sting"}]
    bring(collection, "documents", "\n".join(map(json.dumps, lines)), publish=True, on_conflict="version")
    seen = []

    def look(_done: int, _total: int, _message: str) -> None:
        staged = DocumentVersion.objects.filter(brought_by__published_at=None).count()
        n_added = index_documents(collection) if is_indexed else 0
        seen.append(
            (staged, n_added, has_whole_index(collection), docnos(collection, "wasps"), docnos(collection, "late"))
        )

    while run := claim_job():
        run.watch = look
        assert run_job(run).state == Job.State.DONE
    assert [each for each in seen if each[0]] == [(2, 0, is_indexed, [], [])]
    assert not has_whole_index(collection)
    assert (docnos(collection, "wasps"), docnos(collection, "late")) == (["FT911-3", "late-1"], ["late-1"])
    assert sweep_document_index() == (2 if is_indexed else 6)
    assert (docnos(collection, "wasps"), docnos(collection, "late")) == (["FT911-3", "late-1"], ["late-1"])


def test_other_collections_are_apart_and_portions_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_index, "PORTION", 2)
    one, other = make_texts(), make_collection("other")
    stored(other, "documents", many(5))
    assert sweep_document_index() == 9
    assert (docnos(one, "bees"), docnos(other, "bees"), len(docnos(other, "D"))) == (["FT911-3"], [], 5)


def test_a_deleted_collection_leaves_nothing_in_the_index() -> None:
    one, other = make_texts(), make_collection("other")
    stored(other, "documents", many(3))
    sweep_document_index()
    start_deletion(one, actor=make_member(one, role="admin"))
    run = claim_job()
    assert run is not None
    run_job(run)
    assert (n_in_index("bees"), n_in_index("d0"), len(docnos(other, "d0"))) == (0, 1, 1)


def n_in_index(word: str) -> int:
    if connection.vendor == "postgresql":
        return DocumentWords.objects.extra(where=["words @@ to_tsquery('simple', %s)"], params=[word]).count()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM annotation_document_fts WHERE annotation_document_fts MATCH %s", [word])
        return int(cursor.fetchone()[0])


def test_a_long_text_with_many_words_comes_in() -> None:
    collection = make_collection()
    text = " ".join(f"{chr(0x10000 + n % 200)}{n}" for n in range(60_000))
    stored(collection, "documents", json.dumps({"docno": "long", "text": text}))
    assert index_documents(collection) == 1
    assert docnos(collection, "long") == ["long"]


WIDE = [chr(0x20000 + n) for n in range(40_000)]  # letters of four bytes


def test_a_huge_title_of_many_words_comes_in() -> None:
    """As many bytes of words as may be: PostgreSQL takes a megabyte of a text."""
    collection = make_collection()
    huge = " ".join([*WIDE, *(two + WIDE[0] for two in WIDE), *(three + "ab" for three in WIDE)])
    stored(collection, "documents", json.dumps({"docno": "huge", "title": huge, "text": huge}))
    stored(make_collection("other"), "documents", many(1))
    assert sweep_document_index() == 2
    assert (has_whole_index(collection), docnos(collection, "huge")) == (True, ["huge"])


def test_a_text_that_the_index_refuses_stops_no_other_collection(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = make_texts(), make_collection("good")
    stored(good, "documents", many(3))
    add = document_index._add

    def refusing(keys: Sequence[int]) -> None:
        if DocumentVersion.objects.filter(pk__in=keys, collection=bad).exists():
            with connection.cursor() as cursor:
                cursor.execute("SELECT no_such_function()")
        add(keys)

    monkeypatch.setattr(document_index, "_add", refusing)
    assert sweep_document_index() == 3
    assert (has_whole_index(bad), has_whole_index(good)) == (False, True)
    assert f"the texts of {bad.slug} are not indexed" in caplog.text
    assert docnos(bad, "bees") == ["FT911-3"]


def test_many_are_counted_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_texts()
    monkeypatch.setattr("annotation.corpus.read.document_page.COUNTED", 1)
    some, all_ = document_page(collection, "bee"), document_page(collection)
    assert (COUNTED, some.n_found, some.has_more, all_.n_found, all_.has_more) == (10_000, 1, True, 4, False)
