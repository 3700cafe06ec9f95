"""`manage.py files` names what is missing, damaged or nobody's, and changes nothing."""

import io
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from annotation.formats.store import INCOMING, path_of, put
from annotation.models import Import
from evaluation.models import Run
from tests.factories import make_collection, make_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("sql")]


def told(*words: str) -> tuple[dict[str, Any], int]:
    """The JSON answer and the exit code."""
    out, code = io.StringIO(), 0
    try:
        call_command("files", *words, "--json", stdout=out, stderr=io.StringIO())
    except CommandError as refused:
        code = refused.returncode
    return json.loads(out.getvalue()), code


def kept(data: bytes, *, days: float = 2) -> str:
    sha = put(settings.TOUCHSTONE_FILES, data)
    age(path_of(settings.TOUCHSTONE_FILES, sha), days)
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
    age(path_of(settings.TOUCHSTONE_FILES, run.sha256), 2)
    for name, days in (("old", 2.0), ("new", 0.0)):
        place = settings.TOUCHSTONE_FILES / f"{INCOMING}{name}"
        place.touch()
        age(place, days)
    path_of(settings.TOUCHSTONE_FILES, lost.sha256).unlink()
    found, code = told()
    assert code == 1
    assert found["missing"] == {lost.sha256: "evaluation_run.sha256"}
    assert (found["unnamed"], found["damaged"], found["left"]) == ([nobodys], [], [f"{INCOMING}old"])
    assert found["n_files"] == 5
    assert path_of(settings.TOUCHSTONE_FILES, nobodys).exists()
    assert path_of(settings.TOUCHSTONE_FILES, young).exists()


def test_every_byte_is_read_where_asked() -> None:
    run = make_run(make_collection(), "1 Q0 a 1 1 here\n")
    assert told("--verify") == ({**told()[0], "damaged": []}, 0)
    path_of(settings.TOUCHSTONE_FILES, run.sha256).write_bytes(b"other")
    assert told()[1] == 0, "only looked at"
    found, code = told("--verify")
    assert (found["damaged"], code) == ([run.sha256], 1)
    out = io.StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("files", "--verify", stdout=out, stderr=io.StringIO())
    assert str(refused.value) == "0 files are missing, 1 damaged."
    assert f"damaged: {run.sha256}" in out.getvalue()


def test_an_empty_installation_has_nothing_wrong() -> None:
    assert told("--verify") == (
        {"n_files": 0, "n_bytes": 0, "missing": {}, "damaged": [], "unnamed": [], "left": []},
        0,
    )
    assert Run.objects.count() == 0
