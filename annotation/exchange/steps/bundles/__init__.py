"""A whole collection out of one installation and into another: see `exporting`, `importing` and `parts.part`."""

from annotation.exchange.steps.bundles.arrivals import (
    Arrival,
    arrival_of,
    arrivals_of,
    discard_arrival,
    publish_arrival,
    start_arrival,
)
from annotation.exchange.steps.bundles.exporting import (
    bundle_file,
    open_bundle_file,
    packings_of,
    record_export,
    run_export,
    start_export,
    write_bundle,
)
from annotation.exchange.steps.bundles.importing import (
    import_collection_here,
    run_collection_check,
    run_collection_import,
)
from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import Reference
from annotation.exchange.steps.bundles.staging import sweep_staged
from annotation.exchange.steps.bundles.temporary_files import clear_transit_now_and_then


def tidy_bundles() -> None:
    """Clear away what bundles that came to nothing have staged, and files whose day is over: for the worker."""
    sweep_staged()
    clear_transit_now_and_then()


__all__ = [
    "Arrival",
    "Part",
    "Reference",
    "arrival_of",
    "arrivals_of",
    "bundle_file",
    "discard_arrival",
    "import_collection_here",
    "open_bundle_file",
    "packings_of",
    "publish_arrival",
    "record_export",
    "run_collection_check",
    "run_collection_import",
    "run_export",
    "start_arrival",
    "start_export",
    "sweep_staged",
    "tidy_bundles",
    "write_bundle",
]
