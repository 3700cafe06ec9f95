"""Any bytes as topics and documents: what must hold stands in tests/corpus/texts.py; tests/fuzz goes on."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus import documents, topics
from tests.corpus.mutations import changed
from tests.corpus.texts import check_documents, check_topics

TOPICS = [case.data for case in topics.MALFORMED if len(case.data) < 3000]
DOCUMENTS = [case.data for case in documents.MALFORMED if len(case.data) < 3000]
MARKUP = [
    "<top>",
    "</top>",
    "<num> Number: 1",
    "<num>2</num>",
    "<title>a",
    "<desc> Description:",
    "<narr>",
    "<topic",
    " number='1'",
    ">",
    "<",
    "</",
    "/>",
    "<topics>",
    "</topics>",
    "</topic>",
    "<query>q</query>",
    "<!DOCTYPE a [",
    "<!ENTITY b 'c'>",
    "]>",
    "<?xml version='1.0'?>",
    "<!--",
    "-->",
    "&amp;",
    "&b;",
    "&",
    "<![CDATA[",
    "]]>",
    "<DOC>",
    "</DOC>",
    "<DOCNO>1</DOCNO>",
    "<DOCNO>",
    "<TEXT>",
    "</TEXT>",
    "<HEADLINE>h</HEADLINE>",
    "<P>",
    "<script>",
    "</script>",
    "\n",
    "\n\n",
    " ",
    "\t",
    "x",
    "\0",
    '{"id": "1", ',
    '"title": "a"',
    "}",
    '{"_id": 2, "text": "b", "metadata": {"a": 1}}',
    "1\tone\n",
    "id\ttitle\ttext\n",
]


def pieces_of(words: Sequence[str]) -> st.SearchStrategy[bytes]:
    return st.lists(st.sampled_from(words) | st.text(max_size=2), max_size=20).map(
        lambda parts: "".join(parts).encode("utf-8", "surrogatepass")
    )


@settings(max_examples=100)
@given(changed(TOPICS) | pieces_of(MARKUP))
def test_any_topics(data: bytes) -> None:
    check_topics(data)


@settings(max_examples=100)
@given(changed(DOCUMENTS) | pieces_of(MARKUP))
def test_any_documents(data: bytes) -> None:
    check_documents(data)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.text(max_size=5), pieces_of(["<p>", "</p>", "<b>", "x", "<meta charset=", "utf-8>"]))))
def test_any_files_in_a_tar(files: list[tuple[str, bytes]]) -> None:
    check_documents(
        documents.tar_of(*((f"{name}.html".replace("\0", ""), data) for name, data in files if _can_be(name)))
    )


def _can_be(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False
