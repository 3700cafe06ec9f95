"""A refused form takes the focus where it is wrong."""

import re

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.template.loader import render_to_string

from touchstone.forms import FormRenderer


class TripForm(forms.Form):
    secret = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(widget=forms.TextInput(attrs={"autofocus": True}))
    days = forms.MultipleChoiceField(choices=[("1", "Monday"), ("2", "Tuesday")], widget=forms.CheckboxSelectMultiple)
    note = forms.CharField(widget=forms.Textarea)

    def clean(self) -> None:
        if self.cleaned_data.get("note") == "never":
            raise forms.ValidationError("Never is no day.")


RIGHT = {"name": "Swift", "days": ["1"], "note": "at noon"}


def focused(form: forms.Form) -> list[str]:
    """What is marked to take the focus: an element and its name."""
    page = render_to_string("components/form.html", {"form": form})
    marked = re.findall(r"<(\w+)([^>]*\bautofocus[^>]*)>", page)
    return [" ".join([tag, *re.findall(r'name="([^"]*)"', attributes)]) for tag, attributes in marked]


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({}, ["input name"]),
        ({"name": ""}, ["input name"]),
        ({"note": ""}, ["textarea note"]),
        ({"days": [], "note": ""}, ["fieldset"]),
        ({"name": "", "note": ""}, ["input name"]),
        ({"note": "never"}, ["ul"]),
        ({"name": "", "note": "never"}, ["ul"]),
    ],
)
def test_the_first_wrong_field_takes_the_focus_or_the_summary_above_it(
    wrong: dict[str, object], expected: list[str]
) -> None:
    assert focused(TripForm({**RIGHT, **wrong})) == expected


def test_a_form_that_nobody_has_sent_keeps_its_own() -> None:
    assert focused(TripForm()) == ["input name"]


@pytest.mark.parametrize(
    ("first", "is_required", "is_optional"),
    [([("", "none")], False, True), ([], False, False), ([("", "none")], True, False), ([], True, False)],
)
def test_a_list_is_optional_where_it_has_an_empty_choice(
    first: list[tuple[str, str]], is_required: bool, is_optional: bool
) -> None:
    choices = [*first, ("1", "one")]

    class Lists(forms.Form):
        some = forms.ChoiceField(choices=choices, required=is_required)

    assert ("(optional)" in render_to_string("components/field.html", {"field": Lists()["some"]})) == is_optional


def test_a_select_is_drawn_as_django_draws_it() -> None:
    """It has a template of its own."""
    choices = [("", "none"), ("a <b>", "A & B"), ("group", [("1", "one"), ("2", "two")]), (3, "three")]
    selects = [forms.Select(attrs={"id": "x", "disabled": True, "hidden": False}, choices=choices)]
    selects.append(forms.SelectMultiple(choices=choices))
    for select in selects:
        for value in ("a <b>", ["1", "3"], None):
            drawn = [select.render("name", value, renderer=renderer()) for renderer in (FormRenderer, DjangoTemplates)]
            assert read(drawn[0]) == read(drawn[1])


def read(html: str) -> list[str]:
    """Its tags and texts."""
    return [" ".join(part.split()) for part in re.split(r"(<[^>]*>)", html.replace("\n  >", ">")) if part.strip()]


@pytest.mark.parametrize(
    ("choices", "css"),
    [
        ([("", "none"), ("a", "x" * 20)], "field"),
        ([("", "none"), ("a", "x" * 21)], "field long"),
        ([("A group of some options", [("a", "x" * 46)]), ("b", "none")], "field longer"),
        ([("A group of some options", [("a", "short")])], "field"),
        ([], "field"),
    ],
)
def test_a_select_has_room_for_its_longest_choice(choices: list[tuple[str, object]], css: str) -> None:
    class ChoiceForm(forms.Form):
        choice = forms.ChoiceField(choices=choices)

    assert f'<div class="{css}">' in render_to_string("components/form.html", {"form": ChoiceForm()})
