"""Forms of a collection and its scale."""

from typing import cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst, slugify

from annotation.formats.language import MAX_LANGUAGE, language_tag
from annotation.models import DEFAULT_GRADES, FEWEST_GRADES, MOST_GRADES, Collection, Grade

USUAL_GRADES = len(DEFAULT_GRADES)  # rows shown at once; the others unfold


class DescriptionForm(forms.Form):
    name = forms.CharField(max_length=200)
    description = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=5000,
        required=False,
        help_text="What is in it and what it is for. Members see it.",
    )
    language = forms.CharField(
        max_length=MAX_LANGUAGE,
        required=False,
        label="Language of its texts",
        help_text="As a tag: en, pt-BR, zh-Hant. Screen readers speak topics and documents in it. Empty: not told.",
    )

    def clean_language(self) -> str:
        try:
            return language_tag(self.cleaned_data["language"])
        except ValueError as error:
            raise ValidationError(f"{capfirst(str(error))}.") from error


class CollectionForm(DescriptionForm):
    slug = forms.SlugField(
        max_length=60,
        required=False,
        label="Short name",
        help_text="Part of addresses; it cannot be changed later. Made from the name if you leave it empty.",
    )
    scale = forms.ChoiceField(
        choices=[
            ("default", "The usual five grades, 0 (not relevant) to 4 (perfectly relevant)"),
            ("own", "A scale of your own: its grades go below"),
        ],
        widget=forms.RadioSelect,
        initial="default",
    )
    field_order = ["name", "slug", "description", "language", "scale"]

    def clean(self) -> None:
        super().clean()
        slug = self.cleaned_data.get("slug") or slugify(self.cleaned_data.get("name", ""))[:60].strip("-")
        self.cleaned_data["slug"] = slug
        if not slug and "name" in self.cleaned_data and "slug" not in self.errors:
            self.add_error("slug", "The name has no letters a to z to make one from: please write one.")
        elif Collection.objects.filter(slug=slug).exists():
            self.add_error("slug", ValidationError(f"“{slug}” is taken.", code="taken"))


class _Line(forms.CharField):
    """A text of one line, however it was broken in the field."""

    def to_python(self, value: object) -> str:
        return " ".join((super().to_python(value) or "").split())


class GradeForm(forms.Form):
    """One grade. A row left empty is no grade."""

    name = _Line(max_length=60, required=False)
    definition = _Line(max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    example = _Line(max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def is_blank(self) -> bool:
        return not any(self.cleaned_data.get(name) for name in self.fields)

    def clean(self) -> None:
        super().clean()
        if not self.is_blank() and "name" not in self.errors and not self.cleaned_data.get("name"):
            self.add_error("name", "A grade needs a name.")


class GradeFormSet(forms.BaseFormSet):  # type: ignore[type-arg]
    """The rows of a scale from grade 0 upwards, without a gap."""

    def clean(self) -> None:
        if any(self.errors):
            return
        filled = [not form.is_blank() for form in self.forms]
        number = sum(filled)
        if not all(filled[:number]):
            raise ValidationError(f"Grade {filled.index(False)} is empty. Grades are counted from 0 without a gap.")
        if number < FEWEST_GRADES:
            raise ValidationError(f"A scale has at least {FEWEST_GRADES} grades.")
        names = [form.cleaned_data["name"].casefold() for form in self.forms[:number]]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValidationError(f"Grade {names.index(twice)} and another grade have the same name.")

    @property
    def first(self) -> list[GradeForm]:
        return list(self.forms[:USUAL_GRADES])

    @property
    def further(self) -> list[GradeForm]:
        return list(self.forms[USUAL_GRADES:])

    @property
    def further_used(self) -> bool:
        return any(form[name].value() for form in self.further for name in form.fields)

    def grades(self) -> list[Grade]:
        filled = [form.cleaned_data for form in self.forms if not form.is_blank()]
        return [
            Grade(grade=grade, name=row["name"], definition=row["definition"], example=row["example"])
            for grade, row in enumerate(filled)
        ]


def grade_formset(rows: int = MOST_GRADES) -> type[GradeFormSet]:
    """A formset with room for `rows` grades."""
    formset = forms.formset_factory(
        GradeForm, formset=GradeFormSet, extra=0, min_num=rows, max_num=rows, absolute_max=rows
    )
    return cast("type[GradeFormSet]", formset)
