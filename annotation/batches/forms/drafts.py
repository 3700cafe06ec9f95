"""A draft of a batch as it is entered: on the page by keys, by a program or a command by names."""

from collections.abc import Mapping
from typing import Any, TypedDict

from django import forms
from django.db.models import QuerySet

from annotation.batches.forms.batches import SETTINGS, SHARES, BatchForm
from annotation.batches.forms.overlap import TARGET
from annotation.batches.read.batches import annotators_of
from annotation.batches.steps.batches import BatchSettings
from annotation.corpus.read.texts import topics_with_text
from annotation.kernel.forms import ALL, LISTED
from annotation.models import Annotator, Batch, Collection, Participation, Topic
from annotation.trust.read.policies import policies_of

DIGITS = 6  # of a share in percent: 0.07 is 7, not 7.000000000000001


class NamedBatchForm(BatchForm):
    """`BatchForm` where everything is chosen by its name: annotators by pseudonym, the information by its number."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = {"pool": "name", "annotators": "pseudonym", "information": "number", "qualification": "name"}
        for field, name in names.items():
            chosen = self.fields[field]
            assert isinstance(chosen, forms.ModelChoiceField)
            chosen.to_field_name = name


class DraftEntries(TypedDict):
    """What `create_batch` and `change_batch` take."""

    settings: BatchSettings
    topics: list[Topic]
    annotators: QuerySet[Annotator]


def draft_form(
    data: Any,
    collection: Collection,
    *,
    initial: dict[str, object] | None = None,
    batch: Batch | None = None,
    form_type: type[BatchForm] = BatchForm,
) -> BatchForm:
    """The form with what the collection offers. `batch`: the draft that is changed."""
    return form_type(
        data,
        collection=collection,
        topics=topics_with_text(collection).order_by("pk"),
        annotators=annotators_of(collection),
        policies=policies_of(collection),
        batch=batch,
        initial=initial,
    )


def draft_entries(form: BatchForm) -> DraftEntries:
    """Of a valid form."""
    topics, annotators = form.cleaned_data["topics"], form.cleaned_data["annotators"]
    return DraftEntries(settings=form.settings(), topics=topics, annotators=annotators)


def entries_of(batch: Batch) -> dict[str, object]:
    """What the form of a draft begins with; shares in percent."""
    settings = {name: getattr(batch, name) for name in SETTINGS}
    people = Participation.objects.filter(batch=batch).values_list("annotator", flat=True)
    numbers = batch.topics.order_by("pk").values_list("number", flat=True)
    target = TARGET if batch.target_probability is None else in_percent(batch.target_probability)
    return {
        **settings,
        **{name: in_percent(settings[name]) for name in SHARES},
        "steered_by": str(batch.steered_by or ""),
        "target_probability": target,
        "annotators": list(people),
        "topics": LISTED,
        "numbers": " ".join(numbers),
    }


def named_entries_of(batch: Batch) -> dict[str, object]:
    """`entries_of`, by names."""
    people = Participation.objects.filter(batch=batch).values_list("annotator__pseudonym", flat=True)
    return {
        **entries_of(batch),
        "pool": batch.pool.name if batch.pool else None,
        "annotators": list(people),
        "information": batch.information.number if batch.information else None,
        "qualification": batch.qualification.name if batch.qualification else None,
    }


def entries_in_form(values: Mapping[str, Any]) -> dict[str, object]:
    """A program's words as the form's: parts of 1 become percent, `topics` is a list of numbers, or None for all."""
    entered = dict(values)
    for name in (*SHARES, "target_probability"):
        if entered.get(name) is not None:
            entered[name] = in_percent(entered[name])
    if "topics" in entered:
        numbers = entered["topics"]
        entered["topics"] = ALL if numbers is None else LISTED
        entered["numbers"] = " ".join(numbers or ())
    return entered


def in_percent(share: float) -> float:
    return round(100 * share, DIGITS)
