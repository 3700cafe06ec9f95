"""Runs out by command, and in again."""

import gzip
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import Run
from tests.factories import make_collection, make_run

pytestmark = pytest.mark.django_db
RUN = "1 Q0 b 1 3.5 me\n1 Q0 x 2 2.0 me\n1 Q0 c 3 2.0 me\n2 Q0 =1 1 1.0 me\n"


def command(*words: str | Path) -> tuple[str, str]:
    """What it said on the standard output and on the standard error."""
    out, err = io.StringIO(), io.StringIO()
    call_command("export_run", *map(str, words), stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def refused(*words: str | Path) -> tuple[str, int]:
    with pytest.raises(CommandError) as fault:
        command(*words)
    return str(fault.value), fault.value.returncode


@pytest.mark.parametrize("form", ["trec", "gzip", "jsonl"])
def test_what_went_out_comes_in_the_same(form: str, tmp_path: Path) -> None:
    run, place = make_run(make_collection("bees"), RUN), tmp_path / "run"
    command("bees", "me", "--format", form, "--output", place)
    make_collection("wasps")
    call_command("import_run", "wasps", str(place), stdout=io.StringIO())
    assert Run.objects.get(collection__slug="wasps").sha256 == run.sha256


def test_to_the_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    make_run(make_collection("bees"), RUN)
    assert command("bees", "me") == ("", "")
    assert capsysbinary.readouterr().out == RUN.encode()
    command("bees", "me", "--format", "gzip")
    assert gzip.decompress(capsysbinary.readouterr().out) == RUN.encode()


def test_what_was_written_is_told_and_nothing_else_replaced(tmp_path: Path) -> None:
    make_run(make_collection("bees"), RUN)
    place = tmp_path / "run"
    place.write_text("mine")
    assert refused("bees", "me", "--output", place) == (
        f"{place}: there is such a file already; --force replaces it.",
        2,
    )
    assert place.read_text() == "mine"
    facts = json.loads(command("bees", "me", "--output", place, "--force", "--json")[0])
    assert (facts["file"], facts["bytes"], place.read_text()) == (str(place), len(RUN), RUN)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    make_collection("bees")
    assert refused("wasps", "me") == ("There is no collection wasps.", 2)
    assert refused("bees", "me") == ("There is no run me in this collection.", 2)
