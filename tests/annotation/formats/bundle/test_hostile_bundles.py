"""Zips that are no bundles, or not any more: each is refused with a reason, and nothing is unpacked first."""

import hashlib
import io
import json
import struct
import warnings
import zipfile
from collections.abc import Callable, Mapping

import pytest

from annotation.formats.bundle import Bundle, open_bundle
from annotation.formats.bundle.rows import VERSION, AnnotatorRow
from annotation.formats.bundle.zip_archive import ZipLimits
from annotation.formats.problems import FormatError, Problems

KINDS = {"annotators": 1}
LINE = b'{"pseudonym":"Amber","simulated":false,"kind":"person"}\n'
MEMBER = "annotators.jsonl"


QUALITY = {"alerts": None, "cost_per_judgment": None, "currency": ""}


def manifest(members: Mapping[str, bytes], /, **changes: object) -> bytes:
    facts = {
        name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "rows": 1}
        for name, data in members.items()
    }
    basics = {"slug": "bees", "name": "Bees", "description": "", "language": "", "watch": None}
    collection = {**basics, "scale": None, "guideline": None, "pausing": None, "pause_note": "", **QUALITY}
    content = {"format": "touchstone bundle", "version": VERSION, "collection": collection, "members": facts}
    return json.dumps({**content, **changes}).encode()


def packed(
    members: Mapping[str, bytes], manifest_bytes: bytes | None = None, method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr("bundle.json", manifest(members) if manifest_bytes is None else manifest_bytes)
    return file.getvalue()


GOOD = packed({MEMBER: LINE})


def read(data: bytes, **limits: int) -> Bundle:
    bundle = open_bundle(io.BytesIO(data), Problems("my.zip"), kinds=KINDS, limits=ZipLimits(**limits))
    bundle.verify(lambda _done: None)
    problems = Problems(MEMBER)
    list(bundle.rows("annotators", AnnotatorRow, problems))
    problems.check()
    return bundle


def twice() -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(MEMBER, LINE)
        archive.writestr(MEMBER, LINE)
    return file.getvalue()


def flipped(data: bytes, at: bytes, offset: int) -> bytes:
    """One byte changed, `offset` after the first occurrence of `at`."""
    place = data.index(at) + offset
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


def encrypted() -> bytes:
    at = GOOD.index(b"PK\x01\x02") + 8
    return GOOD[:at] + struct.pack("<H", 1) + GOOD[at + 2 :]


def link() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        facts = zipfile.ZipInfo(MEMBER)
        facts.external_attr, facts.create_system = 0o120777 << 16, 3
        archive.writestr(facts, "/etc/passwd")
    return file.getvalue()


def huge_directory() -> bytes:
    at = GOOD.rindex(b"PK\x05\x06") + 12
    return GOOD[:at] + struct.pack("<I", 1 << 30) + GOOD[at + 4 :]


def wrong_size() -> bytes:
    facts = {MEMBER: {"sha256": hashlib.sha256(LINE).hexdigest(), "size": 7, "rows": 1}}
    return packed({MEMBER: LINE}, manifest({MEMBER: LINE}, members=facts))


def wrong_hash() -> bytes:
    facts = {MEMBER: {"sha256": "0" * 64, "size": len(LINE), "rows": 1}}
    return packed({MEMBER: LINE}, manifest({MEMBER: LINE}, members=facts))


def overlapping() -> bytes:
    """Two members whose entries point at the same packed bytes, each said to be nearly as large as the archive."""
    noise = hashlib.sha256(b"noise").digest() * 40
    data = packed({MEMBER: noise, "files/" + "a" * 64: b""}, method=zipfile.ZIP_STORED)
    first = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", first + 4)
    return data[: second + 20] + data[first + 20 : first + 28] + data[second + 28 :]


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "my.zip: this is no zip archive, or it is cut short"),
    "text": (lambda: b"number\ttitle\n1\tbees\n", "my.zip: this is no zip archive, or it is cut short"),
    "cut short": (lambda: GOOD[:-30], "my.zip: this is no zip archive, or it is cut short"),
    "directory too large": (
        huge_directory,
        "my.zip: the list of members takes 1073741824 bytes, at most 16777216 are allowed",
    ),
    "foreign zip": (
        lambda: packed({"a.txt": b"a"}).replace(b"bundle.json", b"bundle.jsom"),
        "my.zip: this is no bundle of Touchstone: there is no bundle.json in it",
    ),
    "path upwards": (
        lambda: packed({"../annotators.jsonl": LINE}),
        "my.zip: the member '../annotators.jsonl' has a name that leads out of the archive",
    ),
    "absolute path": (
        lambda: packed({"/etc/passwd": LINE}),
        "my.zip: the member '/etc/passwd' has a name that leads out of the archive",
    ),
    "empty part of a path": (
        lambda: packed({"files//annotators": LINE}),
        "my.zip: the member 'files//annotators' has a name that leads out of the archive",
    ),
    "windows path": (
        lambda: packed({"C:annotators": LINE}),
        "my.zip: the member 'C:annotators' has a name with characters that are not allowed",
    ),
    "name unseen": (
        lambda: packed({"annot\u202eators": LINE}),
        "my.zip: the member 'annot\\u202eators' has a name with characters that are not allowed",
    ),
    "member twice": (twice, "my.zip: the member 'annotators.jsonl' stands twice"),
    "encrypted": (encrypted, "my.zip: the member 'annotators.jsonl' is encrypted"),
    "bzip2": (
        lambda: packed({MEMBER: LINE}, method=zipfile.ZIP_BZIP2),
        "my.zip: the member 'annotators.jsonl' is packed in a way that is not read here: pack with deflate",
    ),
    "link": (link, "my.zip: the member 'annotators.jsonl' is a link or a device, not a file"),
    "bomb": (
        lambda: packed({MEMBER: b"\0" * (17 << 20)}),
        "my.zip: the member 'annotators.jsonl' unpacks to more than 400 times its size",
    ),
    "overlap": (overlapping, "my.zip: the members overlap"),
    "manifest no JSON": (lambda: packed({MEMBER: LINE}, b"{"), "bundle.json: Expecting property name"),
    "manifest nested": (lambda: packed({MEMBER: LINE}, b"[" * 100_000), "bundle.json: nested too deeply"),
    "manifest of two sayings": (
        lambda: packed({MEMBER: LINE}, b'{"format": 1, "format": 2}'),
        "bundle.json: the key 'format' stands twice",
    ),
    "manifest a list": (lambda: packed({MEMBER: LINE}, b"[]"), "bundle.json: an object is expected"),
    "another format": (
        lambda: packed({MEMBER: LINE}, manifest({MEMBER: LINE}, format="other")),
        "bundle.json: this is no touchstone bundle: its format is not 'touchstone bundle'",
    ),
    "a later version": (
        lambda: packed({MEMBER: LINE}, manifest({MEMBER: LINE}, version=VERSION + 1)),
        f"bundle.json: a bundle of version {VERSION + 1}; this program reads versions 1 to {VERSION}",
    ),
    "further key": (
        lambda: packed({MEMBER: LINE}, manifest({MEMBER: LINE}, owner="x")),
        "bundle.json: exactly format, version, collection and members are expected",
    ),
    "collection without name": (
        lambda: packed({MEMBER: LINE}, manifest({MEMBER: LINE}, collection={"slug": "bees"})),
        "bundle.json: collection: the key 'alerts' is missing",
    ),
    "language that is none": (
        lambda: packed({MEMBER: LINE}, manifest({MEMBER: LINE}).replace(b'"language": ""', b'"language": "jp"')),
        "bundle.json: collection: language: no language has the code 'jp'",
    ),
    "watch that is none": (
        lambda: packed({MEMBER: LINE}, manifest({MEMBER: LINE}).replace(b'"watch": null', b'"watch": 0.85')),
        "bundle.json: collection: watch: an object is expected",
    ),
    "language spelt otherwise": (
        lambda: packed({MEMBER: LINE}, manifest({MEMBER: LINE}).replace(b'"language": ""', b'"language": "EN"')),
        "bundle.json: collection: language: 'EN' is spelt en",
    ),
    "no hash": (
        lambda: packed(
            {MEMBER: LINE}, manifest({MEMBER: LINE}, members={MEMBER: {"sha256": "x", "size": 1, "rows": 1}})
        ),
        "bundle.json: annotators.jsonl: sha256: 'x' is no SHA-256 in hex",
    ),
    "member not named": (
        lambda: packed({MEMBER: LINE, "notes.txt": b"x"}, manifest({MEMBER: LINE})),
        "my.zip: bundle.json does not name the member 'notes.txt'",
    ),
    "member missing": (
        lambda: packed({}, manifest({MEMBER: LINE})),
        "my.zip: the member annotators.jsonl is missing",
    ),
    "kind missing": (lambda: packed({}), "my.zip: bundle.json does not name the member annotators.jsonl"),
    "unknown member": (
        lambda: packed({MEMBER: LINE, "accounts.jsonl": LINE}),
        "my.zip: the member 'accounts.jsonl' is none that a bundle has",
    ),
    "file under a wrong name": (
        lambda: packed({MEMBER: LINE, "files/ABC": LINE}),
        "my.zip: the member 'files/ABC' is none that a bundle has",
    ),
    "wrong size": (wrong_size, "my.zip: the member annotators.jsonl has 56 bytes, bundle.json says 7"),
    "wrong hash": (wrong_hash, "annotators.jsonl: its SHA-256 is not the one that bundle.json gives"),
    "flipped byte": (
        lambda: flipped(packed({MEMBER: LINE}, method=zipfile.ZIP_STORED), LINE, 3),
        "annotators.jsonl: the member is damaged (Bad CRC-32",
    ),
    "row of another kind": (
        lambda: packed({MEMBER: b'{"pseudonym":"Amber"}\n'}),
        "annotators.jsonl:1: the key 'kind' is missing",
    ),
    "row with an account": (
        lambda: packed({MEMBER: LINE + b'{"pseudonym":"Birk","simulated":false,"kind":"person","user":"birk"}\n'}),
        "annotators.jsonl:2: the key 'user' is unknown",
    ),
    "row no JSON": (lambda: packed({MEMBER: LINE + b"Birk\n"}), "annotators.jsonl:2: not a JSON object"),
    "row not UTF-8": (
        lambda: packed({MEMBER: b'{"pseudonym":"\xff","simulated":false}\n'}),
        "annotators.jsonl:1: not UTF-8 at byte 15 of the line (0xff)",
    ),
}


def test_the_good_one_is_read() -> None:
    assert read(GOOD).manifest.members[MEMBER].rows == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_refused_with_its_reason(name: str) -> None:
    make, message = HOSTILE[name]
    with pytest.raises(FormatError) as refused:
        read(make())
    assert any(str(problem).startswith(message) for problem in refused.value.problems), refused.value.problems


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"members": 1}, "my.zip: 2 members, at most 1 are allowed"),
        ({"unpacked": 10}, "my.zip: larger than the limit of 10 bytes (unpacked)"),
    ],
)
def test_limits(limits: dict[str, int], message: str) -> None:
    with pytest.raises(FormatError) as refused:
        read(GOOD, **limits)
    assert [str(problem) for problem in refused.value.problems] == [message]


def outcome(data: bytes) -> str:
    try:
        read(data)
    except FormatError as refused:
        return str(refused)
    return ""


def test_nothing_but_its_own_error_escapes_from_damaged_bytes() -> None:
    damaged = [GOOD[:at] + bytes([GOOD[at] ^ 0x5A]) + GOOD[at + 1 :] for at in range(len(GOOD))]
    refused = [message for data in damaged if (message := outcome(data))]
    assert len(refused) > len(GOOD) // 2
