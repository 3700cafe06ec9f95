"""Files on their way in: upload, check, preview, publish. All or nothing: see `flow` and `sweeping`."""

from annotation.exchange.read.imports import job_of
from annotation.exchange.steps.importing.flow import (
    asks_first,
    cancel_import,
    check_import,
    discard_import,
    publish_here,
    publish_import,
    recheck_import,
    start_import,
    store_import,
    upload_here,
)
from annotation.exchange.steps.importing.from_corpus import bring_documents
from annotation.exchange.steps.importing.importer import (
    CORRECT_ALL,
    Importer,
    formats_of,
    meanings_of,
    preview_of,
    read_as,
)
from annotation.exchange.steps.importing.sweeping import sweep_imports
from annotation.exchange.steps.importing.texts import Text, text_of
from annotation.exchange.steps.importing.topics import TopicImporter
from annotation.exchange.steps.importing.turns import waits_its_turn

__all__ = [
    "CORRECT_ALL",
    "Importer",
    "Text",
    "TopicImporter",
    "asks_first",
    "bring_documents",
    "cancel_import",
    "check_import",
    "discard_import",
    "formats_of",
    "job_of",
    "meanings_of",
    "preview_of",
    "publish_here",
    "publish_import",
    "read_as",
    "recheck_import",
    "start_import",
    "store_import",
    "sweep_imports",
    "text_of",
    "upload_here",
    "waits_its_turn",
]
