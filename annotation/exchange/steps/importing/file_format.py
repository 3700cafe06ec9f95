"""What the file of an import is read as: the form that somebody has chosen, else the only one that its content fits."""

from collections.abc import Sequence
from typing import BinaryIO, TypeVar

from annotation.formats.forms import Columns, Form, recognised, refuse_mapping, taken
from annotation.formats.problems import Problems
from annotation.models import Import, ReadAs

Read = TypeVar("Read")


def read_as(record: Import, forms: Sequence[Form[Read]], stream: BinaryIO, problems: Problems) -> Read:
    """The file, read in its form. What that is stands in the preview at once, so that a refusal can say it too.

    Storing reads in the form that the check has found. Raises `FormatError` where no form, or more than one, fits.
    """
    name = record.options.get("format") or record.preview.get("format", {}).get("name", "")
    chosen: Columns = record.options.get("columns") or {}
    form, head = recognised(forms, stream, problems, name=name)
    refuse_mapping(form, chosen, problems)
    record.preview["format"] = ReadAs(
        name=form.name, title=form.title, columns=taken(form, head, chosen), mapped=form.mapped
    )
    return form.read(stream, problems, chosen)
