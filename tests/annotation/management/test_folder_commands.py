"""BEIR folders by command: packed or as they lie, as a new collection or into one that is there."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.exchange.read.exports import outgoing_qrels
from annotation.models import Collection, Snapshot, Topic
from tests.annotation.formats.folder.test_opening import FILES, tarred, zipped
from tests.annotation.management.test_bundle_commands import command, refused
from tests.factories import make_collection, make_document, make_snapshot, make_topic, make_user

pytestmark = pytest.mark.django_db


def unpacked(folder: Path) -> Path:
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def test_a_folder_of_the_disk_becomes_a_collection(tmp_path: Path) -> None:
    make_user("boss", may_create_collections=True)
    output = command("import_bundle", unpacked(tmp_path / "scifact"), "--as", "scifact")
    assert output.startswith("stored as scifact, led by boss: topics: new 1, documents: new 1, ")
    assert set(Snapshot.objects.values_list("collection__slug", "name")) == {("scifact", "dev"), ("scifact", "test")}


def test_a_packed_one_goes_into_a_collection(tmp_path: Path) -> None:
    make_collection("bees")
    file = tmp_path / "beir.tar.gz"
    file.write_bytes(tarred(FILES))
    assert command("import_bundle", file, "--into", "bees", "--dry-run").startswith("would be stored in bees: ")
    assert Topic.objects.count() == 0
    facts = json.loads(command("import_bundle", file, "--into", "bees", "--json"))
    assert (facts["collection"], facts["stored"], facts["rows"]["topics: new"]) == ("bees", True, 1)
    assert (Topic.objects.count(), Snapshot.objects.count()) == (1, 2)


def test_faults_are_said_by_member_and_line(tmp_path: Path) -> None:
    collection = make_collection("bees")
    make_document(collection, "d1", text="Other words.")
    file = tmp_path / "beir.zip"
    file.write_bytes(zipped(FILES))
    assert refused("import_bundle", file, "--into", "bees") == "1 problem; nothing was stored."
    assert refused("import_bundle", file, "--into", "wasps") == "There is no collection wasps."
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    assert refused("import_bundle", nothing, "--into", "bees").startswith("nothing: this is no BEIR folder")
    assert (Topic.objects.count(), Collection.objects.count()) == (0, 1)


def test_what_the_export_writes_goes_in_again(tmp_path: Path) -> None:
    """Out as a BEIR folder, in as one: the same ids, texts and grades."""
    make_user("boss", may_create_collections=True)
    collection = make_collection("bees")
    make_topic(collection, "1", title="bees", description="What do bees eat?")
    make_document(collection, "d1", title="Bees", text="Bees make “honey”.")
    make_document(collection, "d2", title="", text="Wasps\u2028do not.")
    snapshot = make_snapshot(collection, "1 0 d1 3\n1 0 d2 0\n")
    file = tmp_path / "beir.zip"
    file.write_bytes(b"".join(outgoing_qrels(snapshot, "beir").pieces))
    call_command("import_bundle", file, slug="copy", stdout=(tmp_path / "out").open("w"))
    copy = Collection.objects.get(slug="copy")
    assert Snapshot.objects.get(collection=copy).qrels_sha256 == snapshot.qrels_sha256
    texts = current_document_versions(copy).values_list("document__docno", "title", "text")
    assert list(texts) == [("d1", "Bees", "Bees make “honey”."), ("d2", "", "Wasps\u2028do not.")]
    assert [(each.topic.number, each.title) for each in current_topic_versions(copy)] == [("1", "bees")]
