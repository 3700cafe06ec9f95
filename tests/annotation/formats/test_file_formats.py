"""Which form a file has."""

import gzip
import io
from collections.abc import Sequence

import pytest

from annotation.formats import documents, qrels, topics
from annotation.formats.file_formats import FileFormat, recognise_format
from annotation.formats.problems import FormatError, Problems

TABS = FileFormat("tsv", "Tabs", lambda head: b"\t" in head, lambda *_: "tabs")
OBJECTS = FileFormat("jsonl", "Objects", lambda head: head.startswith(b"{"), lambda *_: "objects")


def recognised(data: bytes, name: str = "") -> tuple[str, bytes]:
    stream = io.BytesIO(data)
    form, head = recognise_format([TABS, OBJECTS], stream, Problems("file"), name=name)
    assert stream.tell() == 0
    return form.name, head


@pytest.mark.parametrize("formats", [topics.FORMATS, documents.FORMATS, qrels.FORMATS])
def test_each_format_is_on_the_page_that_uploads_it(formats: Sequence[FileFormat[object]]) -> None:
    unlisted = [each.name for each in formats if not each.upload_help]
    assert unlisted == (["three-columns", "nested"] if formats is qrels.FORMATS else [])


def test_the_content_tells() -> None:
    assert recognised(b"1\ttitle\n") == ("tsv", b"1\ttitle\n")
    assert recognised(b"\xef\xbb\xbf{}\n") == ("jsonl", b"{}\n")
    assert recognised(gzip.compress(b"1\ttitle\n")) == ("tsv", b"1\ttitle\n")


def test_what_somebody_chose_holds() -> None:
    assert recognised(b"{}\t\n", "jsonl")[0] == "jsonl"
    assert recognised(b"plain", "tsv")[0] == "tsv"


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"{}\t\n", "", "this may be Tabs (tsv), Objects (jsonl): choose which"),
        (b"plain", "", "not recognised as any of Tabs (tsv), Objects (jsonl)"),
        (b"", "", "there is nothing in this file"),
        (b"{}", "xml", "there is no form 'xml'; there are Tabs (tsv), Objects (jsonl)"),
        (gzip.compress(b"1\ttitle", mtime=0)[:-9], "", "the gzip is cut short: the upload or the file is incomplete"),
    ],
)
def test_nothing_is_guessed(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        recognised(data, name)
    assert [problem.reason for problem in caught.value.problems] == [reason]
