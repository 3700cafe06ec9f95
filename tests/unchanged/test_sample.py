"""Bundles of earlier days, with rows of every kind, come in whole. One of the newest version goes out as the bytes that
came in; one of a version before goes out with all that it said, and what came later beside it.

sample/almanac-before.zip is exports/bundle.zip of `python -m tests.unchanged write`, made at commit a5b8d8e,
almanac-5.zip from when runs say what they were made from, almanac-6.zip from when series go along, and almanac-7.zip
from when coins decide what comes. Where what a bundle holds is changed on purpose, the samples stay: bundles made
before must come in after. A new version of bundles (`VERSION` in annotation/formats/bundle/rows.py) brings a sample of
its own, made in the same way.
"""

import json
import zipfile
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from annotation.exchange.steps.bundles.parts.part import part_classes
from annotation.formats.bundle.layout import MANIFEST, member_of
from annotation.formats.bundle.row_schema import later_fields
from annotation.formats.bundle.rows import VERSION, CollectionFacts

SAMPLES = sorted((Path(__file__).parent / "sample").glob("*.zip"))


def command(*arguments: str | Path) -> None:
    call_command(*map(str, arguments), stdout=StringIO(), stderr=StringIO())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_the_sample_has_rows_of_every_kind(sample: Path) -> None:
    with zipfile.ZipFile(sample) as bundle:
        assert [member.filename for member in bundle.infolist() if not member.file_size] == []


def test_there_is_a_sample_of_the_newest_version() -> None:
    assert VERSION in {version_of(members(sample)) for sample in SAMPLES}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_a_row_has_the_fields_of_its_version_and_no_other(sample: Path) -> None:
    """A field that comes or goes needs a new version, an `Absent` with `since` that version, and a sample of it."""
    bundle = members(sample)
    version = version_of(bundle)
    facts = json.loads(bundle[MANIFEST])["collection"]
    assert set(facts) == fields(CollectionFacts, version)
    parts = [part for part in part_classes() if part.since <= version]
    rows = {part.name: json.loads(bundle[member_of(part.name)].splitlines()[0]) for part in parts}
    assert {name: set(row) for name, row in rows.items()} == {part.name: fields(part.row, version) for part in parts}


def test_nothing_is_said_to_come_with_a_version_that_is_not_there_yet() -> None:
    kinds: list[type[Any]] = [CollectionFacts, *(part.row for part in part_classes())]
    assert {kind.__name__: later_fields(kind, VERSION) for kind in kinds if later_fields(kind, VERSION)} == {}
    assert [part.name for part in part_classes() if part.since > VERSION] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_it_comes_in_and_goes_out_the_same(sample: Path, tmp_path: Path) -> None:
    """Coming in, every snapshot and run is rebuilt and has to have the hash that it had."""
    command("create_admin", "boss")
    command("import_bundle", sample)
    command("export_bundle", "almanac", "--output", tmp_path / "again.zip")
    before, after = members(sample), members(tmp_path / "again.zip")
    is_older = version_of(before) < VERSION
    assert [name for name in after if name in before] == list(before)
    assert is_older or after.keys() == before.keys()
    if is_older or connection.vendor == "postgresql":  # jsonb keeps the keys of an object in an order of its own
        before, after = values(before), values(after)
    if is_older:
        after = {name: _as_said(after[name], before[name]) for name in before}
    assert [name for name in before if after[name] != before[name]] == []


def _as_said(rows: Any, earlier: Any) -> Any:
    """The rows with the fields of the earlier ones alone; what is not made of rows stays."""
    if not isinstance(earlier, list):
        return rows
    return [{name: row[name] for name in before} for row, before in zip(rows, earlier, strict=True)]


def values(members: dict[str, Any]) -> dict[str, Any]:
    """What the rows say, however their keys are ordered; without the manifest, which has hashes of their bytes."""
    rows = {name: list(map(json.loads, data.splitlines())) for name, data in members.items() if name.endswith(".jsonl")}
    return {name: rows.get(name, data) for name, data in members.items() if name != "bundle.json"}


def members(file: Path) -> dict[str, Any]:
    """By their names, in their order; unpacked, for the packing differs between versions of zlib."""
    with zipfile.ZipFile(file) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def version_of(bundle: Mapping[str, bytes]) -> int:
    return int(json.loads(bundle[MANIFEST])["version"])


def fields(kind: type[Any], version: int) -> set[str]:
    """Those of a bundle's row that bundles of the version have."""
    return set(kind.__dataclass_fields__) - later_fields(kind, version).keys()
