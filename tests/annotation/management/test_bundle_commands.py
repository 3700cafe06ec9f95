"""Bundles out and in by command."""

import io
import json
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.models import AuditEvent, Collection, Import, Job, Membership
from tests.annotation.exchange.steps.bundle_work import bundle_of, make_full
from tests.commands import ran
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.django_db


def command(name: str, *arguments: str | Path) -> str:
    out = io.StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=io.StringIO(), no_color=True)
    return out.getvalue()


def refused(name: str, *arguments: str | Path) -> str:
    with pytest.raises(CommandError) as failure:
        command(name, *arguments)
    return str(failure.value)


def test_out_and_in(tmp_path: Path) -> None:
    collection = make_full().collection
    make_user("boss", may_create_collections=True)
    file = tmp_path / "bees.zip"
    output = command("export_bundle", collection.slug, "--output", file)
    assert output.startswith(f"{file}: adjudications 3, alert events 1, annotators 6, appeals 2, assignments 69, ")
    assert file.read_bytes() == bundle_of(collection)
    assert [path.name for path in tmp_path.iterdir()] == ["bees.zip"]
    output = command("import_bundle", file, "--as", "copy")
    assert output.startswith("stored as copy, led by boss: ")
    assert list(Membership.objects.filter(collection__slug="copy").values_list("user__username", "role")) == [
        ("boss", "admin")
    ]
    assert list(AuditEvent.objects.filter(collection=collection, verb="bundle exported").values_list("subject")) == [
        (collection.slug,)
    ]


def test_what_is_said_as_json(tmp_path: Path) -> None:
    collection = make_full().collection
    make_user("boss", may_create_collections=True)
    file = tmp_path / "bees.zip"
    facts = json.loads(command("export_bundle", collection.slug, "--output", file, "--json"))
    assert (facts["format"], facts["members"]["judgments.jsonl"]["rows"]) == ("touchstone bundle", 69)
    facts = json.loads(command("import_bundle", file, "--as", "copy", "--json"))
    assert (facts["collection"], facts["stored"], facts["rows"]["judgments"]) == ("copy", True, 69)


def test_through_pipes(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_full().collection
    make_user("boss", may_create_collections=True)
    call_command("export_bundle", collection.slug, "-o", "-", stderr=io.StringIO())
    sys.stdout.flush()
    packed = capsysbinary.readouterr().out
    assert packed == bundle_of(collection)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert command("import_bundle", "-", "--as", "copy").startswith("stored as copy, led by boss: ")


@pytest.mark.parametrize("slug", ["x y", "a/b", "ü", "x" * 61])
def test_a_short_name_stands_in_addresses(tmp_path: Path, slug: str) -> None:
    make_user("boss", may_create_collections=True)
    file = tmp_path / "bees.zip"
    command("export_bundle", make_collection("bees").slug, "--output", file)
    for words in (["--dry-run"], []):
        ended = ran("import", "bundle", str(file), "--as", slug, *words, "--json")
        assert (ended.code, ended.out) == (2, "")
    Collection.objects.update(slug=slug[:60].replace("xxx", "x x"))
    command("export_bundle", Collection.objects.get().slug, "--output", file, "--force")
    Collection.objects.update(slug="free")
    for words in (["--dry-run"], []):
        assert ran("import", "bundle", str(file), *words).code == 1, "its own is none either"
    assert Collection.objects.count() == 1


def test_a_dry_run_tries_everything_and_leaves_nothing(tmp_path: Path) -> None:
    collection = make_full().collection
    make_user("boss")
    file = tmp_path / "bees.zip"
    file.write_bytes(bundle_of(collection))
    output = command("import_bundle", file, "--as", "copy", "--admin", "boss", "--dry-run")
    assert output.startswith("would be stored as copy, led by boss: ")
    assert (Collection.objects.count(), Import.objects.count()) == (1, 0)


def test_a_short_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    collection = make_full().collection
    make_user("boss", may_create_collections=True)
    file = tmp_path / "bees.zip"
    file.write_bytes(bundle_of(collection))
    assert refused("import_bundle", file) == (
        f"There is a collection {collection.slug} already. Choose another short name.\n"
        "--as gives it a short name\nNothing was stored."
    )


def test_who_leads_it_is_not_guessed(tmp_path: Path) -> None:
    file = tmp_path / "bees.zip"
    file.write_bytes(b"")
    assert refused("import_bundle", file) == "A collection needs an admin: make one with manage.py create_admin."
    make_user("boss", may_create_collections=True)
    make_user("other boss", may_create_collections=True)
    assert refused("import_bundle", file) == "Several accounts may create collections: choose one with --admin."
    assert refused("import_bundle", file, "--admin", "nobody") == "There is no account nobody."
    assert refused("import_bundle", file, "--admin", "boss") == (
        "bees.zip: this is no zip archive, or it is cut short\nNothing was stored."
    )


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    make_collection("bees")
    file = tmp_path / "bees.zip"
    file.write_bytes(b"dear to somebody")
    output = refused("export_bundle", "bees", "--output", file)
    assert output == f"{file}: there is such a file already; --force replaces it."
    assert (file.read_bytes(), AuditEvent.objects.count()) == (b"dear to somebody", 0)
    command("export_bundle", "bees", "--output", file, "--force")
    assert file.read_bytes()[:2] == b"PK"
    assert {path.name for path in tmp_path.iterdir()} == {"bees.zip"}


def test_faults_of_files_are_said(tmp_path: Path) -> None:
    make_collection("bees")
    make_user("boss", may_create_collections=True)
    assert refused("export_bundle", "wasps", "--output", tmp_path / "a.zip") == "There is no collection wasps."
    nowhere = tmp_path / "nowhere" / "a.zip"
    assert refused("export_bundle", "bees", "--output", nowhere) == f"{nowhere}: No such file or directory"
    assert refused("import_bundle", nowhere) == f"{nowhere}: No such file or directory"


def test_what_a_killed_command_has_staged_is_swept_by_the_next_one(tmp_path: Path) -> None:
    """It tried its job once, and nobody renews the lease any more. Another that is alive is left alone."""
    lapsed, running = timezone.now() - timedelta(seconds=1), timezone.now() + timedelta(minutes=1)
    for lease in (lapsed, running):
        job = Job.objects.create(kind="import_bundle", state="running", attempt=1, max_attempts=1, lease_until=lease)
        staged = make_collection(f"importing-{job.token}")
        Import.objects.create(collection=staged, kind="collection", filename="b.zip", sha256="0" * 64)
    assert "No such file" in refused("import_bundle", tmp_path / "none.zip")
    assert list(Job.objects.order_by("pk").values_list("state", "error")) == [
        ("failed", "Gave up: the worker was lost."),
        ("running", ""),
    ]
    assert list(Collection.objects.values_list("slug", flat=True)) == [f"importing-{job.token}"]
