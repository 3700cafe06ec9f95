"""The form of the guideline's texts. Its worked examples are rows: see `guideline_cases`."""

from django import forms

from annotation.kernel.forms import PlainText

LONGEST_TEXT = 20_000  # characters a field; annotators read it in a panel


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
        help_text="Whatever is to be said of examples beside the worked ones. Markdown.",
    )
    edge_cases = PlainText(
        widget=forms.Textarea(attrs={"rows": 8}),
        max_length=LONGEST_TEXT,
        required=False,
        help_text="What to do where the definitions leave one in doubt. Markdown.",
    )
    based_on = forms.IntegerField(widget=forms.HiddenInput)

    def unchecked(self) -> "GuidelineForm":
        """The same entries, of which nothing is said yet."""
        return GuidelineForm(initial={name: self[name].value() for name in self.fields})

    def rebased(self, number: int) -> "GuidelineForm":
        """The same entries, now knowingly put in place of version `number`."""
        return GuidelineForm({**self.cleaned_data, "based_on": number})
