"""Fields and forms that several subjects use."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, count
from typing import Any

from django import forms

from annotation.formats.fields import split_blanks
from annotation.models import Collection, Pool, ScaleVersion, Snapshot

ALL, LISTED = "all", "listed"  # of a choice of topics
POOL_NAME_TAKEN = "The collection already has a pool of this name."


class PlainText(forms.CharField):
    """Browsers send lines ended by CR LF; stored text has LF, so that an unchanged text is unchanged."""

    def to_python(self, value: object) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n").replace("\r", "\n")


class SearchForm(forms.Form):
    q = forms.CharField(required=False, max_length=200, label="Search")


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Stays in the record. Write what you saw, so that somebody else can follow it.",
    )


class NamedSnapshotForm(forms.Form):
    """What becomes a snapshot of `collection`, which who derives from this sets, has a name that none has."""

    collection: Collection
    name = forms.CharField(
        max_length=100, label="Name of the snapshot", help_text="Cannot be changed later, nor used again."
    )

    def clean_name(self) -> str:
        return free_snapshot_name(self.collection, self.cleaned_data["name"])


class ShownVersionForm(forms.Form):
    """Which version of a text a person had before them when they agreed to it, or took note of it."""

    number = forms.IntegerField(min_value=1)


def listed_numbers(form: forms.BaseForm) -> list[str] | None:
    """The numbers listed under “These topics”, each once; None where all topics are chosen."""
    entered = form.cleaned_data.get("numbers", "")
    if form.cleaned_data.get("topics") == ALL:
        if entered:
            form.add_error("numbers", "Choose “These topics” above, or leave this empty.")
        return None
    if not (numbers := list(dict.fromkeys(split_blanks(entered)))):
        form.add_error("numbers", "List at least one topic, or choose all.")
    return numbers


@contextmanager
def errors_in(form: forms.BaseForm, *error_types: type[Exception]) -> Iterator[None]:
    """An error of a step becomes one of the form, of no single field."""
    try:
        yield
    except error_types as error:
        form.add_error(None, str(error))


def named_grades(scale: ScaleVersion) -> list[tuple[int, str]]:
    """The grades of a scale as choices."""
    return [(each["grade"], f"{each['grade']} {each['name']}") for each in scale.grades]


def set_choices(form: forms.Form, name: str, choices: Iterable[tuple[object, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def free_pool_name(collection: Collection, name: str) -> str:
    if Pool.objects.filter(collection=collection, name=name).exists():
        raise forms.ValidationError(POOL_NAME_TAKEN, code="taken")
    return name


def free_snapshot_name(collection: Collection, name: str) -> str:
    if Snapshot.objects.filter(collection=collection, name=name).exists():
        raise forms.ValidationError("The collection already has a snapshot of this name.", code="taken")
    return name


def proposed_pool_name(collection: Collection, words: str) -> str:
    """These words, with a number behind them where a pool is called so already."""
    words = words[:95]
    taken = set(Pool.objects.filter(collection=collection, name__startswith=words).values_list("name", flat=True))
    return next(name for name in chain([words], (f"{words} {n}" for n in count(2))) if name not in taken)


class PoolNameForm(forms.Form):
    name = forms.CharField(max_length=100)

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection

    def clean_name(self) -> str:
        return free_pool_name(self.collection, self.cleaned_data["name"])
