"""What is written into a bundle is what is read out of it, and the same rows give the same bytes."""

import hashlib
import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from annotation.formats.bundle import Bundle, BundleWriter, is_bundle, open_bundle
from annotation.formats.bundle.layout import MemberFacts
from annotation.formats.bundle.row_schema import line_of, row_of
from annotation.formats.bundle.rows import AnnotatorRow, CollectionFacts, GoldRow, TopicVersionRow
from annotation.formats.objects import Json
from annotation.formats.problems import Problems

FACTS = CollectionFacts("bees", "Bees", "All about bees.", "en", {"good": 0.9}, 1, None)
PEOPLE = [AnnotatorRow("Amber", simulated=False), AnnotatorRow("Birk “ü”", simulated=True)]
TEXTS = [TopicVersionRow("1", "a" * 64, "Bees\u2028and\x85honey", "", "line\nbreak\t“\\”", is_current=True)]
KINDS = {"annotators": 1, "topic_versions": 1}
QRELS = b"1 0 d1 3\n"
QRELS_SHA = hashlib.sha256(QRELS).hexdigest()


def written(tmp_path: Path, *, facts: CollectionFacts = FACTS) -> bytes:
    stored = tmp_path / "qrels"
    stored.write_bytes(QRELS)
    file = io.BytesIO()
    with BundleWriter(file) as bundle:
        bundle.add_rows("annotators", PEOPLE)
        bundle.add_rows("topic_versions", TEXTS)
        bundle.add_file(QRELS_SHA, stored)
        bundle.add_file(QRELS_SHA, stored)
        bundle.finish(facts)
    return file.getvalue()


def opened(data: bytes) -> Bundle:
    return open_bundle(io.BytesIO(data), Problems("my.zip"), kinds=KINDS)


def test_rows_files_and_facts_come_back(tmp_path: Path) -> None:
    bundle, problems = opened(written(tmp_path)), Problems("rows")
    assert bundle.manifest.collection == FACTS
    assert [row for _, row in bundle.rows("annotators", AnnotatorRow, problems)] == PEOPLE
    assert list(bundle.rows("topic_versions", TopicVersionRow, problems)) == [(1, TEXTS[0])]
    assert bundle.open(f"files/{QRELS_SHA}").read() == QRELS
    assert list(problems) == []


def test_the_manifest_says_rows_bytes_and_hash_of_each_member(tmp_path: Path) -> None:
    amber = '{"pseudonym":"Amber","simulated":false,"kind":"person"}\n'
    lines = f'{amber}{{"pseudonym":"Birk “ü”","simulated":true,"kind":"person"}}\n'.encode()
    members = opened(written(tmp_path)).manifest.members
    assert members["annotators.jsonl"] == MemberFacts(hashlib.sha256(lines).hexdigest(), len(lines), 2)
    assert members[f"files/{QRELS_SHA}"] == MemberFacts(QRELS_SHA, len(QRELS), None)
    assert len(members) == 3


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    assert written(tmp_path) == written(tmp_path)
    other = opened(written(tmp_path, facts=replace(FACTS, slug="wasps"))).manifest
    assert other.members == opened(written(tmp_path)).manifest.members


def test_verifying_reads_every_byte(tmp_path: Path) -> None:
    bundle, seen = opened(written(tmp_path)), list[int]()
    bundle.verify(seen.append)
    assert seen[-1] == bundle.size > 0


def test_a_damaged_stored_file_is_not_packed(tmp_path: Path) -> None:
    stored = tmp_path / "qrels"
    stored.write_bytes(b"other")
    with BundleWriter(io.BytesIO()) as bundle, pytest.raises(ValueError, match="is damaged"):
        bundle.add_file(QRELS_SHA, stored)


def test_a_bundle_is_told_by_its_content(tmp_path: Path) -> None:
    stream = io.BytesIO(written(tmp_path))
    assert (is_bundle(stream), stream.tell()) == (True, 0)
    assert not is_bundle(io.BytesIO(b"PK\x03\x04 nothing"))
    assert not is_bundle(io.BytesIO(b""))


def test_times_are_told_in_utc() -> None:
    here = datetime(2026, 1, 31, 14, 30, 0, 250, tzinfo=timezone(timedelta(hours=2)))
    row = GoldRow("1", "d1", "relevance", 1, "set", 3, [2, 3], "", "It names the law.", here)
    line = line_of(row)
    assert b'"created_at":"2026-01-31T12:30:00.000250+00:00"' in line
    assert row.created_at.astimezone(UTC).hour == 12


GOOD = {
    "number": "1",
    "docno": "d1",
    "criterion": "relevance",
    "scale": 1,
    "action": "set",
    "grade": 3,
    "accepted": [3],
    "reason": "",
    "explanation": "",
    "created_at": "2026-01-31T12:30:00+00:00",
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"number": ""}, "number: the topic number is empty"),
        ({"docno": "d 1"}, "docno: the docno 'd 1' contains white space"),
        ({"criterion": "x" * 51}, "criterion: 51 characters, at most 50 are allowed"),
        ({"scale": 0}, "scale: 0 is not from 1 to 2147483647"),
        ({"scale": True}, "scale: a whole number is expected"),
        ({"action": "drop"}, "action: 'drop' is none of set, withdraw"),
        ({"grade": 3.0}, "grade: a whole number is expected"),
        ({"grade": 2**70}, "grade: the number has more than 64 bits"),
        ({"accepted": 3}, "accepted: a list is expected"),
        ({"accepted": ["3"]}, "accepted: a whole number is expected"),
        ({"reason": None}, "reason: a string is expected"),
        ({"reason": "\ud800"}, "reason: the text contains half of a surrogate pair"),
        ({"created_at": "yesterday"}, "created_at: a time as in 2026-01-31T12:00:00+00:00 is expected"),
        ({"created_at": "2026-01-31T12:30:00"}, "created_at: the time has no time zone"),
        ({"id": 7}, "the key 'id' is unknown"),
    ],
)
def test_a_row_that_does_not_fit_is_refused_by_key(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        row_of(GoldRow, {**GOOD, **change})  # type: ignore[dict-item]


def test_a_missing_key_is_named() -> None:
    with pytest.raises(ValueError, match="the key 'grade' is missing"):
        row_of(GoldRow, {name: value for name, value in GOOD.items() if name != "grade"})  # type: ignore[misc]


def test_what_may_be_null_may_be() -> None:
    assert row_of(GoldRow, {**GOOD, "action": "withdraw", "grade": None}).grade is None  # type: ignore[dict-item]


def test_a_field_may_be_missing_from_bundles_of_before_it_came() -> None:
    fields: dict[str, Json] = {"pseudonym": "Amber", "simulated": False}
    for version in (1, 2):
        assert row_of(AnnotatorRow, fields, version=version) == AnnotatorRow("Amber", simulated=False, kind="person")
    for now in (3, None):
        with pytest.raises(ValueError, match="'kind' is missing"):
            row_of(AnnotatorRow, fields, version=now)
