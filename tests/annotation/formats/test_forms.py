"""Which form a file has."""

import gzip
import io

import pytest

from annotation.formats.forms import Form, recognised
from annotation.formats.problems import FormatError, Problems

TABS = Form("tsv", "Tabs", lambda head: b"\t" in head, lambda *_: "tabs")
OBJECTS = Form("jsonl", "Objects", lambda head: head.startswith(b"{"), lambda *_: "objects")


def told(data: bytes, name: str = "") -> tuple[str, bytes]:
    stream = io.BytesIO(data)
    form, head = recognised([TABS, OBJECTS], stream, Problems("file"), name=name)
    assert stream.tell() == 0
    return form.name, head


def test_the_content_tells() -> None:
    assert told(b"1\ttitle\n") == ("tsv", b"1\ttitle\n")
    assert told(b"\xef\xbb\xbf{}\n") == ("jsonl", b"{}\n")
    assert told(gzip.compress(b"1\ttitle\n")) == ("tsv", b"1\ttitle\n")


def test_what_somebody_chose_holds() -> None:
    assert told(b"{}\t\n", "jsonl")[0] == "jsonl"
    assert told(b"plain", "tsv")[0] == "tsv"


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
        told(data, name)
    assert [problem.reason for problem in caught.value.problems] == [reason]
