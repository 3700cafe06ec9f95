"""A command that is killed leaves nothing in the way of the next one, although there is no worker."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from annotation.corpus.read.texts import visible_documents
from annotation.models import Collection, Document, DocumentVersion, Import, Job
from tests.annotation.exchange.steps.import_work import many
from tests.factories import make_collection
from tests.live import database_url
from tests.soak.processes import ROOT, until

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.both("locks")]

N = 4000


def begun(collection: Collection, file: Path, *, lease: int) -> "subprocess.Popen[str]":
    """`import_documents` in a process of its own, under a lease of so many seconds."""
    variables = {
        "DATABASE_URL": database_url(),
        "TOUCHSTONE_FILES": str(settings.TOUCHSTONE_FILES),
        "TOUCHSTONE_SECRET_KEY": settings.SECRET_KEY,
        "TOUCHSTONE_LEASE": str(lease),
    }
    command = [sys.executable, "manage.py", "import_documents", collection.slug, str(file), "--json"]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True)


def test_a_command_goes_on_where_another_was_killed(tmp_path: Path) -> None:
    collection, file = make_collection(), tmp_path / "documents.jsonl"
    file.write_text(many(N))
    killed = begun(collection, file, lease=1)
    until(lambda: Document.objects.filter(collection=collection).exists(), "rows are staged")
    killed.kill()
    killed.communicate()
    assert (Import.objects.get().state, visible_documents(collection).count()) == ("storing", 0)

    following = begun(collection, file, lease=60)
    output, _ = following.communicate()
    assert (following.returncode, json.loads(output)["counts"]) == (0, {"New": N, "Unchanged": 0, "Changed": 0})
    assert list(Import.objects.order_by("pk").values_list("state", flat=True)) == ["failed", "published"]
    assert list(Job.objects.order_by("pk").values_list("state", flat=True)) == ["done", "failed", "done", "done"]
    assert visible_documents(collection).count() == Document.objects.count() == DocumentVersion.objects.count() == N
