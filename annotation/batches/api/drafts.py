"""A draft as a program sends it: by names, shares as parts of 1, judged by the form of the page."""

import secrets
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from annotation.batches.forms.batches import MOST_PLANTED, NAME_TAKEN, SHARES, BatchForm
from annotation.batches.forms.drafts import NamedBatchForm, draft_entries, draft_form, entries_in_form, named_entries_of
from annotation.batches.forms.presets import PRESETS
from annotation.batches.steps.batches import KEEPS_SETTINGS, BatchError, change_batch, create_batch
from annotation.kernel.api.form_fields import Field, field_of, serializer_of_fields
from annotation.kernel.api.refusals import refused
from annotation.kernel.taken import TakenError
from annotation.models import Batch, Collection, User

FIELDS = {name: field for name, field in BatchForm.base_fields.items() if name != "numbers"}


def _share(name: str, text: str = "") -> serializers.FloatField:
    field = FIELDS[name]
    low, high = field.min_value / 100, field.max_value / 100  # type: ignore[attr-defined]
    return serializers.FloatField(min_value=low, max_value=high, required=False, allow_null=bool(text), help_text=text)


BY_NAME: dict[str, Field] = {
    "topics": serializers.ListField(
        child=serializers.CharField(), allow_null=True, required=False, help_text="Numbers; null: all of the pool."
    ),
    "annotators": serializers.ListField(child=serializers.CharField(), required=False, help_text="By pseudonym."),
    "information": serializers.IntegerField(
        min_value=1, allow_null=True, required=False, help_text="The version of the text to agree to."
    ),
    "steered_by": serializers.CharField(
        allow_null=True, allow_blank=True, required=False, help_text="The policy (`name vN`) that asks for more."
    ),
    "target_probability": _share("target_probability", "Of a pair’s grade, from which no more is asked for."),
    **{name: _share(name) for name in SHARES},
    "seed": serializers.IntegerField(
        min_value=0, max_value=2**62, required=False, help_text="The layout follows from it; drawn if left out."
    ),
}
PRESET: dict[str, Field] = {
    "preset": serializers.ChoiceField(
        [(preset.name, f"{preset.says}. {preset.why}") for preset in PRESETS.values()],
        required=False,
        help_text="Settings to begin with; what is sent beside it holds.",
    )
}
ALWAYS = {name: field_of(FIELDS[name], required=True) for name in ("name", "pool")}
WORDS = (
    f"What is left out is as the page begins with it. Shares are parts of 1, together at most {MOST_PLANTED / 100:g}."
)
NewBatchSerializer = serializer_of_fields(
    "NewBatch", FIELDS, description=WORDS, partial=True, others={**BY_NAME, **PRESET, **ALWAYS}
)
ChangedBatchSerializer = serializer_of_fields(
    "ChangedBatch", FIELDS, description="What is left out stays as it is.", partial=True, others=BY_NAME
)


def draft(collection: Collection, entries: Mapping[str, Any], *, actor: User) -> Batch:
    """Raises `ValidationError` for what the form of the page refuses."""
    begin: dict[str, Any] = {
        name: field.initial for name, field in BatchForm.base_fields.items() if field.initial is not None
    }
    preset = PRESETS.get(str(entries.get("preset", "")))
    begin |= preset.sets if preset else {}
    form = _valid(draft_form(_data(begin, entries), collection, form_type=NamedBatchForm))
    try:
        return create_batch(collection, **draft_entries(form), actor=actor)
    except TakenError as error:
        raise refused({"name": [NAME_TAKEN]}) from error


def change(batch: Batch, entries: Mapping[str, Any], *, actor: User) -> None:
    """As `draft`; raises `BatchError` once the batch is laid out."""
    if batch.state != Batch.State.DRAFT:
        raise BatchError(KEEPS_SETTINGS)
    data = _data(named_entries_of(batch), entries)
    form = _valid(draft_form(data, batch.collection, batch=batch, form_type=NamedBatchForm))
    try:
        change_batch(batch, **draft_entries(form), actor=actor)
    except TakenError as error:
        raise refused({"name": [NAME_TAKEN]}) from error


def _data(begin: Mapping[str, Any], entries: Mapping[str, Any]) -> dict[str, Any]:
    return {"seed": secrets.randbelow(2**31), **begin, **entries_in_form(entries)}


def _valid(form: BatchForm) -> BatchForm:
    if not form.is_valid():
        raise refused({"topics" if name == "numbers" else name: reasons for name, reasons in form.errors.items()})
    return form
