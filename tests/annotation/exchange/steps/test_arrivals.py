"""Whole collections on their way in: each file is stored once, and what is discarded leaves nothing."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from annotation.exchange.steps.bundles import (
    arrival_of,
    discard_arrival,
    publish_arrival,
    start_arrival,
    start_export,
)
from annotation.exchange.steps.bundles.temporary_files import clear_transit, transit_path
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import AuditEvent, Collection, Import, Job, JobEvent, Snapshot, User
from evaluation.models import Run
from tests.annotation.exchange.steps.bundle_work import bring, bundle_of, files_stored, make_full, quiet
from tests.annotation.exchange.steps.import_work import work
from tests.annotation.formats.folder.test_opening import FILES, zipped
from tests.factories import make_collection, make_user
from touchstone.backups import Saved, make_backup

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def a_bundle() -> bytes:
    """Of a collection that has never been here: none of its files is stored."""
    data = bundle_of(make_full().collection)
    shutil.rmtree(settings.TOUCHSTONE_FILES)
    Run.objects.all().delete()
    Snapshot.objects.all().delete()
    Import.objects.update(sha256="")
    return data


def a_folder() -> bytes:
    return zipped(FILES)


def files() -> set[str]:
    return {path.name for path in Path(settings.TOUCHSTONE_FILES).rglob("*") if path.is_file()}


def boss() -> User:
    return User.objects.filter(username="boss").first() or make_user("boss", may_create_collections=True)


def checked(data: bytes, slug: str = "copy") -> Job:
    check = start_arrival(io.BytesIO(data), filename="bees.zip", slug=slug, created_by=boss())
    assert work() == ["done"]
    check.refresh_from_db()
    return check


@pytest.mark.parametrize("make", [a_bundle, a_folder])
def test_what_is_discarded_leaves_nothing(make: Callable[[], bytes]) -> None:
    data = make()
    before = (Collection.objects.count(), Import.objects.count(), Job.objects.count(), JobEvent.objects.count())
    check = checked(data)
    assert files() == {check.payload["sha256"]}
    discard_arrival(check, actor=boss())
    assert files() == set()
    after = (Collection.objects.count(), Import.objects.count(), Job.objects.count(), JobEvent.objects.count())
    assert after == before
    events = AuditEvent.objects.filter(verb="arrival discarded", collection=None)
    assert list(events.values_list("actor__username", "subject")) == [("boss", "bees.zip")]
    for deed in (lambda: discard_arrival(check, actor=boss()), lambda: publish_arrival(check, slug="c", actor=boss())):
        with pytest.raises(ValueError, match="discarded meanwhile"):
            deed()


@pytest.mark.parametrize("make", [a_bundle, a_folder])
def test_what_is_published_is_stored_once(make: Callable[[], bytes]) -> None:
    check = checked(make())
    publish_arrival(check, slug="copy", actor=boss())
    assert work() == ["done"]
    assert files() == files_stored()
    assert Import.objects.get(collection__slug="copy").sha256 in files_stored()
    assert {path.stat().st_nlink for path in Path(settings.TOUCHSTONE_FILES).glob("??/*")} == {1}
    with pytest.raises(ValueError, match="cannot be discarded: published"):
        discard_arrival(check, actor=boss())


@pytest.mark.parametrize("dry_run", [True, False])
def test_what_a_command_brings_is_kept_nowhere_else(dry_run: bool) -> None:
    bring(a_folder(), dry_run=dry_run)
    assert files() == files_stored()
    assert (files() == set(), Job.objects.count()) == (dry_run, 0 if dry_run else 1)


def test_a_refused_file_stores_nothing_and_can_be_discarded() -> None:
    data = zipped({**FILES, "qrels/test.tsv": b"1\td1\t99\n"})
    check = checked(data)
    assert (arrival_of(check).state, files()) == ("refused", {check.payload["sha256"]})
    discard_arrival(check, actor=boss())
    assert bring(data).error.startswith("qrels/test.tsv:1: ")
    assert files() == set()


def test_what_is_being_worked_on_cannot_be_discarded() -> None:
    check = start_arrival(io.BytesIO(a_folder()), filename="bees.zip", slug="copy", created_by=boss())
    with pytest.raises(ValueError, match="cannot be discarded: checking"):
        discard_arrival(check, actor=boss())
    work()
    publish_arrival(check, slug="copy", actor=boss())
    with pytest.raises(ValueError, match="cannot be discarded: storing"):
        discard_arrival(check, actor=boss())


def test_what_could_not_be_brought_in_can_be_discarded() -> None:
    check = checked(a_folder())
    publish_arrival(check, slug="copy", actor=boss())
    make_collection("copy")
    assert work() == ["failed"]
    discard_arrival(check, actor=boss())
    assert (files(), Job.objects.count()) == (set(), 0)


def test_a_file_stays_for_whoever_else_has_sent_it() -> None:
    data = a_folder()
    first, second, third = (checked(data, f"copy-{n}") for n in range(3))
    sha = first.payload["sha256"]
    discard_arrival(first, actor=boss())
    assert transit_path(sha) is not None
    publish_arrival(second, slug="copy", actor=boss())
    assert work() == ["done"]
    assert transit_path(sha) is not None
    discard_arrival(third, actor=boss())
    assert transit_path(sha) is None
    assert sha in files_stored()


def test_a_bundle_made_for_download_stays() -> None:
    collection = make_full().collection
    export = start_export(collection, created_by=boss())
    assert work() == ["done"]
    discard_arrival(checked(bundle_of(collection)), actor=boss())
    export.refresh_from_db()
    assert transit_path(export.result["sha256"]) is not None


def test_files_of_an_attempt_that_was_lost_are_cleared_away() -> None:
    check = start_arrival(io.BytesIO(a_folder()), filename="bees.zip", slug="copy", created_by=boss())
    place = Path(settings.TOUCHSTONE_FILES) / "transit" / f"passing-{check.token}-1"
    (place / "ab").mkdir(parents=True)
    clear_transit()
    assert place.exists()
    Job.objects.filter(pk=check.pk).update(state="cancelled")
    clear_transit()
    assert not place.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("make", [a_bundle, a_folder])
def test_a_backup_is_whole_while_a_collection_is_looked_through(make: Callable[[], bytes], tmp_path: Path) -> None:
    """Its rows name files that are not among those stored yet."""
    start_arrival(io.BytesIO(make()), filename="bees.zip", slug="copy", created_by=boss())
    run, saved = claim_job(), list[Saved]()
    assert run is not None

    def save(_done: int, _total: int, _message: str) -> None:
        if not saved and Collection.objects.filter(slug__startswith="importing-").exists():
            saved.append(make_backup(tmp_path / "backup.zip", watch=quiet))

    run.watch = save
    assert run_job(run).state == "done"
    assert [backup.manifest.missing for backup in saved] == [()]
