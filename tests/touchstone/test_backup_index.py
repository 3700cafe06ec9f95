"""The index of the search among documents is not in a backup: what was found before a restore is found after it."""

import io
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from annotation.corpus.steps.document_index import empty_index, index_documents
from tests.factories import make_collection, make_document
from tests.touchstone.elsewhere import elsewhere, rows_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("sql")]

SEARCH = """
import json
from annotation.corpus.read.document_search import has_whole_index
from annotation.corpus.read.texts import found_documents
from annotation.corpus.steps.document_index import sweep_document_index
from annotation.models import Collection
collection = Collection.objects.get()
found = lambda: [found_documents(collection, "bee").count(), has_whole_index(collection)]
wasps = lambda: found_documents(collection, "wasp").count()
print(json.dumps([found(), sweep_document_index(), found(), wasps()]))
"""
LEFT = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("INSERT INTO annotation_document_fts (rowid, words) VALUES (1, 'wasps')")
print(1)
"""


@pytest.mark.parametrize("saved", [False, True], ids=["index left out", "index saved, as backups once did"])
def test_what_was_found_before_a_restore_is_found_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: bool
) -> None:
    collection, backup = make_collection("bees"), tmp_path / "one.zip"
    make_document(collection, docno="honey", text="bees")
    index_documents(collection)
    if saved:
        monkeypatch.setattr("touchstone.backups.saving.MADE_ANEW", frozenset())
    call_command("backup", backup, stdout=io.StringIO(), stderr=io.StringIO())
    empty_index()  # no table of a model: nothing else empties it behind this test
    assert ("annotation_documentindex" in rows_in(backup)) == saved
    with elsewhere(tmp_path, migrated=True) as other:
        if connection.vendor == "sqlite":
            other.python(LEFT)
        other.manage("restore", str(backup))
        assert other.python(SEARCH) == [[1, False], 1, [1, True], 0]
