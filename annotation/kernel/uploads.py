"""Uploads: how large a file may be, and the form that every kind of import shares."""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from annotation.formats.grade_map import parse_grade_map
from annotation.kernel.forms import set_choices
from annotation.models import Collection

OTHER_SCALE = (
    "Where they are of another scale: 0=0, 2=1, 4=2, 8=3, 16=4; what nobody can judge is cannot, as in -2=cannot"
)
UNKNOWN_CHOICES = [("refuse", "a reason to refuse the file"), ("skip", "left aside, counted and listed")]

Upload: TypeAlias = "UploadedFile[Any]"
Choices: TypeAlias = Sequence[tuple[str, str]]  # of forms: the name, the title


class ImportForm(forms.Form):
    """One file. A subclass describes it in `file_help` and adds the fields of its kind.

    `asked_again` names the fields that may be changed when the file is checked again.
    """

    file_help = ""
    asked_again: ClassVar[tuple[str, ...]] = ()
    file = forms.FileField(max_length=255)
    format = forms.ChoiceField(
        required=False,
        label="Read it as",
        help_text="What it was recognised as is shown before anything is stored.",
    )
    publish = forms.BooleanField(
        required=False,
        label="Publish without asking if there is no problem",
        help_text="Only where you have chosen above what it is read as. Otherwise you see first what would be stored.",
    )

    def __init__(self, *args: Any, collection: Collection, formats: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name != "publish"])  # which comes last
        self.collection = collection
        self.fields["file"].help_text = self.file_help
        if formats:
            set_choices(self, "format", [("", "what its content says"), *formats])
        else:  # a kind with one format only; its content is always shown before it is stored
            del self.fields["format"], self.fields["publish"]

    def clean_file(self) -> Upload:
        file: Upload = self.cleaned_data["file"]
        require_small_enough(file)
        return file

    def clean(self) -> None:
        """A file whose format was only recognised is shown before it is stored."""
        super().clean()
        if not self.cleaned_data.get("format"):
            self.cleaned_data["publish"] = False

    def options(self) -> dict[str, str]:
        """The chosen format and the fields of the kind, for the importer."""
        return {name: value for name, value in self.cleaned_data.items() if name not in ("file", "publish")}


def require_grade_map(text: str) -> None:
    try:
        parse_grade_map(text)
    except ValueError as fault:
        raise forms.ValidationError(str(fault)) from fault


def grades_field(help_text: str) -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=1000,
        label="What the grades of the file are here",
        help_text=help_text,
        validators=[require_grade_map],
    )


def unknown_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=UNKNOWN_CHOICES,
        required=False,
        initial="refuse",
        widget=forms.RadioSelect,
        label="A pair whose topic or document is not here is",
    )


def require_small_enough(file: Upload) -> None:
    if (file.size or 0) > settings.TOUCHSTONE_UPLOAD_LIMIT:
        raise forms.ValidationError(too_large(file.name or ""))


def too_large(name: str) -> str:
    limit = filesizeformat(settings.TOUCHSTONE_UPLOAD_LIMIT)
    return f"{name} is larger than {limit}, the limit of this installation."
