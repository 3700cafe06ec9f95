"""Agreement of annotators, and their accuracy on gold: of all judgments so far, or of those of the last days."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import numpy as np
from django.utils import timezone

from annotation.kernel.visible import visible_batches, visible_judgments
from annotation.models import Batch, Collection
from annotation.quality.agreement.alpha import alpha_values, krippendorff_alpha
from annotation.quality.agreement.bootstrap import bootstrap_intervals
from annotation.quality.agreement.counts import counts_of_votes
from annotation.quality.agreement.rows import agreement_rows
from annotation.quality.arrays import Bools
from annotation.quality.inputs import Inputs
from annotation.quality.votes import votes_of_rows
from annotation.quality.wilson import Share
from annotation.trust.read.judgments import policy_inputs
from evaluation.series.steps.measuring.result import Kind, Measured, MeasuringError, key_of

N_DRAWS = 1000


def _agreement(collection: Collection, of: Mapping[str, Any]) -> Measured:
    """Krippendorff's alpha for ordered grades, with a bootstrap interval over documents."""
    inputs, days = _inputs(collection), of.get("days")
    row = agreement_rows(inputs)
    row = row[_lately(collection, inputs, days)[row]]
    votes, _ = votes_of_rows(inputs.table, row)
    counts = counts_of_votes(votes, inputs.scale)
    agreement = krippendorff_alpha(counts)
    if agreement.value is None:
        raise MeasuringError(f"Krippendorff’s α is undefined. {agreement.reason}")
    interval = bootstrap_intervals(counts, {"alpha": alpha_values}, n_draws=N_DRAWS, rng=0)["alpha"]
    rests_on = f"{agreement.n_judgments} judgments on {agreement.n_items} pairs{_when(days)}"
    key = key_of("alpha", inputs.table.sequence[row].tolist())
    return Measured(agreement.value, interval.low, interval.high, rests_on, key)


def _gold(collection: Collection, of: Mapping[str, Any]) -> Measured:
    """The share of gold judgments that are right, of people who are not excluded, with Wilson's interval."""
    inputs, days = _inputs(collection), of.get("days")
    scored = inputs.scored
    here = _lately(collection, inputs, days)[scored.row]
    here &= ~np.isin(inputs.table.annotator[scored.row], sorted(inputs.excluded))
    share = Share(int(scored.right[here].sum()), int(here.sum()))
    if share.value is None:
        raise MeasuringError(f"Nobody has judged gold{_when(days)}.")
    rests_on = f"{share.n_yes} of {share.n} gold judgments{_when(days)}"
    key = key_of("gold", inputs.table.sequence[scored.row[here]].tolist(), scored.right[here].tolist())
    return Measured(share.value, *share.interval, rests_on, key)


def _inputs(collection: Collection) -> Inputs:
    batches = list(visible_batches(collection).exclude(state=Batch.State.DRAFT).select_related("scale", "collection"))
    try:
        return policy_inputs(collection, batches)
    except ValueError as reason:
        raise MeasuringError(str(reason) if batches else "There is no batch yet.") from reason


def _lately(collection: Collection, inputs: Inputs, days: int | None) -> Bools:
    """(n_table,): whether each judgment was saved in the last days; all, if none are named."""
    if not days:
        return np.ones(inputs.table.sequence.size, np.bool_)
    since = timezone.now() - timedelta(days=days)
    keys = visible_judgments(collection).filter(created_at__gte=since).values_list("pk", flat=True)
    return np.isin(inputs.table.sequence, list(keys))


def _when(days: int | None) -> str:
    return f" of the last {days} day{'s' if days > 1 else ''}" if days else ""


AGREEMENT = Kind(("days",), _agreement, optional=("days",))
GOLD = Kind(("days",), _gold, optional=("days",))
