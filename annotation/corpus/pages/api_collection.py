"""A collection and its scale as programs send them: judged by the forms of the pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.forms import Form
from rest_framework import serializers

from annotation.corpus.forms.collections import CollectionForm, DescriptionForm, GradeForm, grade_formset
from annotation.kernel.api.form_entries import checked_form, form_errors, sent_entries, serializer_of_form
from annotation.kernel.api.refusals import refused
from annotation.models import DEFAULT_GRADES, FEWEST_GRADES, MOST_GRADES, Collection
from annotation.models.scale import Grade


class GradeSerializer(serializers.Serializer[Grade]):
    grade = serializers.IntegerField()
    name = serializers.CharField()
    definition = serializers.CharField()
    example = serializers.CharField()


GradeEntries = serializer_of_form(
    "GradeEntries",
    GradeForm,
    name=serializers.CharField(max_length=60),
    grade=serializers.IntegerField(required=False, help_text="Its place, from 0; may be left out."),
)


def _grades(**options: Any) -> serializers.Field[Any, Any, Any, Any]:
    words = "The scale, from bottom to top."
    return serializers.ListField(
        child=GradeEntries(), min_length=FEWEST_GRADES, max_length=MOST_GRADES, help_text=words, **options
    )


NewCollectionEntries = serializer_of_form(
    "NewCollectionEntries",
    CollectionForm,
    without=("scale",),
    slug=serializers.SlugField(
        max_length=60,
        required=False,
        help_text="Stands in addresses and stays; without one it is made from the name.",
    ),
    grades=_grades(required=False),
)
DescriptionEntries = serializer_of_form("DescriptionEntries", DescriptionForm)
ScaleEntries = serializer_of_form(
    "ScaleEntries", DescriptionForm, without=DescriptionForm.base_fields, grades=_grades()
)


def entered_collection(data: Any) -> dict[str, Any]:
    """What `create_collection` takes. Without grades, the usual five. Raises `ValidationError`."""
    sent = sent_entries(NewCollectionEntries, data)
    grades = sent.pop("grades", None)
    values = checked_form(CollectionForm, sent).cleaned_data
    del values["scale"]
    return {**values, "grades": DEFAULT_GRADES if grades is None else checked_grades(grades)}


def entered_description(data: Any, collection: Collection) -> dict[str, Any]:
    """What `describe_collection` takes: the values that were sent, the others as they are."""
    current = {name: getattr(collection, name) for name in DescriptionForm.base_fields}
    sent = sent_entries(DescriptionEntries, data, partial=True)
    return checked_form(DescriptionForm, {**current, **sent}).cleaned_data


def entered_scale(data: Any) -> list[Grade]:
    return checked_grades(sent_entries(ScaleEntries, data)["grades"])


def checked_grades(rows: Sequence[Mapping[str, Any]]) -> list[Grade]:
    """The rows as the page's own form takes them. Raises `ValidationError`."""
    if any(row.get("grade", number) != number for number, row in enumerate(rows)):
        raise refused({"grades": ["Grades are counted from 0 without a gap, in their order."]})
    data: dict[str, Any] = {"grades-TOTAL_FORMS": MOST_GRADES, "grades-INITIAL_FORMS": 0}
    data |= {f"grades-{at}-{name}": row.get(name, "") for at, row in enumerate(rows) for name in GradeForm.base_fields}
    forms = grade_formset()(data, prefix="grades")
    if not forms.is_valid():
        raise refused({"grades": [*_reasons(forms.forms), *forms.non_form_errors()]})
    return forms.grades()


def _reasons(forms: Sequence[Form]) -> list[str]:
    """The reasons of all rows, each with the grade that it is about."""
    return [
        f"Grade {grade}: {reason}"
        for grade, form in enumerate(forms)
        for reasons in form_errors(form).values()
        for reason in reasons
    ]
