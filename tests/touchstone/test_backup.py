"""Backup and restore: of one moment while people judge, whole or refused, between both kinds of database."""

import hashlib
import io
import json
import random
import shutil
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from annotation.kernel.store import path_of, put
from annotation.models import Collection, Import, Judgment, KeptResult
from evaluation.models import Run
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_annotator, make_batch, make_collection, make_run, make_user
from tests.journeys.clients import Client
from tests.live import Server, sign_in
from tests.touchstone.elsewhere import elsewhere, files_in, rows_in
from touchstone.backups import make_backup
from touchstone.backups.naming import NAMING_FILES, NAMING_TEXTS
from touchstone.backups.saving import SEAL

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("sql")]
# Each restores several times over. What they show is told from files, whichever database stands behind.
once = pytest.mark.skipif(connection.vendor != "sqlite", reason="the pass on SQLite has it")

TOPICS = "tables/annotation_topic.jsonl"
CHECK = """
import json
from django.db import connection
from annotation.models import Batch
from tests.journeys.invariants import broken_invariants
acknowledged = json.loads({acknowledged!r})
connection.check_constraints()
print(json.dumps(broken_invariants(Batch.objects.get(), acknowledged)))
"""


def output_of(*words: object) -> str:
    out = io.StringIO()
    call_command(*map(str, words), stdout=out, stderr=io.StringIO())
    return out.getvalue()


def refused(*words: object) -> str:
    with pytest.raises(CommandError) as raised:
        output_of(*words)
    return str(raised.value)


@pytest.fixture
def campaign() -> Collection:
    """A collection with judgments, a frozen snapshot, a run, a session and an odd text."""
    collection = make_collection("bees")
    make_worked(collection)
    output_of("snapshot", "bees", "one")
    make_run(collection, "1 Q0 d1 1 2.5 bm25\n")
    sign_in(make_user("Zoë \U0001f41d"))
    Collection.objects.filter(pk=collection.pk).update(name='line\u2028end, tab\t, quote" and \\')
    return collection


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the backup of the campaign lies for all tests that only read it."""
    return tmp_path_factory.mktemp("kept") / "one.zip"


@pytest.fixture
def saved(kept: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A backup of the campaign, beside an empty database: the first test that asks makes it."""
    if not kept.exists():
        request.getfixturevalue("campaign")
        output_of("backup", kept)
        _empty_database()
    return Path(shutil.copy(kept, tmp_path))


def sealed(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The backup with other members, and a checksum that fits them."""
    with ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    other = path.with_name(f"other-{path.name}")
    with ZipFile(other, "w", ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.comment = b"0" * SEAL
    data = other.read_bytes()[:-SEAL]
    other.write_bytes(data + hashlib.sha256(data).hexdigest().encode())
    return other


def with_manifest(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    def rewrite(members: dict[str, bytes]) -> None:
        manifest = json.loads(members["manifest.json"])
        change(manifest)
        members["manifest.json"] = json.dumps(manifest).encode()

    return sealed(path, rewrite)


@pytest.mark.slow
def test_what_is_saved_comes_back_row_for_row(campaign: Collection, tmp_path: Path) -> None:
    backup, again = tmp_path / "one.zip", tmp_path / "two.zip"
    report = json.loads(output_of("backup", backup, "--json"))
    assert (report["rows"]["annotation_judgment"], report["files"]) == (Judgment.objects.count(), 4)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with elsewhere(tmp_path, migrated=True) as other:
        assert "It can be restored here." in other.manage("restore", str(backup), "--dry-run")
        assert "restored:" in other.manage("restore", str(backup))
        other.manage("backup", str(again))
        assert rows_in(again) == rows_in(backup)
        assert files_in(again) == files_in(backup)
        tables = other.python(
            "import json; from annotation.models import *; c = Collection.objects.create(slug='new', name='n');"
            "print(json.dumps([list(Collection.objects.order_by('pk').values_list('slug', 'name')),"
            " list(Judgment.objects.order_by('pk').values_list('pk', 'grade'))]))"
        )
        assert tables[0] == [["bees", 'line\u2028end, tab\t, quote" and \\'], ["new", "n"]]
        assert tables[1] == [list(row) for row in Judgment.objects.order_by("pk").values_list("pk", "grade")]
        assert "gives the same bytes" in other.manage("snapshot", "bees", "one", "--verify")


@pytest.mark.slow
def test_a_backup_moves_from_either_database_to_the_other(campaign: Collection, tmp_path: Path) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("the pass on PostgreSQL has both")
    first, second, third = (tmp_path / f"{n}.zip" for n in range(3))
    output_of("backup", first)
    with elsewhere(tmp_path, kind="sqlite", migrated=True) as small, elsewhere(tmp_path) as large:
        small.manage("restore", str(first))
        small.manage("backup", str(second))
        large.manage("restore", str(second))
        large.manage("backup", str(third))
    assert rows_in(first) == rows_in(second) == rows_in(third)
    assert files_in(first) == files_in(second) == files_in(third)


@pytest.mark.slow
def test_a_backup_while_people_judge_is_of_one_moment(tmp_path: Path) -> None:
    """Between the tables the backup waits until more was judged: nobody is held up, and nothing of it gets in."""
    collection = make_collection()
    people = [make_annotator(collection) for _ in range(3)]
    batch = make_batch(collection, people, n_topics=6, n_documents=24, judgments_per_item=3)  # more than they can judge
    server = Server(tmp_path / "var")
    server.start()
    try:
        clients = [Client(server, batch, person, seed) for seed, person in enumerate(people)]
        threads = [threading.Thread(target=_judge_until_stopped, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        _wait_for_judgments(clients, 20)
        before = {token: grade for client in clients for token, grade in dict(client.acknowledged).items()}

        def watch(_done: int, _total: int, message: str) -> None:
            if message in {"Saving annotation_judgment", "Saving annotation_slot"}:
                _wait_for_judgments(clients, _acknowledged(clients) + 4)

        make_backup(tmp_path / "one.zip", watch=watch)
        for client in clients:
            client.stopped = True
        for thread in threads:
            thread.join()
    finally:
        server.stop()
    output_of("backup", tmp_path / "end.zip")
    end = {row[0]: row for row in rows_in(tmp_path / "end.zip")["annotation_judgment"]}
    saved = rows_in(tmp_path / "one.zip")["annotation_judgment"]
    assert [end[row[0]] for row in saved] == saved, "a judgment is never changed"
    assert len(before) <= len(saved) <= len(end) - 8
    with elsewhere(tmp_path, migrated=True) as other:
        other.manage("restore", str(tmp_path / "one.zip"))
        assert other.python(CHECK.format(acknowledged=json.dumps(before))) == []


def _judge_until_stopped(client: Client) -> None:
    try:
        client.judge_to_the_end()
    except AssertionError:
        if not client.stopped:
            raise


def _acknowledged(clients: list[Client]) -> int:
    return sum(len(client.acknowledged) for client in clients)


def _wait_for_judgments(clients: list[Client], n: int) -> None:
    deadline = time.monotonic() + 120
    while _acknowledged(clients) < n:
        assert time.monotonic() < deadline, "nobody can judge"
        time.sleep(0.02)


@once
def test_any_damaged_byte_is_noticed(saved: Path, tmp_path: Path) -> None:
    data, rng = saved.read_bytes(), random.Random(4)
    for at in [0, len(data) - 1, len(data) - SEAL - 1, *(rng.randrange(len(data)) for _ in range(60))]:
        damaged = tmp_path / "damaged.zip"
        damaged.write_bytes(data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :])
        assert refused("restore", damaged, "--verify") == (
            f"{damaged} is not a whole backup: it is damaged, cut off, or something else."
        )
    for length in (0, 1, SEAL, 1000, len(data) // 2, len(data) - 1):
        damaged.write_bytes(data[:length])
        assert "is not a whole backup" in refused("restore", damaged)
    damaged.write_bytes(data + b"\n")
    assert "is not a whole backup" in refused("restore", damaged)
    assert "No such file" in refused("restore", tmp_path / "none.zip")


@once
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda members: members.pop(_a_file(members)), "does not hold what its manifest lists: files/"),
        (lambda members: members.update({"files/../../x": b""}), "not hold what its manifest lists: files/../../x."),
        (lambda members: members.update({TOPICS: members[TOPICS] + b"[]\n"}), f"{TOPICS} in the backup is not what"),
        (lambda members: members.pop("manifest.json"), "The backup has no readable manifest."),
        (lambda members: members.update({"manifest.json": b"[1"}), "The manifest of this backup cannot be read."),
        (lambda members: members.update({"manifest.json": b"[" * 9999}), "The manifest of this backup cannot be read."),
    ],
)
def test_members_that_do_not_hold_together_are_refused(
    saved: Path, change: Callable[[dict[str, bytes]], None], reason: str
) -> None:
    """Each with a checksum that fits, as a faulty writer would make it."""
    assert reason in refused("restore", sealed(saved, change), "--dry-run")


@once
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.update(touchstone_backup=2), "This backup has form 2; this Touchstone reads forms up to 1."),
        (lambda data: data["migrations"].append(["annotation", "0999_later"]), "annotation.0999_later is unknown here"),
        (lambda data: data["tables"].pop("annotation_topic"), "contradicts itself: tables/annotation_topic.jsonl."),
        (lambda data: data["tables"]["annotation_topic"]["columns"].append("x"), "annotation_topic has other columns"),
        (lambda data: data["members"][TOPICS].update(sha256="0" * 64), f"{TOPICS} in the backup is not what"),
        (lambda data: data.pop("missing"), "The manifest of this backup cannot be read."),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(
    saved: Path, change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    assert reason in refused("restore", with_manifest(saved, change))


@pytest.mark.slow
def test_rows_that_the_database_does_not_take_leave_nothing(campaign: Collection, tmp_path: Path) -> None:
    """A judgment whose topic is gone: the commit is refused, and no row and no file of the backup stays."""
    output_of("backup", tmp_path / "one.zip")

    def cut(members: dict[str, bytes]) -> None:
        manifest = json.loads(members["manifest.json"])
        members[TOPICS] = members[TOPICS].partition(b"\n")[2]
        manifest["tables"]["annotation_topic"]["rows"] -= 1
        member = {"size": len(members[TOPICS]), "sha256": hashlib.sha256(members[TOPICS]).hexdigest()}
        manifest["members"][TOPICS] = member
        members["manifest.json"] = json.dumps(manifest).encode()

    bad = sealed(tmp_path / "one.zip", cut)
    with elsewhere(tmp_path, migrated=True) as other:
        assert "The database does not take the rows" in other.manage("restore", str(bad), refused=True)
        assert other.python("import json; from annotation.models import User; print(User.objects.count())") == 0
        assert list(other.var.glob("files/*/*")) == []
        assert "It can be restored here." in other.manage("restore", str(tmp_path / "one.zip"), "--dry-run")


def test_a_database_in_use_or_of_another_program_is_left_alone(campaign: Collection, tmp_path: Path) -> None:
    output_of("backup", tmp_path / "one.zip")
    before = Judgment.objects.count()
    assert "The database is in use: annotation_" in refused("restore", tmp_path / "one.zip")
    assert Judgment.objects.count() == before > 0
    with elsewhere(tmp_path) as other:
        other.manage(
            "shell", "-v0", "-c", "from django.db import connection as c; c.cursor().execute('CREATE TABLE t (n int)')"
        )
        assert "tables that are not Touchstone's" in other.manage("restore", str(tmp_path / "one.zip"), refused=True)


@once
@pytest.mark.slow
def test_a_backup_of_an_earlier_state_ends_migrated(tmp_path: Path) -> None:
    with elsewhere(tmp_path) as old, elsewhere(tmp_path) as new:
        old.manage("migrate", "-v0", "--skip-checks", "evaluation", "0001")
        old.python(
            "import json; from django.core.management import call_command; from django.db import connection;"
            "from django.db.migrations.loader import MigrationLoader;"
            "then = MigrationLoader(connection).project_state([('annotation', '0001_initial')]).apps;"
            "then.get_model('annotation', 'User').objects.create(username='early');"  # without later columns
            f"call_command('backup', {str(tmp_path / 'old.zip')!r}, json=True)"
        )
        assert "annotation_jobevent" not in rows_in(tmp_path / "old.zip")
        assert "migrated further" in refused("restore", tmp_path / "old.zip"), "than the backup's was"
        new.manage("restore", str(tmp_path / "old.zip"))
        answer = new.python(
            "import json; from annotation.models import *;"
            "print(json.dumps([User.objects.get().username, JobEvent.objects.count()]))"
        )
        assert answer == ["early", 0]


@once
@pytest.mark.slow
def test_the_key_and_the_sessions_go_together(campaign: Collection, tmp_path: Path) -> None:
    plain, full = tmp_path / "plain.zip", tmp_path / "full.zip"
    output_of("backup", plain)
    assert "keep it as you keep the key" in output_of("backup", full, "--with-key")
    assert "django_session" not in rows_in(plain)
    assert settings.SECRET_KEY.encode() not in _all_bytes(plain)
    assert settings.SECRET_KEY.encode() in _all_bytes(full)
    with elsewhere(tmp_path, migrated=True) as other:
        assert "holds no secret key" in other.manage("restore", str(plain), "--with-key", refused=True)
        other.manage("restore", str(full), "--with-key")
        key = other.var / "secret_key"
        assert (key.read_text().strip(), stat.S_IMODE(key.stat().st_mode)) == (settings.SECRET_KEY, 0o600)
        sessions = "import json; from django.contrib.sessions.models import Session as s; print(s.objects.count())"
        assert other.python(sessions) == Session.objects.count() == 1
    with elsewhere(tmp_path, migrated=True) as other:
        other.manage("restore", str(full))
        assert (other.var / "secret_key").read_text().strip() != settings.SECRET_KEY
        assert other.python(sessions) == 0


def test_a_file_that_rows_name_must_be_whole(campaign: Collection, tmp_path: Path) -> None:
    run = Run.objects.get()
    path_of(run.sha256).write_bytes(b"damaged")
    message = refused("backup", tmp_path / "one.zip")
    assert message == f"1 stored files are missing or damaged: {run.sha256}, named by evaluation_run.sha256."
    assert list(tmp_path.glob("*.zip")) + list(tmp_path.glob(".*.part")) == []
    assert run.sha256 in output_of("backup", tmp_path / "one.zip", "--despite-damage")
    assert f"already when it was saved: {run.sha256}" in output_of("restore", tmp_path / "one.zip", "--verify")
    assert "is in use" in refused("restore", tmp_path / "one.zip", "--dry-run")


def test_files_that_rows_mention_are_saved_and_others_are_not(campaign: Collection, tmp_path: Path) -> None:
    """A checked run waits for its publishing in a file that only the preview names. A result is made anew."""
    waiting, forgotten = put(b"waiting"), put(b"forgotten")
    own = put(b"upload")
    Import.objects.create(
        collection=campaign, kind="run", filename="r", sha256=own, preview={"facts": {"sha": waiting}}
    )
    anew = put(b"worked out")
    of_all = {"batches": [], "parameters": {}, "criterion": "relevance", "seen_at": timezone.now()}
    KeptResult.objects.create(collection=campaign, key="one", kind="quality", made={"sha256": anew}, **of_all)
    output_of("backup", tmp_path / "one.zip")
    files = files_in(tmp_path / "one.zip")
    assert (files[waiting], files[own]) == (b"waiting", b"upload")
    assert not {forgotten, anew} & files.keys()


@once
def test_a_backup_never_replaces_a_file(tmp_path: Path) -> None:
    taken = tmp_path / "one.zip"
    taken.write_text("mine")
    assert refused("backup", taken) == f"{taken}: there is such a file already."
    assert taken.read_text() == "mine"
    assert "No such file or directory" in refused("backup", tmp_path / "none" / "one.zip")


def test_every_column_with_a_hash_is_known_to_name_a_file_or_a_text() -> None:
    """Whoever adds such a column says which, or its files would be missing from backups."""
    listed = {
        (table, column) for names in (NAMING_FILES, NAMING_TEXTS) for table, own in names.items() for column in own
    }
    columns = {
        (model._meta.db_table, field.column)
        for model in apps.get_models()
        for field in model._meta.local_concrete_fields
        if "sha256" in str(field.column)
    }
    assert columns == listed


def _a_file(members: dict[str, bytes]) -> str:
    return min(name for name in members if name.startswith("files/"))


def _all_bytes(backup: Path) -> bytes:
    with ZipFile(backup) as archive:
        return b"\0".join(archive.read(name) for name in archive.namelist())


def _empty_database() -> None:
    call_command("flush", interactive=False, verbosity=0)
