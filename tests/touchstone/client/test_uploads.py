"""Files on their way in: whole, from whatever holds them, and as often as they have to be sent."""

import gzip
import io
import os
from pathlib import Path
from typing import IO

import httpx
import pytest

from tests.touchstone.client.wires import Pauses, Server, client_of, pauses
from touchstone.client.uploads import File

__all__ = ["pauses"]
pytestmark = pytest.mark.pure

TOPICS = b"70\tWhich birds sing at night\n" * 50
TAKEN = httpx.Response(202, json={"id": 12, "job_url": "https://elsewhere/jobs/t"})


def part_of(body: bytes, name: str) -> tuple[str, bytes]:
    """Heading and content of a part of a form."""
    (part,) = [part for part in body.split(b"\r\n--") if f'name="{name}"'.encode() in part]
    heading, _, content = part.partition(b"\r\n\r\n")
    return heading.decode(), content


def pipe() -> IO[bytes]:
    reading, writing = os.pipe()
    os.write(writing, TOPICS)
    os.close(writing)
    return os.fdopen(reading, "rb")


def zipped(path: Path) -> IO[bytes]:
    path.write_bytes(gzip.compress(TOPICS))
    return gzip.open(path)  # type: ignore[return-value]


def test_files_come_whole_and_a_second_time_as_the_first(tmp_path: Path, pauses: Pauses) -> None:
    path = tmp_path / "topics.tsv"
    path.write_bytes(TOPICS)
    with path.open("rb") as opened, zipped(tmp_path / "topics.gz") as unzipped:
        files: list[tuple[File, str]] = [
            *((path, "topics.tsv"), (str(path), "topics.tsv"), (opened, "topics.tsv")),
            *((io.BytesIO(TOPICS), "content"), (pipe(), "content"), (unzipped, "topics.gz")),
        ]
        for file, name in files:
            server = Server([httpx.WriteError("lost"), TAKEN])
            work = client_of(server).collection("bees").imports.bring(file, kind="topics", publish=True, format="tsv")
            assert work.id == 12
            for request, body in zip(server.requests, server.bodies, strict=True):
                heading, content = part_of(body, "file")
                assert (content, f'filename="{name}"' in heading) == (TOPICS, True)
                assert request.headers["Content-Length"] == str(len(body))
            assert len(server.bodies) == 2
            assert len({*server.keys}) == 1


def test_an_open_file_is_sent_from_where_it_stands() -> None:
    file = io.BytesIO(b"header\n" + TOPICS)
    file.readline()
    server = Server([TAKEN])
    client_of(server).collection("bees").imports.bring(file, kind="topics", filename="t.tsv")
    heading, content = part_of(server.bodies[0], "file")
    assert (content, 'filename="t.tsv"' in heading) == (TOPICS, True)


def test_the_fields_of_a_form() -> None:
    server = Server([TAKEN])
    imports = client_of(server).collection("bees").imports
    imports.bring(io.BytesIO(b"x"), kind="gold", publish=True, columns={"docno": "passage"}, grades="1=2")
    names = ("kind", "publish", "columns", "grades")
    sent = [part_of(server.bodies[0], name)[1] for name in names]
    assert sent == [b"gold", b"true", b'{"docno": "passage"}', b"1=2"]


def test_a_file_that_is_not_there_is_said_so() -> None:
    server = Server([TAKEN])
    with pytest.raises(FileNotFoundError):
        client_of(server).collection("bees").imports.bring("nowhere", kind="topics")
    assert server.requests == []
