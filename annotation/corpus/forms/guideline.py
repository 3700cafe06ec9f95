"""The form of a guideline: its texts, and its worked examples as rows to add, move and remove, script or not."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotation.kernel.forms import PlainText, named_grades
from annotation.models import Case, ScaleVersion

LONGEST_TEXT = 20_000  # characters a field; annotators read it in a panel
MOST_CASES = 44  # four for each of eleven grades
NAMES = ("topic", "document", "grade", "reason")
STEPS = {"up": -1, "down": 1}
NOWHERE = (-1, "")


class GuidelineForm(forms.Form):
    introduction = PlainText(
        widget=forms.Textarea(attrs={"rows": 12}),
        max_length=LONGEST_TEXT,
        help_text="How to judge. Markdown: **bold**, *italic*, lists with “- ”, headings with “## ”.",
    )
    examples = PlainText(
        widget=forms.Textarea(attrs={"rows": 6}),
        max_length=LONGEST_TEXT,
        required=False,
        label="More on examples",
        help_text="Anything else to say about examples, beside the worked ones. Markdown.",
    )
    edge_cases = PlainText(
        widget=forms.Textarea(attrs={"rows": 8}),
        max_length=LONGEST_TEXT,
        required=False,
        help_text="What to do where the definitions leave one in doubt. Markdown.",
    )
    based_on = forms.IntegerField(widget=forms.HiddenInput)

    def unchecked(self) -> "GuidelineForm":
        """The same entries, not yet checked."""
        return GuidelineForm(initial={name: self[name].value() for name in self.fields})

    def rebased(self, number: int) -> "GuidelineForm":
        """The same entries, which now replace version `number`."""
        return GuidelineForm({**self.cleaned_data, "based_on": number})


class CaseForm(forms.Form):
    """One worked example. A row left empty is none. `focus` names the control of the row that gets the focus."""

    topic = forms.CharField(max_length=300, required=False)
    document = PlainText(
        max_length=3000, required=False, widget=forms.Textarea(attrs={"rows": 3}), label="Document, in a few words"
    )
    grade = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    reason = PlainText(
        max_length=1000, required=False, widget=forms.Textarea(attrs={"rows": 2}), label="Why this grade"
    )

    def __init__(self, *args: Any, scale: ScaleVersion | None, focus: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.focus = focus
        if focus == "topic":
            self.fields["topic"].widget.attrs["autofocus"] = True
        field = self.fields["grade"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", "Choose"), *(named_grades(scale) if scale else [])]

    def is_blank(self) -> bool:
        return not any(self[name].value() for name in NAMES)

    def clean(self) -> None:
        super().clean()
        for name in NAMES if not self.is_blank() else ():
            if name not in self.errors and self.cleaned_data.get(name) in ("", None):
                self.add_error(name, "A worked example has all four.")

    def case(self) -> Case:
        row = self.cleaned_data
        return Case(topic=row["topic"], document=row["document"], grade=row["grade"], reason=row["reason"])


class CaseRows:
    """The rows of worked examples as they were entered, valid or not. `bound`: they are checked, and show their errors.

    `focus`: the index of a row and the name of its control that gets the focus.
    """

    def __init__(
        self,
        rows: Sequence[Mapping[str, Any]],
        *,
        scale: ScaleVersion | None,
        bound: bool = False,
        focus: tuple[int, str] = NOWHERE,
    ) -> None:
        self.rows, self.scale, self.focus = [dict(row) for row in rows], scale, focus
        data = {f"case-{at}-{name}": value for at, row in enumerate(rows) for name, value in row.items()}
        self.forms = [
            CaseForm(
                data if bound else None,
                prefix=f"case-{at}",
                scale=scale,
                initial=row,
                focus=focus[1] if focus[0] == at else "",
            )
            for at, row in enumerate(self.rows)
        ]

    @classmethod
    def posted(cls, data: Mapping[str, Any], *, scale: ScaleVersion | None) -> "CaseRows":
        names = [f"case-{at}-" for at in range(_number(data.get("n_cases"), most=MOST_CASES))]
        rows = [{name: data.get(prefix + name, "") for name in NAMES} for prefix in names]
        return cls(rows, scale=scale, bound=True)

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def is_full(self) -> bool:
        return len(self.forms) >= MOST_CASES

    def is_valid(self) -> bool:
        return all(form.is_valid() for form in self.forms)

    def cases(self) -> list[Case]:
        """Those that are complete, which are all of them once `is_valid`; blank rows are none."""
        bound = CaseRows(self.rows, scale=self.scale, bound=True)
        return [form.case() for form in bound.forms if form.is_valid() and not form.is_blank()]

    def after(self, deed: str) -> "CaseRows":
        """The rows, unchecked, once the deed is done: add, up N, down N, remove N (N from 0). Another does nothing."""
        verb, _, number = deed.partition(" ")
        rows, at, focus = list(self.rows), _number(number, most=len(self.rows)), NOWHERE
        if verb == "add" and not self.is_full:
            rows.append({})
            focus = (len(rows) - 1, "topic")
        elif verb == "remove" and at < len(rows):
            del rows[at]
            focus = (min(at, len(rows) - 1), "remove") if rows else (0, "add")
        elif verb in STEPS and 0 <= at + STEPS[verb] < len(rows) > at:
            to = at + STEPS[verb]
            rows[at], rows[to] = rows[to], rows[at]
            focus = (to, _still_possible(verb, to, len(rows)))
        return CaseRows(rows, scale=self.scale, focus=focus)


def _number(entered: object, *, most: int) -> int:
    """A whole number of a form, at most so big; 0 for what is none."""
    text = str(entered or "")
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 4 else 0


def _still_possible(verb: str, at: int, n: int) -> str:
    """The same button, or its opposite for a row that has come to an end of the list."""
    if verb == "up" and at == 0:
        return "down"
    return "up" if verb == "down" and at == n - 1 else verb
