"""Files out by command: whole or not at all, never over another, and what is said of them."""

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import polars as pl
import pytest
from django.core.management import CommandError, call_command

from annotation.formats.judgments import COLUMNS, NAMED_COLUMNS
from annotation.gold.read.current import gold_rows
from annotation.kernel.store import MissingError
from annotation.models import AuditEvent, Collection
from annotation.trust.read.snapshots import qrels_path
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_collection, make_snapshot

pytestmark = pytest.mark.django_db
QRELS = "1 0 =1+1 2\n1 0 b -1\n"


@pytest.fixture
def bees() -> Collection:
    collection = make_collection("bees")
    make_worked(collection)
    make_snapshot(collection, QRELS, name="first round")
    return collection


def command(*words: str | Path) -> tuple[str, str]:
    """What it said on the standard output and on the standard error."""
    out, err = io.StringIO(), io.StringIO()
    call_command(*map(str, words), stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def refused(*words: str | Path) -> tuple[str, int]:
    with pytest.raises(CommandError) as fault:
        command(*words)
    return str(fault.value), fault.value.returncode


def test_qrels_in_every_form(bees: Collection, tmp_path: Path) -> None:
    place = tmp_path / "out"
    files = {}
    for form in ("trec", "jsonl", "csv", "parquet", "beir"):
        command("export_qrels", "bees", "first round", "--format", form, "--output", place, "--force")
        files[form] = place.read_bytes()
    assert files["trec"] == QRELS.encode()
    rows = [("1", "=1+1", 2), ("1", "b", -1)]
    objects = [json.loads(line) for line in files["jsonl"].splitlines()]
    assert [(each["number"], each["docno"], each["grade"]) for each in objects] == rows
    cells = list(csv.DictReader(io.StringIO(files["csv"].decode(), newline="")))
    assert [(each["number"], each["docno"], int(each["grade"])) for each in cells] == rows
    assert pl.read_parquet(files["parquet"]).select("number", "docno", "grade").rows() == rows
    with zipfile.ZipFile(io.BytesIO(files["beir"])) as archive:
        assert archive.read("qrels/test.tsv") == b"query-id\tcorpus-id\tscore\n1\t=1+1\t2\n"


def test_gold_comes_in_as_it_went_out(bees: Collection, tmp_path: Path) -> None:
    place = tmp_path / "gold.jsonl"
    command("export", "gold", "bees", "-o", place)
    assert place.read_bytes().count(b"\n") == gold_rows(bees).count() > 0
    summary = json.loads(command("import", "gold", "bees", place, "--dry-run", "--json")[0])
    assert (summary["n_problems"], summary["counts"]["New"]) == (0, 0)


def test_what_a_snapshot_dropped(bees: Collection, tmp_path: Path) -> None:
    """Worked by hand in tests/annotation/worked_campaign.py."""
    command("snapshot", "bees", "frozen")
    command("export", "dropped", "bees", "frozen", "-o", tmp_path / "dropped.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "dropped.jsonl").read_text().splitlines()]
    assert [(row["number"], row["docno"], row["reason"]) for row in rows] == [
        ("1", "d3", "grades from 0 to 2 are 2 apart, at most 1 allowed"),
        ("1", "d4", "1 of 3 judgments reliable, 2 needed"),
        ("1", "d5", "0 of 2 judgments reliable, 2 needed"),
    ]
    assert refused("export", "dropped", "bees", "first round") == ("Imported qrels have dropped nothing.", 1)


def test_what_was_written_is_told(bees: Collection, tmp_path: Path) -> None:
    place, sha = tmp_path / "q.txt", hashlib.sha256(QRELS.encode()).hexdigest()
    output = command("export_qrels", "bees", "first round", "--output", place)
    assert output == (f"written: {place}, {len(QRELS)} bytes, SHA-256 {sha}\n", "")
    out, err = command("export_qrels", "bees", "first round", "--output", place, "--force", "--json")
    assert (json.loads(out), err) == (
        {"file": str(place), "bytes": len(QRELS), "sha256": sha},
        "",
    )


def test_to_the_standard_output_only_the_file(bees: Collection, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert command("export_qrels", "bees", "first round") == ("", "")
    assert capsysbinary.readouterr().out == QRELS.encode()
    out, err = command("export_qrels", "bees", "first round", "--json")
    assert capsysbinary.readouterr().out == QRELS.encode()
    assert (out, json.loads(err)["file"]) == ("", None)


def test_judgments_in_every_form(bees: Collection, tmp_path: Path) -> None:
    heads, n_rows = {}, {}
    for form in ("csv", "jsonl", "parquet"):
        place = tmp_path / f"j.{form}"
        command("export_judgments", "bees", "--format", form, "--output", place)
        table = read(form, place)
        heads[form], n_rows[form] = tuple(table.columns), table.height
    assert heads == dict.fromkeys(heads, COLUMNS)
    assert n_rows == dict.fromkeys(heads, 50 + 17)
    assert not AuditEvent.objects.filter(verb="judgments exported with names").exists()


def read(form: str, place: Path) -> pl.DataFrame:
    if form == "csv":
        return pl.read_csv(place)
    return pl.read_ndjson(place) if form == "jsonl" else pl.read_parquet(place)


def test_names_are_asked_for_and_stand_in_the_record(bees: Collection, tmp_path: Path) -> None:
    place = tmp_path / "named.csv"
    command("export_judgments", "bees", "--named", "--output", place)
    assert tuple(pl.read_csv(place).columns) == NAMED_COLUMNS
    event = AuditEvent.objects.get(verb="judgments exported with names")
    assert (event.collection, event.actor, event.detail) == (bees, None, {"form": "csv"})


def test_another_file_is_replaced_only_by_force(bees: Collection, tmp_path: Path) -> None:
    place = tmp_path / "q.txt"
    place.write_text("mine")
    message = f"{place}: there is such a file already; --force replaces it."
    assert refused("export_judgments", "bees", "--named", "--output", place) == (message, 2)
    assert place.read_text() == "mine"
    assert not AuditEvent.objects.filter(verb="judgments exported with names").exists()
    command("export_qrels", "bees", "first round", "--output", place, "--force")
    assert place.read_text() == QRELS


def test_after_a_fault_nothing_is_left(bees: Collection, tmp_path: Path) -> None:
    stored = qrels_path(bees.snapshots.get())
    stored.write_bytes(b"1 0 a 1\n" * 20_000 + b"damaged\n")
    out = tmp_path / "out"
    out.mkdir()
    reason, code = refused("export_qrels", "bees", "first round", "--format", "csv", "--output", out / "q.csv")
    assert (f"the stored file {stored.name} is damaged" in reason, code) == (True, 1)
    stored.unlink()
    with pytest.raises(MissingError, match=stored.name):
        command("export_qrels", "bees", "first round", "--output", out / "q.txt")
    assert list(out.iterdir()) == []


def test_what_is_not_there_is_said(bees: Collection, tmp_path: Path) -> None:
    assert refused("export_qrels", "wasps", "one") == ("There is no collection wasps.", 2)
    assert refused("export_qrels", "bees", "one") == ("There is no snapshot one in this collection.", 2)
    nowhere = tmp_path / "nowhere" / "q.txt"
    reason, code = refused("export_qrels", "bees", "first round", "--output", nowhere)
    assert (reason.endswith("No such file or directory"), code) == (True, 2)
    with pytest.raises(CommandError, match="invalid choice"):
        command("export_judgments", "bees", "--format", "xls")
