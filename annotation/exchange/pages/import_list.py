"""The list of imports."""

from typing import Any

from django.urls import reverse

from annotation.kernel.list_columns import linked, moments, people, texts
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.tables import Shown
from annotation.models import Collection, Import


def import_list(collection: Collection) -> Listing[Any]:
    """Of `imports_of`. The page needs `awaited`: primary keys of those that were told to be published, and wait."""

    def address(record: Import) -> str:
        return reverse("import_detail", args=[collection.slug, record.pk])

    return Listing(
        "Imports",
        (
            linked("File", "file", lambda record: record.filename, address, by="filename", look="code wide"),
            Listed(
                "state",
                lambda record: record.state,
                by="state",
                shown=Shown("State", is_numeric=False, is_narrow=True),
                part="annotation/exchange/imports_state.html",
            ),
            texts("Kind", "kind", lambda record: record.get_kind_display(), by="kind", is_narrow=True),
            texts("Read as", "read_as", lambda record: record.read_as or ""),
            people("By", "by", lambda record: record.created_by, by="created_by"),
            moments("When", "when", lambda record: record.created_at, by="created_at"),
            texts("Hash of the file", "sha256", lambda record: record.sha256, is_folded=True, is_long=True),
        ),
        search=("filename", "created_by__username"),
        hint="File or who brought it",
        filters=(
            Only("kind", "Kind", "kind", Import.Kind.choices),
            Only("state", "State", "state", Import.State.choices),
        ),
    )
