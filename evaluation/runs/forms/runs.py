"""Runs that people bring."""

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.kernel.uploads import Upload, require_small_enough

MOST_FILES = 50


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files: each is checked as one."""

    widget = FilesInput

    def clean(self, data: Any, initial: object = None) -> list[Upload]:
        files: Sequence[Any] = data if isinstance(data, (list, tuple)) and data else [data]
        if len(files) > MOST_FILES:
            raise forms.ValidationError(f"At most {MOST_FILES} files at a time.")
        return [super(FilesField, self).clean(file, initial) for file in files]


class RunsForm(forms.Form):
    file = FilesField(
        max_length=255,
        label="Files",
        help_text=(
            "TREC runs, plain or gzip, one run a file: topic, Q0, docno, rank, score, tag; or JSON. The order is that "
            "of the scores; a rank is ignored. Topics and documents need not be here."
        ),
    )
    format = forms.ChoiceField(
        required=False,
        label="Read them as",
        help_text="What they were recognised as is shown before anything is stored.",
    )
    tag = forms.RegexField(
        r"\A\S+\Z",
        required=False,
        max_length=100,
        help_text="What the run is called. If you leave it empty, the tag in the file.",
        error_messages={"invalid": "A tag has no white space."},
    )
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    publish = forms.BooleanField(
        required=False,
        label="Publish without asking if there is no problem",
        help_text="Only where you have chosen what they are read as. Otherwise you see first what would be stored.",
    )

    def __init__(self, *args: Any, formats: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["format"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "what their content says"), *formats]

    def clean_file(self) -> list[Upload]:
        files: list[Upload] = self.cleaned_data["file"]
        for file in files:
            require_small_enough(file)
        return files

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("tag") and len(data.get("file", ())) > 1:
            self.add_error("tag", "A tag of your own goes with one file only.")
        if not data.get("format"):
            data["publish"] = False  # nothing that was only recognised is stored unseen
        return data
