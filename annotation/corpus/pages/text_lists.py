"""The lists of topics and of documents."""

from typing import Any

from django.urls import reverse

from annotation.kernel.list_columns import linked, texts
from annotation.kernel.listing import Listed, Listing, Ticks
from annotation.kernel.tables import Kind, Shown
from annotation.models import Collection

_TITLE = Listed[Any](
    "title",
    lambda version: version.title,
    by="title",
    shown=Shown("Title", is_numeric=False),
    part="annotation/corpus/text_title.html",
)


def topic_list(collection: Collection) -> Listing[Any]:
    """Of `current_topic_versions`."""

    def address(version: Any) -> str:
        return reverse("topic", args=[collection.slug, version.topic.number])

    return Listing(
        "Topics",
        (
            linked("Number", "number", lambda version: version.topic.number, address, kind=Kind.ID, look="fit code"),
            _TITLE,
            texts("Description", "description", lambda version: version.description, is_folded=True, is_long=True),
            texts("Narrative", "narrative", lambda version: version.narrative, is_folded=True, is_long=True),
        ),
        search=("topic__number", "title", "description", "narrative"),
        hint="Number, title or text",
        nothing="No topic holds all of these words.",
        ticks=Ticks(
            "of-topics",
            "numbers",
            value=lambda version: version.topic.number,
            named=lambda version: f"topic {version.topic.number}",
        ),
    )


def document_list(collection: Collection) -> Listing[Any]:
    """Of `found_documents`, looked for by their index and paged by keyset."""

    def address(version: Any) -> str:
        return reverse("document", args=[collection.slug, version.document.docno])

    return Listing(
        "Documents",
        (
            linked("Docno", "docno", lambda version: version.document.docno, address, kind=Kind.ID, look="fit docno"),
            _TITLE,
        ),
        search=("docno",),
        hint="Docno, title or text",
        nothing="No document has words that begin with all of these.",
    )
