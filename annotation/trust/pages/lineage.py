"""Where on the pages of a collection what its snapshots come from is shown."""

from collections.abc import Iterable

from django.urls import reverse

from annotation.formats.lineage import Ancestor

PAGES = {
    "Batch": "batch",
    "Bundle": "import_detail",
    "File": "import_detail",
    "Folder": "import_detail",
    "Gold": "snapshot",
    "Pool": "pool",
    "Snapshot": "snapshot",
}


def with_addresses(slug: str, lineage: Iterable[Ancestor]) -> list[tuple[Ancestor, str]]:
    """Each with the address of its page, "" of what has none."""
    return [(each, reverse(PAGES[each.what], args=[slug, each.key]) if each.key else "") for each in lineage]
