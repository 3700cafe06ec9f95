"""A bundle of an earlier day, with rows of every kind, comes in whole and goes out as the bytes that came in.

sample/almanac-before.zip is exports/bundle.zip of `python -m tests.unchanged write`, made at commit a5b8d8e. Where what
a bundle holds is changed on purpose, the sample stays: bundles made before must come in after.
"""

import json
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

SAMPLE = Path(__file__).parent / "sample" / "almanac-before.zip"


def command(*arguments: str | Path) -> None:
    call_command(*map(str, arguments), stdout=StringIO(), stderr=StringIO())


def test_the_sample_has_rows_of_every_kind() -> None:
    with zipfile.ZipFile(SAMPLE) as bundle:
        assert [member.filename for member in bundle.infolist() if not member.file_size] == []


@pytest.mark.django_db(transaction=True)
def test_it_comes_in_and_goes_out_the_same(tmp_path: Path) -> None:
    """Coming in, every snapshot and run is rebuilt and has to have the hash that it had."""
    command("create_admin", "boss")
    command("import_bundle", SAMPLE)
    command("export_bundle", "almanac", "--output", tmp_path / "again.zip")
    before, after = members(SAMPLE), members(tmp_path / "again.zip")
    assert list(after) == list(before)
    if connection.vendor == "postgresql":  # jsonb keeps the keys of an object in an order of its own
        before, after = values(before), values(after)
    assert [name for name in before if after[name] != before[name]] == []


def values(members: dict[str, Any]) -> dict[str, Any]:
    """What the rows say, however their keys are ordered; without the manifest, which has hashes of their bytes."""
    rows = {name: list(map(json.loads, data.splitlines())) for name, data in members.items() if name.endswith(".jsonl")}
    return {name: rows.get(name, data) for name, data in members.items() if name != "bundle.json"}


def members(file: Path) -> dict[str, Any]:
    """By their names, in their order; unpacked, for the packing differs between versions of zlib."""
    with zipfile.ZipFile(file) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}
