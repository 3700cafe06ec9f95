"""The job that describes: what was found before from the same files is not computed again."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.formats.problems import FormatError
from annotation.kernel.jobs import JobRefusedError, JobRun
from annotation.models import Collection
from evaluation.beyond.steps.alarms import described_alarms
from evaluation.beyond.steps.asking import Asked
from evaluation.beyond.steps.drift import described_drift
from evaluation.beyond.steps.interleaving import credited_clicks, simulated_power
from evaluation.beyond.steps.recommendations import described_recommendations, renamed
from evaluation.engine.packed import PackedError
from evaluation.formats.stored import finite
from evaluation.models import Description

SHOWN = 20  # problems of a file in the reason
KINDS: dict[str, Callable[[Asked], tuple[dict[str, Any], dict[str, Any]]]] = {
    Description.Kind.RECOMMENDATIONS: described_recommendations,
    Description.Kind.ALARMS: described_alarms,
    Description.Kind.DRIFT: described_drift,
    Description.Kind.INTERLEAVING: credited_clicks,
    Description.Kind.INTERLEAVING_POWER: simulated_power,
}


def describe_in_job(attempt: JobRun) -> dict[str, object]:
    """The job. Files of strangers are read here, in the worker's child process."""
    asked, collection = Asked.of_json(attempt.job.payload["asked"]), attempt.job.collection
    with transaction.atomic():
        attempt.fence()
        is_known = _taken_up(collection, asked)
    if not is_known:
        attempt.report(done=0, total=0, message="Reading and describing")
        figures, drawing = _description(asked)
        columns = {"kind": asked.kind, "asked": asked.to_json(), "figures": figures, "drawing": drawing}
        with transaction.atomic():
            attempt.fence()
            Description.objects.update_or_create(
                collection=collection, key=asked.key, defaults={**columns, "made_at": timezone.now()}
            )
    return {"description": asked.key, "kind": asked.kind}


def _taken_up(collection: Collection | None, asked: Asked) -> bool:
    """What is kept is the newest again, under the names that were asked with now; False where nothing is kept."""
    kept = Description.objects.select_for_update().filter(collection=collection, key=asked.key).first()
    if kept:
        kept.asked, kept.figures, kept.made_at = asked.to_json(), renamed(asked, kept.figures), timezone.now()
        kept.save(update_fields=["asked", "figures", "made_at"])
    return kept is not None


def _description(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        figures, drawing = KINDS[asked.kind](asked)
    except FormatError as fault:
        more = [f"… and {fault.total - SHOWN} more"] if fault.total > SHOWN else []
        raise JobRefusedError("\n".join([*map(str, fault.problems[:SHOWN]), *more])) from fault
    except (ValueError, PackedError) as reason:
        raise JobRefusedError(str(reason)) from reason
    return finite(figures), finite(drawing)
