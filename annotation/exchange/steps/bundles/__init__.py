"""A whole collection out of one installation and into another: see `exporting`, `bringing` and `part`."""

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
    opened_bundle_file,
    packings_of,
    record_export,
    run_export,
    start_export,
    write_bundle,
)
from annotation.exchange.steps.bundles.importing import bring_here, run_bringing, run_checking, start_bringing
from annotation.exchange.steps.bundles.staging import sweep_staged
from annotation.exchange.steps.bundles.temporary_files import clear_transit, clear_transit_now_and_then, in_transit


def tidy_bundles() -> None:
    """Clear away what bundles that came to nothing have staged, and files whose day is over: for the worker."""
    sweep_staged()
    clear_transit_now_and_then()


__all__ = [
    "Arrival",
    "arrival_of",
    "arrivals_of",
    "bring_here",
    "bundle_file",
    "clear_transit",
    "discard_arrival",
    "in_transit",
    "opened_bundle_file",
    "packings_of",
    "publish_arrival",
    "record_export",
    "run_bringing",
    "run_checking",
    "run_export",
    "start_arrival",
    "start_bringing",
    "start_export",
    "sweep_staged",
    "tidy_bundles",
    "write_bundle",
]
