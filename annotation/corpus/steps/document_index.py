"""The index of the search among documents. The worker adds what is published, portion by portion, behind the imports.

A row of `DocumentIndex` says how far it is. What an import makes visible is said to be missing in
the transaction of its flip; until it is added, that collection is searched by reading its texts.
Texts that are not published are never in it. Old versions stay in it: the search asks for current
ones.
"""

import json
import logging
import time
from collections.abc import Sequence

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.corpus.read.document_search import FTS, INDEXED, OF_TITLE
from annotation.kernel.bulk_rows import tell_planner
from annotation.kernel.visible import CLOSING, STAGED, published
from annotation.models import Collection, DocumentIndex, DocumentVersion, DocumentWords, Job

logger = logging.getLogger(__name__)

PORTION = 250  # texts in one transaction: some 50 ms for a kilobyte each
AT_ONCE = 5.0  # seconds of a sweep
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
OF_TEXTS = """
    FROM annotation_documentversion version JOIN annotation_document document ON document.id = version.document_id
    WHERE version.id IN
"""
TO_POSTGRESQL = f"""
    INSERT INTO annotation_documentwords (version_id, words)
    SELECT version.id, strip(to_tsvector('simple', translate(
        document.docno || ' ' || left(version.title, {OF_TITLE}) || ' ' || left(version.text, {INDEXED}), %s, %s)))
    {OF_TEXTS} (SELECT unnest(%s::bigint[]))
"""
WORDS = f"document.docno || ' ' || substr(version.title, 1, {OF_TITLE}) || ' ' || substr(version.text, 1, {INDEXED})"
TO_SQLITE = f"""
    INSERT INTO {FTS} (rowid, words) SELECT version.id, {WORDS} {OF_TEXTS} (SELECT value FROM json_each(%s))
"""  # noqa: S608 -- as above
FROM_SQLITE = f"""
    INSERT INTO {FTS} ({FTS}, rowid, words)
    SELECT 'delete', version.id, {WORDS} {OF_TEXTS} (SELECT value FROM json_each(%s))
"""  # noqa: S608 -- as above


def note_missing(collection: Collection) -> None:
    """Texts become visible that the index lacks. In the transaction of their flip."""
    here = DocumentIndex.objects.filter(collection=collection)
    if not here.update(is_whole=False):
        DocumentIndex.objects.get_or_create(collection=collection)
        here.update(is_whole=False)  # where the worker has made the row meanwhile


def sweep_document_index() -> int:
    """Add what is missing, while no job waits, for some seconds; returns how many texts.

    Texts that the database refuses to index hold up none of another collection.
    """
    until, n_added = time.monotonic() + AT_ONCE, 0
    for collection in _collections_behind():
        try:
            while n := add_portion(collection):
                n_added += n
                if time.monotonic() > until or Job.objects.filter(state=Job.State.QUEUED).exists():
                    return n_added
        except DatabaseError as fault:
            logger.error("the texts of %s are not indexed: %s", collection.slug, str(fault).partition("\n")[0])
    return n_added


def index_documents(collection: Collection) -> int:
    """Add all that is missing; returns how many texts."""
    n_added = 0
    while n := add_portion(collection):
        n_added += n
    return n_added


@transaction.atomic
def add_portion(collection: Collection) -> int:
    """Add some texts; returns how many. 0: none was missing, and the index is whole."""
    DocumentIndex.objects.get_or_create(collection=collection)
    state = DocumentIndex.objects.select_for_update().get(collection=collection)
    keys = list(
        _texts(collection).filter(pk__gt=state.indexed_to).order_by("pk").values_list("pk", flat=True)[:PORTION]
    )
    if keys:
        _add(keys)
        state.indexed_to = keys[-1]
    else:
        _settle()
        state.is_whole = True
    state.save()
    return len(keys)


@transaction.atomic
def remove_portion(collection: Collection) -> int:
    """Take some texts out before they are deleted, the last ones first; returns how many. On PostgreSQL they go with
    their texts."""
    state = DocumentIndex.objects.select_for_update().filter(collection=collection).first()
    if state is None or connection.vendor == "postgresql":
        return 0
    texts = _texts(collection).filter(pk__lte=state.indexed_to).order_by("-pk")
    keys = list(texts.values_list("pk", flat=True)[:PORTION])
    if keys:
        with connection.cursor() as cursor:
            cursor.execute(FROM_SQLITE, [json.dumps(keys)])
        state.indexed_to, state.is_whole = keys[-1] - 1, False
        state.save()
    return len(keys)


@transaction.atomic
def empty_index() -> None:
    """Begin anew with every collection."""
    DocumentIndex.objects.all().delete()
    DocumentWords.objects.all().delete()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {FTS} ({FTS}) VALUES ('delete-all')")  # noqa: S608 -- a name of our own


def _texts(collection: Collection) -> QuerySet[DocumentVersion]:
    return DocumentVersion.objects.filter(published(), collection=collection)


def _collections_behind() -> QuerySet[Collection]:
    """Not those on their way in: what a bundle brings is said to be published before all of it is there."""
    has_texts = Exists(DocumentVersion.objects.filter(collection=OuterRef("pk")))
    is_whole = Exists(DocumentIndex.objects.filter(collection=OuterRef("pk"), is_whole=True))
    moving = Q(slug__startswith=STAGED) | Q(slug__startswith=CLOSING)
    return Collection.objects.filter(~is_whole, has_texts).exclude(moving)


def _add(keys: Sequence[int]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(TO_POSTGRESQL, [SIGNS, " " * len(SIGNS), list(keys)])
        else:
            cursor.execute(TO_SQLITE, [json.dumps(keys)])


def _settle() -> None:
    """Bring what PostgreSQL has put by into the index proper, and tell its planner how large the table has become."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT gin_clean_pending_list('annotation_documentwords_gin'::regclass)")
        tell_planner(DocumentWords)
