"""Files in object storage, by a real server on loopback: the same promises as those of a folder."""

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from io import BytesIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from pytest_django import Settings

from annotation.formats.store import Incoming
from annotation.kernel.installation import join_installation, sees_files
from annotation.kernel.store import DamagedError, DiskStore, MissingError, path_of, put
from annotation.kernel.store.objects import Bucket, ObjectStore, UnreachableError
from annotation.models import Import, Topic
from tests.annotation.roles import People, make_people
from tests.object_storage import SERVER, client_of, free_port, storage_server
from touchstone.errors import status_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both("sql"),
    pytest.mark.skipif(not SERVER.exists(), reason="`make test` installs the server"),
]

FIELDS = {"on_conflict": "refuse"}
LARGE = bytes(range(256)) * 50_000  # 12.8 MB: sent in parts


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bucket]:
    with storage_server(tmp_path_factory.mktemp("storage") / "log") as bucket:
        yield bucket


def machine(bucket: Bucket, folder: Path) -> ObjectStore:
    """A machine of its own, with nothing on its disk."""
    return ObjectStore(bucket, DiskStore(folder))


def test_what_one_machine_puts_another_reads(bucket: Bucket, tmp_path: Path) -> None:
    one, other = machine(bucket, tmp_path / "one"), machine(bucket, tmp_path / "other")
    shas = [one.put(b"bees"), one.put(BytesIO(LARGE))]
    with Incoming(tmp_path / "one") as incoming:
        incoming.take(b"wasps")
        shas.append(one.put(incoming))
    assert [other.path_of(sha).read_bytes() for sha in shas] == [b"bees", LARGE, b"wasps"]
    assert all(other.exists(sha) and other.verify(sha) for sha in shas)
    assert other.facts_of(shas[1]).size == len(LARGE)
    assert set(shas) <= set(other.all_facts())


def test_what_is_on_its_way_lies_apart(bucket: Bucket, tmp_path: Path) -> None:
    one, other = machine(bucket, tmp_path / "one"), machine(bucket, tmp_path / "other")
    sha = one.within("transit").put(b"a bundle")
    assert other.within("transit").path_of(sha).read_bytes() == b"a bundle"
    assert list(other.within("transit").all_facts()) == [sha]
    assert not other.exists(sha)
    assert sha not in other.all_facts()
    other.adopt(other.within("transit").path_of(sha))
    assert one.path_of(sha).read_bytes() == b"a bundle"


def test_a_folder_copied_into_a_bucket_is_the_store(bucket: Bucket, tmp_path: Path) -> None:
    folder = DiskStore(tmp_path / "files")
    sha = folder.put(b"kept for years in a folder")
    key = folder.path_of(sha).relative_to(tmp_path / "files").as_posix()
    client_of(bucket).fput_object(bucket.name, key, str(folder.path_of(sha)))
    assert machine(bucket, tmp_path / "other").path_of(sha).read_bytes() == b"kept for years in a folder"


def test_damage_and_loss_are_noticed(bucket: Bucket, tmp_path: Path) -> None:
    one, other = machine(bucket, tmp_path / "one"), machine(bucket, tmp_path / "other")
    sha = one.put(b"hornets")
    client_of(bucket).put_object(bucket.name, f"{sha[:2]}/{sha}", BytesIO(b"hornetz"), 7)
    assert not one.verify(sha), "what is kept on this machine proves nothing"
    with pytest.raises(DamagedError, match=sha):
        other.path_of(sha)
    assert list((tmp_path / "other").rglob("*")) == []
    one.discard(sha)
    assert not other.verify(sha)
    for gone in (one, other):
        with pytest.raises(FileNotFoundError):
            gone.path_of(sha)


def test_a_damaged_copy_of_this_machine_is_fetched_again(bucket: Bucket, tmp_path: Path, settings: Settings) -> None:
    settings.TOUCHSTONE_S3, settings.TOUCHSTONE_FILES = asdict(bucket), tmp_path
    sha = put(b"bumblebees")
    copy = path_of(sha)
    copy.chmod(0o600)
    copy.write_bytes(b"bumblebeez")
    assert path_of(sha).read_bytes() == b"bumblebees"
    client_of(bucket).put_object(bucket.name, f"{sha[:2]}/{sha}", BytesIO(b"bumblebeez"), 10)
    copy.write_bytes(b"bumblebeez")
    with pytest.raises(DamagedError, match=sha):
        path_of(sha)


def test_a_file_that_the_storage_has_lost_is_missing(bucket: Bucket, tmp_path: Path, settings: Settings) -> None:
    """As one that a folder has lost: who asks for a file need not know where files are kept."""
    settings.TOUCHSTONE_S3, settings.TOUCHSTONE_FILES = asdict(bucket), tmp_path
    with pytest.raises(MissingError, match="0" * 64):
        path_of("0" * 64)
    sha = put(b"leafcutter bees")
    copy = path_of(sha)
    copy.chmod(0o600)
    copy.write_bytes(b"leafcutter beez")
    client_of(bucket).remove_object(bucket.name, f"{sha[:2]}/{sha}")
    with pytest.raises(MissingError, match=sha):
        path_of(sha)


def test_only_what_is_old_is_removed(bucket: Bucket, tmp_path: Path) -> None:
    one = machine(bucket, tmp_path / "one")
    sha = one.put(b"ants")
    assert not one.remove(sha, older_than=3600)
    assert one.exists(sha)
    assert one.remove(sha, older_than=-3600)
    assert not one.exists(sha)
    assert not one.remove(sha, older_than=-3600)


def test_this_machine_forgets_what_nobody_asks_for(bucket: Bucket, tmp_path: Path) -> None:
    one = machine(bucket, tmp_path / "one")
    asked_for, forgotten = one.put(b"asked for"), one.put(b"forgotten")
    for sha in (asked_for, forgotten):
        os.utime(one.cache.path_of(sha), (1, 1))
    one.path_of(asked_for)
    one.sweep_incoming(older_than=3600)
    assert [one.cache.exists(sha) for sha in (asked_for, forgotten)] == [True, False]
    assert one.path_of(forgotten).read_bytes() == b"forgotten"


def test_nothing_is_forgotten_that_the_storage_has_not(bucket: Bucket, tmp_path: Path) -> None:
    one, away = machine(bucket, tmp_path), replace(bucket, endpoint=f"http://127.0.0.1:{free_port()}")
    lost, cut, kept = one.put(b"lost"), one.put(b"cut short"), one.put(b"away")
    client_of(bucket).remove_object(bucket.name, f"{lost[:2]}/{lost}")
    client_of(bucket).put_object(bucket.name, f"{cut[:2]}/{cut}", BytesIO(b"cut"), 3)
    for sha in (lost, cut, kept):
        os.utime(one.cache.path_of(sha), (1, 1))
    machine(away, tmp_path).sweep_incoming(older_than=3600)
    assert one.cache.exists(kept)
    one.sweep_incoming(older_than=3600)
    assert [one.cache.exists(sha) for sha in (lost, cut, kept)] == [True, True, False]


def test_a_child_reads_though_its_parent_has_asked(bucket: Bucket, tmp_path: Path) -> None:
    one, other = machine(bucket, tmp_path / "one"), machine(bucket, tmp_path / "other")
    sha = one.put(b"before the fork")
    assert one.exists(sha)
    pid = os.fork()
    if not pid:
        os._exit(0 if other.path_of(sha).read_bytes() == b"before the fork" else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_storage_that_does_not_answer_is_said(bucket: Bucket, tmp_path: Path) -> None:
    away = machine(replace(bucket, endpoint=f"http://127.0.0.1:{free_port()}"), tmp_path)
    refused = machine(replace(bucket, name="of-nobody"), tmp_path)
    deeds: list[Callable[[], object]] = [
        lambda: away.put(b"lost?"),
        lambda: away.exists("0" * 64),
        away.all_facts,
        lambda: refused.put(b"lost?"),
        refused.all_facts,
    ]
    for deed in deeds:
        with pytest.raises(UnreachableError) as fault:
            deed()
        assert status_of(fault.value) == 503


def test_the_app_keeps_its_files_there(bucket: Bucket, tmp_path: Path, settings: Settings) -> None:
    """A file that comes by one machine is checked by a worker of a second and read by a third."""
    settings.TOUCHSTONE_S3 = asdict(bucket)
    people: People = make_people()
    settings.TOUCHSTONE_FILES = tmp_path / "web"
    file = BytesIO(b"1\tbees\n2\twasps\n")
    file.name = "topics.tsv"
    people.client("admin").post(reverse("import_new", args=["bees", "topics"]), {"file": file, **FIELDS})
    settings.TOUCHSTONE_FILES = tmp_path / "worker"
    call_command("worker", once=True)
    record = Import.objects.get()
    assert record.state == Import.State.CHECKED
    settings.TOUCHSTONE_FILES = tmp_path / "third"
    assert path_of(record.sha256).read_bytes() == b"1\tbees\n2\twasps\n"
    assert sees_files()
    assert not Topic.objects.exists()


def test_the_canary_is_seen_through_the_storage(bucket: Bucket, tmp_path: Path, settings: Settings) -> None:
    settings.TOUCHSTONE_S3, settings.TOUCHSTONE_FILES = asdict(bucket), tmp_path / "one"
    join_installation()
    settings.TOUCHSTONE_FILES = tmp_path / "two"
    assert sees_files()
    settings.TOUCHSTONE_S3 = asdict(replace(bucket, endpoint=f"http://127.0.0.1:{free_port()}"))
    assert not sees_files()
    with pytest.raises(UnreachableError):
        put(b"nobody takes this")
