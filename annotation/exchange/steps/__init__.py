"""The flow of this subject, in verbs; transactions live here."""

from annotation.exchange.steps.bundles import (
    import_collection_here,
    record_export,
    sweep_staged,
    tidy_bundles,
    write_bundle,
)
from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.staging import PREFIX
from annotation.exchange.steps.deletion import CollectionUsedError, delete_here, start_deletion, sweep_deletions
from annotation.exchange.steps.exporting import note_names_taken
from annotation.exchange.steps.importing import (
    WAITS_ITS_TURN,
    asks_first,
    discard_import,
    formats_of,
    publish_here,
    read_as,
    start_import,
    sweep_imports,
    upload_here,
)
from annotation.exchange.steps.importing.importer import Importer, preview_of

__all__ = [
    "PREFIX",
    "WAITS_ITS_TURN",
    "CollectionUsedError",
    "Importer",
    "Part",
    "asks_first",
    "delete_here",
    "discard_import",
    "formats_of",
    "import_collection_here",
    "note_names_taken",
    "preview_of",
    "publish_here",
    "read_as",
    "record_export",
    "start_deletion",
    "start_import",
    "sweep_deletions",
    "sweep_imports",
    "sweep_staged",
    "tidy_bundles",
    "upload_here",
    "write_bundle",
]
