"""A file that is here, checked anew."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from django import forms

from annotation.exchange.forms.imports.by_kind import FORMS, format_choices
from annotation.exchange.steps.importing import meanings_of
from annotation.formats.mapping import SPOKEN
from annotation.kernel.forms import set_choices
from annotation.kernel.uploads import ImportForm
from annotation.models import Import, ReadAs

SHOWN_COLUMNS = 200  # of a file, to choose from
COLUMN = "column_"  # fields that ask for one begin so
SAME = "same_in_all"  # the field of what no column says
IN_WORDS = {"at": "time", "started": "start", "ended": "end", "seconds": "duration in seconds"}


class SameField(forms.CharField):
    """What no column says and all rows have: `annotator=Amber`, one to a line; cleaned, `=Amber` by its meaning."""

    def __init__(self, meanings: Sequence[str]) -> None:
        self.names = {IN_WORDS.get(meaning, meaning): meaning for meaning in meanings}
        example = "annotator=Amber" if "annotator" in self.names else f"{next(iter(self.names))}=…"
        super().__init__(
            required=False,
            max_length=1000,
            widget=forms.Textarea(attrs={"rows": 2}),
            label="The same in every row",
            help_text=f"What no column says, one to a line: {example}",
        )

    def clean(self, value: str) -> dict[str, str]:
        pairs = [line.partition("=") for line in super().clean(value).splitlines() if line.strip()]
        for name, equals, same in pairs:
            if name.strip() not in self.names or not (equals and same.strip()):
                names = ", ".join(self.names)
                raise forms.ValidationError(f"'{name}{equals}{same}' is not name=value with a name of {names}.")
        return {self.names[name.strip()]: f"={same.strip()}" for name, _, same in pairs}


class CheckForm(forms.Form):
    """A file that is here, checked anew: the form it is read in, which of its columns holds what, and other answers."""

    format = forms.ChoiceField(label="Read it as")

    def __init__(self, *args: Any, record: Import, **kwargs: Any) -> None:
        """What the check that has been went by is the first answer to everything."""
        super().__init__(*args, **kwargs)
        formats = format_choices(record.kind)
        self.read_as: ReadAs | None = record.preview.get("format")
        self.chosen: Mapping[str, str] = record.options.get("columns") or {}
        if formats:
            set_choices(self, "format", formats if self.read_as else [("", "Choose"), *formats])
        else:
            del self.fields["format"]
        self.initial["format"] = self.read_as["name"] if self.read_as else record.options.get("format", "")
        if self.read_as and self.read_as["mapped"]:
            self._ask_for_columns(meanings_of(record.kind), self.read_as["columns"][:SHOWN_COLUMNS])
        form_class = FORMS.get(record.kind, ImportForm)
        for name in form_class.asked_again:
            self.fields[name] = deepcopy(form_class.base_fields[name])
            self.initial[name] = record.options.get(name, "")

    def _ask_for_columns(self, meanings: Sequence[str], columns: Sequence[tuple[str, str]]) -> None:
        column_by_meaning = {**{meaning: column for column, meaning in columns}, **self.chosen}
        names = [column for column, _ in columns]
        for meaning in meanings:
            current = column_by_meaning.get(meaning, "")
            others = [] if current in names or not current else [(current, current)]
            self.fields[f"{COLUMN}{meaning}"] = forms.ChoiceField(
                choices=[("", "as its name says, if any"), *others, *((name, name) for name in names)],
                required=False,
                initial=current,
                label=f"Column of the {SPOKEN.get(meaning) or IN_WORDS.get(meaning, meaning)}",
            )
        self.fields[SAME] = SameField(meanings)

    def columns(self) -> dict[str, str]:
        """The columns chosen by what they mean, and values for all rows, which go before them.

        Where another form was chosen its columns are not known yet: there are values only.
        """
        same: dict[str, str] = self.cleaned_data.get(SAME, {})
        if self.read_as is None or self.cleaned_data.get("format") != self.read_as["name"]:
            return same
        by_meaning = {
            name.removeprefix(COLUMN): self.cleaned_data[name] for name in self.fields if name.startswith(COLUMN)
        }
        others = {name: column for name, column in self.chosen.items() if name not in by_meaning}
        return others | {name: column for name, column in by_meaning.items() if column} | same

    def options(self) -> dict[str, str]:
        """The other answers."""
        others = {name: value for name, value in self.cleaned_data.items() if not name.startswith(COLUMN)}
        return {name: value for name, value in others.items() if name not in ("format", SAME)}
