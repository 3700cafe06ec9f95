"""Files that are no text are named as what they are, whatever they were sent as."""

import gzip
import io
import struct
import zipfile

import pytest

from annotation.formats import documents, gold, outside, pairs, qrels, topics
from annotation.formats.file_formats import recognise_format
from annotation.formats.foreign import foreign, foreign_but_packed
from annotation.formats.problems import FormatError, Problems
from evaluation.formats import run


def zipped(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return stream.getvalue()


PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR\n\xff\xfe\n\x80\n\x81\n"
XLSX = zipped("[Content_Types].xml", "xl/workbook.xml")
FILES = {
    "picture": [PNG, b"\xff\xd8\xff\xe0JFIF", b"GIF89a....", b"RIFF\0\0\0\0WEBPVP8 "],
    "PDF": [b"%PDF-1.7\n%\xe2\xe3\n"],
    "spreadsheet": [XLSX],
    "old Excel": [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest"],
    "Parquet": [b"PAR1rest"],
}
FAMILIES = [topics, documents, qrels, gold, pairs, outside, run]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
@pytest.mark.parametrize(("word", "data"), [(word, data) for word, those in FILES.items() for data in those])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_one_reason_in_every_kind(family: object, word: str, data: bytes, pack: type[bytes]) -> None:
    with pytest.raises(FormatError) as fault:
        recognise_format(family.FORMATS, io.BytesIO(pack(data)), Problems("x"))  # type: ignore[attr-defined]
    assert [problem.reason.partition(word)[1] for problem in fault.value.problems] == [word]


def test_text_and_zips() -> None:
    assert (foreign(b"1\tbees\n"), foreign(b"")) == ("", "")
    assert (bool(foreign(zipped("a.txt"))), foreign_but_packed(zipped("a.txt"))) == (True, "")
    assert foreign_but_packed(XLSX) == foreign(XLSX)
