"""Documents from TSV, TREC's SGML, BEIR, and tars of text and HTML."""

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from annotation.formats.documents import FORMATS, DocumentRow
from annotation.formats.file_formats import meanings_of_columns, recognise_format
from annotation.formats.problems import Problems
from tests.corpus.documents import tar_of, tgz_of
from tests.corpus.texts import read_documents

FT = """<DOC>
<DOCNO> FT911-3 </DOCNO>
<DATE>910514
</DATE>
<HEADLINE>
FT  14 MAY 91 / Contigas plans
</HEADLINE>
<TEXT>
CONTIGAS, the German gas group,
said &amp; did <b>it</b>.
  The plan (R&D) is <F P=105> new </F><!-- PJG -->.
<P>
Last words
</TEXT>
<PAGE>
20
</PAGE>
</DOC>
"""
WEB = """<DOC>
<DOCNO>WTX001</DOCNO>
<DOCHDR>http://example.org/ 1997
Content-type: text/html</DOCHDR>
<html><head><title>Web &lt;page&gt;</title><script>if (a < b) {}</script></head>
<body><h1>Top</h1><p>One<p>two <a href="x">link</a> &copy;</body></html>
</DOC>
"""


def read(data: str | bytes, **options: object) -> tuple[list[DocumentRow], list[str], list[str]]:
    problems = Problems("d")
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    rows = list(read_documents(stream, problems, **options))  # type: ignore[arg-type]
    return rows, [str(problem) for problem in problems], [problem.reason for problem in problems.notes]


def meanings_of(data: str | bytes) -> tuple[str, list[tuple[str, str]]]:
    form, head = recognise_format(FORMATS, io.BytesIO(data.encode() if isinstance(data, str) else data), Problems("d"))
    return form.name, meanings_of_columns(form, head, {})


def test_tsv_of_two_and_of_three_columns() -> None:
    assert read("=1+1\ttext\n")[:2] == ([DocumentRow("=1+1", "", "text", {}, 1)], [])
    assert read("1\ttitle\ttext\r\n2\t\t\r\n")[:2] == (
        [DocumentRow("1", "title", "text", {}, 1), DocumentRow("2", "", "", {}, 2)],
        [],
    )


def test_a_header_names_the_columns() -> None:
    rows, problems, _ = read("text\tyear\tdoc_id\nwords\t1958\tD1\n")
    assert (rows, problems) == ([DocumentRow("D1", "", "words", {"year": "1958"}, 2)], [])
    assert read("pid\tpassage\n1\twords\n")[0] == [DocumentRow("1", "", "words", {}, 2)]


def test_chosen_columns() -> None:
    assert read("1\ta\tb\tc\n", columns={"docno": "2nd", "text": "4th"})[0] == [
        DocumentRow("a", "", "c", {"1st": "1", "3rd": "b"}, 1)
    ]
    assert read('{"id": "1", "abstract": "a", "text": "b"}', columns={"text": "abstract"})[0] == [
        DocumentRow("1", "", "a", {"text": "b"}, 1)
    ]
    assert read(FT, columns={"text": "DATE"})[0][0].text == "910514"


def test_beir_corpus_and_its_metadata() -> None:
    text = '{"_id": "1", "title": "t", "text": "x", "metadata": {"url": "u", "n": 1, "none": null}}\n'
    assert read(text)[:2] == ([DocumentRow("1", "t", "x", {"n": "1", "url": "u"}, 1)], [])
    assert read('{"_id": "1", "text": "x", "metadata": {}}')[0][0].fields == {}
    clash = read('{"_id": "1", "text": "x", "url": "v", "metadata": {"url": "u"}}')[0][0]
    assert clash.fields == {"metadata": '{"url": "u"}', "url": "v"}


def test_sgml_of_the_trec_disks() -> None:
    text = "CONTIGAS, the German gas group, said & did it.\nThe plan (R&D) is new .\nLast words"
    assert read(FT) == (
        [DocumentRow("FT911-3", "FT 14 MAY 91 / Contigas plans", text, {"DATE": "910514", "PAGE": "20"}, 1)],
        [],
        [],
    )


def test_sgml_of_the_web_disks() -> None:
    header = {"DOCHDR": "http://example.org/ 1997 Content-type: text/html"}
    assert read(WEB) == ([DocumentRow("WTX001", "Web <page>", "Top\nOne\ntwo link ©", header, 1)], [], [])


def test_a_title_inside_a_header_and_an_id_for_a_docno() -> None:
    fbis = "<DOC><DOCNO>FBIS-1</DOCNO><HEADER><H2>x</H2><H3> <TI> The Title </TI></H3></HEADER><TEXT>a</TEXT></DOC>"
    assert read(fbis)[0] == [DocumentRow("FBIS-1", "The Title", "a", {"HEADER": "x"}, 1)]
    giga = '<DOC id="AFP_1" type="story"><TEXT><P>p1</P><P>p2</P></TEXT></DOC>'
    assert read(giga)[0] == [DocumentRow("AFP_1", "", "p1\np2", {}, 1)]


def test_many_documents_of_sgml_on_a_line_and_without_line_ends() -> None:
    one = "<doc><docno>{}</docno><text>a</text><text>b</text></doc>"
    rows, problems, _ = read("".join(map(one.format, range(5))))
    assert ([row.docno for row in rows], {row.text for row in rows}, problems) == ([*"01234"], {"a\nb"}, [])


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
def test_a_tar_of_text_and_html(form: int) -> None:
    page = b"\xef\xbb\xbf<!doctype html>\r\n<title>A &amp; B</title><script>x</script><h1>On</h1><p onclick=x>wings"
    files = [
        ("a/=d1.txt", b"text\r\nmore \0"),
        ("b/d2.HTML", page),
        ("LA0101-1.0001", b"<b>text</b>"),
        ("d4.html", b""),
    ]
    rows, problems, notes = read(tar_of(*files, (f"{'long/' * 18}d5", page), ("c/._d2.html", b"\xff"), form=form))
    html = "<h3>On</h3><p>wings</p>"
    assert rows == [
        DocumentRow("=d1", "", "text\nmore \ufffd", {}, 1),
        DocumentRow("d2", "A & B", html, {}, 2, "html"),
        DocumentRow("LA0101-1.0001", "", "<b>text</b>", {}, 3),
        DocumentRow("d4", "", "", {}, 4, "html"),
        DocumentRow("d5", "A & B", html, {}, 5, "html"),
    ]
    assert (problems, notes) == ([], ["1 hidden file left aside", "1 NUL character was replaced by U+FFFD"])


def test_names_that_no_ustar_header_holds() -> None:
    name = "n" * 150
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
        assert read(tar_of((f"{name}.txt", b"a"), ("é.txt", b"b"), form=form))[0] == [
            DocumentRow(name, "", "a", {}, 1),
            DocumentRow("é", "", "b", {}, 2),
        ]


def test_reading_goes_on_behind_what_is_refused() -> None:
    rows, problems, _ = read(tar_of(("../a.txt", b"x" * 2000), ("b.html", b"<div>" * 101), ("c.txt", b"good")))
    assert [row.docno for row in rows] == ["c"]
    assert problems == [
        "d:1: '../a.txt': its path leads out of the archive",
        "d:2: 'b.html': nested deeper than 100 levels",
    ]


def test_nothing_of_a_tar_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read(tgz_of(("a/b.txt", b"x"), ("../c.txt", b"y")))
    assert list(tmp_path.parent.glob("c.txt")) + list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "name", "columns"),
    [
        ("1\ttext\n", "tsv", [("1st", "docno"), ("2nd", "text")]),
        ("id\ttitle\ttext\turl\n", "tsv", [("id", "docno"), ("title", "title"), ("text", "text"), ("url", "metadata")]),
        ('{"id": "1", "body": "a", "x": 1}\n', "jsonl", [("id", "docno"), ("body", "text"), ("x", "metadata")]),
        (
            '{"_id": "1", "text": "a", "metadata": {}}\n',
            "beir",
            [("_id", "docno"), ("text", "text"), ("metadata", "metadata")],
        ),
        (
            FT,
            "sgml",
            [("DOCNO", "docno"), ("DATE", "metadata"), ("HEADLINE", "title"), ("TEXT", "text"), ("PAGE", "metadata")],
        ),
        (WEB, "sgml", [("DOCNO", "docno"), ("DOCHDR", "metadata"), ("title", "title"), ("(rest)", "text")]),
        (tgz_of(("a.txt", b"\t")), "tar", [("file name", "docno"), ("file", "text"), ("<title>", "title")]),
        ('{"_id": "1", "text": "' + "x" * 70_000, "beir", []),
    ],
    ids=["tsv", "header", "jsonl", "beir", "sgml", "web", "tar", "a line longer than the head"],
)
def test_what_a_file_is_taken_as(data: str | bytes, name: str, columns: list[tuple[str, str]]) -> None:
    assert meanings_of(data) == (name, columns)


class Endless(io.RawIOBase):
    """A file of many documents, made as it is read."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self.parts, self.head = parts, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        piece = self.head or next(self.parts, b"")
        self.head = piece[len(buffer) :]
        buffer[: len(piece[: len(buffer)])] = piece[: len(buffer)]
        return len(piece[: len(buffer)])


@pytest.mark.parametrize("name", ["jsonl", "tsv", "sgml", "tar"])
def test_documents_come_while_the_file_is_read(name: str) -> None:
    """The file has no end, so that whoever waits for it never gets a document."""
    text = "words " * 50
    make: dict[str, Callable[[int], bytes]] = {
        "jsonl": lambda n: json.dumps({"id": n, "text": text}).encode() + b"\n",
        "tsv": lambda n: f"{n}\t{text}\n".encode(),
        "sgml": lambda n: f"<DOC>\n<DOCNO>{n}</DOCNO>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n".encode(),
        "tar": lambda n: tar_of((f"{n}.txt", text.encode()))[:1024],
    }
    form = next(form for form in FORMATS if form.name == name)
    stream = io.BufferedReader(Endless(make[name](n) for n in count()))
    rows = form.read(stream, Problems("d"), {})
    assert [next(rows).docno for _ in range(3000)] == [str(n) for n in range(3000)]


def test_a_gzip_of_many_members_is_one_file() -> None:
    assert len(read(b"".join(gzip.compress(FT.replace("-3", f"-{n}").encode()) for n in range(4)))[0]) == 4
