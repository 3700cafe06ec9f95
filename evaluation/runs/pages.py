"""The list of runs."""

from django.urls import reverse

from annotation.kernel.list_columns import linked, moments, numbers, people, texts
from annotation.kernel.listing import Listing
from annotation.kernel.tables import Kind
from annotation.models import Collection
from evaluation.models import Run


def run_list(collection: Collection) -> Listing[Run]:
    def address(run: Run) -> str:
        return reverse("run", args=[collection.slug, run.tag])

    return Listing(
        "Runs",
        (
            linked("Tag", "tag", lambda run: run.tag, address, kind=Kind.ID, by="tag"),
            numbers("Topics", "topics", lambda run: run.n_topics, by="n_topics"),
            numbers("Rows", "rows", lambda run: run.n_rows, by="n_rows"),
            numbers("Tied rows", "tied", lambda run: run.n_tied, by="n_tied"),
            people("By", "by", lambda run: run.created_by, by="created_by"),
            moments("Imported", "imported", lambda run: run.created_at, by="created_at"),
            texts("Description", "description", lambda run: run.description, is_folded=True, is_long=True),
        ),
        search=("tag", "description"),
        hint="Tag or description",
    )
