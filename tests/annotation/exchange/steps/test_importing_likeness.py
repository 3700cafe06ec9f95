"""A file of another kind is told what it looks like, and is not taken for it."""

import pytest

from tests.annotation.exchange.steps.bundle_work import bundle_of
from tests.annotation.exchange.steps.import_work import bring, work
from tests.annotation.formats.folder.test_opening import FILES, zipped
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

RUN = b"1 Q0 d1 1 9.5 bm25\n1 Q0 d2 2 8.5 bm25\n"
QRELS = b"1 0 d1 2\n1 0 d2 0\n"
TOPICS = b"1\thow do bees find their way home\n2\thoney\n"
JUDGMENTS = b"query,docno,annotator,grade\n1,d1,ann,3\n"


def reason(kind: str, data: bytes) -> str:
    """The one problem of a file brought in as a kind, up to the list of forms."""
    record = bring(make_collection(), kind, data)
    work()
    record.refresh_from_db()
    assert (record.state, record.n_problems) == ("refused", 1)
    return str(record.problems[0]["reason"].partition(": not recognised as any of ")[0])


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("qrels", RUN, "this looks like a run (TREC run), to be brought in as such"),
        ("documents", RUN, "this looks like a run (TREC run), to be brought in as such"),
        ("run", QRELS, "this looks like qrels (TREC qrels) or gold (TREC qrels), to be brought in as such"),
        ("topics", QRELS, "this looks like qrels (TREC qrels) or gold (TREC qrels), to be brought in as such"),
        ("documents", JUDGMENTS, "this looks like judgments (CSV with a header), to be brought in as such"),
        ("collection", RUN, "this looks like a run (TREC run), to be brought in as such: this is neither a zip nor"),
        ("topics", zipped(FILES), "this looks like a BEIR folder: import it as a whole collection"),
        ("qrels", b"once upon a time there was\na hive of very many bees\n", "not recognised as any of"),
    ],
)  # fmt: skip
def test_what_it_looks_like_is_said(kind: str, data: bytes, words: str) -> None:
    assert reason(kind, data).startswith(words)


def test_a_bundle_is_pointed_to_its_door() -> None:
    data = bundle_of(make_collection())
    advice = "this looks like a Touchstone bundle: bring it in as a new collection"
    assert [reason(kind, data) for kind in ("documents", "collection")] == [advice, advice]


def test_topics_are_no_run_though_their_words_are_many() -> None:
    assert reason("judgments", TOPICS).startswith("this looks like topics (TSV: number, title, description, narrative)")
