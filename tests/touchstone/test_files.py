"""`manage.py files` names what is missing, damaged or nobody's, and takes away what is nobody's and old."""

import io
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from annotation.formats.store import INCOMING
from annotation.kernel.store import incoming_file, path_of, put, verify
from annotation.kernel.visible import STAGED
from annotation.models import AuditEvent, Collection, Import
from annotation.trust.steps.deletion import delete_snapshot
from evaluation.models import Run
from evaluation.runs.steps.deletion import delete_run
from tests.commands import ran
from tests.factories import make_collection, make_run, make_snapshot, make_user
from touchstone.management.commands import files

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("sql")]


def answer_of(*words: str) -> tuple[dict[str, Any], int]:
    """The JSON answer and the exit code."""
    out, code = io.StringIO(), 0
    try:
        call_command("files", *words, "--json", stdout=out, stderr=io.StringIO())
    except CommandError as refused:
        code = refused.returncode
    return json.loads(out.getvalue()), code


def kept(data: bytes, *, days: float = 2) -> str:
    sha = put(data)
    age(path_of(sha), days)
    return sha


def age(path: Path, days: float) -> None:
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))


def test_what_nobody_names_and_what_is_gone() -> None:
    collection = make_collection()
    run, lost = make_run(collection, "1 Q0 a 1 1 here\n"), make_run(collection, "1 Q0 a 1 1 lost\n")
    waiting, nobodys, young = kept(b"waiting"), kept(b"nobody's"), kept(b"young", days=0.5)
    preview = {"facts": {"sha256": waiting}}
    Import.objects.create(collection=collection, kind="run", filename="r", sha256=kept(b"own"), preview=preview)
    age(path_of(run.sha256), 2)
    for name, days in (("old", 2.0), ("new", 0.0)):
        place = settings.TOUCHSTONE_FILES / f"{INCOMING}{name}"
        place.touch()
        age(place, days)
    path_of(lost.sha256).unlink()
    answer, code = answer_of()
    assert code == 1
    assert answer["missing"] == {lost.sha256: "evaluation_run.sha256"}
    assert (answer["unnamed"], answer["damaged"], answer["left"]) == ([nobodys], [], [f"{INCOMING}old"])
    assert answer["n_files"] == 5
    assert path_of(nobodys).exists()
    assert path_of(young).exists()


def test_every_byte_is_read_where_asked() -> None:
    run = make_run(make_collection(), "1 Q0 a 1 1 here\n")
    assert answer_of("--verify") == ({**answer_of()[0], "damaged": []}, 0)
    path_of(run.sha256).write_bytes(b"other")
    assert answer_of()[1] == 0, "only looked at"
    answer, code = answer_of("--verify")
    assert (answer["damaged"], code) == ([run.sha256], 1)
    out = io.StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("files", "--verify", stdout=out, stderr=io.StringIO())
    assert str(refused.value) == "0 files are missing, 1 damaged."
    assert f"damaged: {run.sha256}" in out.getvalue()


def test_an_empty_installation_has_nothing_wrong() -> None:
    assert answer_of("--verify") == (
        {
            **dict.fromkeys(("n_files", "n_bytes", "n_named", "n_unnamed_bytes"), 0),
            "missing": {},
            **{name: [] for name in ("damaged", "unnamed", "left", "removed")},
        },
        0,
    )
    assert Run.objects.count() == 0


SWEEP = ("--remove", "--older-than", "30")


def test_what_is_nobodys_and_old_is_taken_away_and_nothing_else() -> None:
    collection = make_collection()
    run = make_run(collection, "1 Q0 a 1 1 here\n")
    age(path_of(run.sha256), 99)
    staged = Collection.objects.create(slug=f"{STAGED}x", name="On its way")
    Import.objects.create(collection=staged, kind="run", filename="r", sha256=kept(b"staged", days=99))
    old, young = kept(b"old", days=31), kept(b"young", days=29)
    place = settings.TOUCHSTONE_FILES / f"{INCOMING}old"
    place.touch()
    age(place, 31)
    tried, done = answer_of(*SWEEP, "--dry-run"), answer_of(*SWEEP)
    assert (tried[1], tried[0]["unnamed"], tried[0]["removed"], tried[0]["n_unnamed_bytes"]) == (0, [old], [], 3)
    assert (done[1], done[0]["removed"], done[0]["left"]) == (0, [old], [place.name])
    assert answer_of(*SWEEP)[0]["removed"] == []
    there = {path.name for path in settings.TOUCHSTONE_FILES.rglob("*") if path.is_file()}
    assert there == {run.sha256, young, kept(b"staged")}
    event = AuditEvent.objects.get(verb="files removed")
    assert event.detail == {"n": 1, "n_left": 1}


def test_the_files_of_a_run_and_qrels_that_were_deleted_go_with_time() -> None:
    """The record says which they were, and keeps none of them."""
    lead = make_user()
    collection = make_collection(admin=lead)
    run, snapshot = make_run(collection, "1 Q0 a 1 1 here\n"), make_snapshot(collection, "1 0 a 1\n")
    make_run(collection, "1 Q0 a 1 1 other\n")
    delete_run(run, actor=lead)
    delete_snapshot(snapshot, actor=lead)
    shas = sorted([run.sha256, snapshot.qrels_sha256])
    assert answer_of(*SWEEP)[0]["removed"] == []
    for sha in shas:
        age(path_of(sha), 31)
    assert answer_of(*SWEEP)[0]["removed"] == shas


def test_a_file_that_is_being_written_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """One on its way, and one whose bytes are stored again, with the row that names them, once it has been listed."""
    collection = make_collection()
    make_run(collection, "1 Q0 a 1 1 here\n")
    old = kept(b"again", days=99)
    report = files._file_report

    def listed_before_it_is_stored_again(*arguments: Any, **options: Any) -> Any:
        listed = report(*arguments, **options)
        put(b"again")
        Import.objects.create(collection=collection, kind="run", filename="r", sha256=old)
        return listed

    monkeypatch.setattr(files, "_file_report", listed_before_it_is_stored_again)
    with incoming_file() as incoming:
        incoming.take(b"half")
        answer, code = answer_of(*SWEEP)
        assert (code, answer["unnamed"], answer["removed"], answer["left"]) == (0, [old], [], [])
        incoming.take(b" and half")
        whole = incoming.settle()
    monkeypatch.undo()
    assert [verify(sha) for sha in (old, whole)] == [True, True]
    assert answer_of(*SWEEP)[0]["missing"] == {}


def test_nothing_is_taken_away_where_the_database_may_be_another(tmp_path: Path) -> None:
    old = kept(b"old", days=99)
    assert (answer_of(*SWEEP)[1], answer_of(*SWEEP, "--dry-run")[1], answer_of()[1]) == (1, 1, 0)
    run = make_run(make_collection(), "1 Q0 a 1 1 here\n")
    path_of(run.sha256).unlink()
    assert (answer_of(*SWEEP)[1], answer_of(*SWEEP, "--dry-run")[1]) == (1, 1)
    assert path_of(old).exists()


@pytest.mark.parametrize("words", [("--remove",), ("--remove", "--older-than", "0"), ("--older-than", "-3")])
def test_an_age_is_to_be_stated(words: tuple[str, ...]) -> None:
    assert ran("files", *words, "--json").code == 2
