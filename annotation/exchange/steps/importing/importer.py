"""What a kind of file brings with it, so that the flow need not know it. A kind grows by a sibling of `topics`."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, ClassVar, TypeVar

from django.conf import settings
from django.utils.module_loading import import_string

from annotation.formats.file_formats import Columns, FileFormat, meanings_of_columns, recognise_format, refuse_mapping
from annotation.formats.grade_map import GRADES
from annotation.formats.problems import Problem, Problems
from annotation.kernel.jobs import JobRun
from annotation.models import Import, Preview, ReadAs

KEPT_PROBLEMS = 10_000
CORRECT_ALL = "all"  # the option `correct`: pairs that are gold with another grade, however many there are
SKIP = "skip"  # the option `unknown`: rows whose topic or document is not here are left aside

Read = TypeVar("Read")


class Importer(ABC):
    """One import in one attempt. Faults go to `problems`, or end the reading with `FormatError`.

    `file_formats`: those that files of the kind are read in; `meanings`: what a column can mean.
    """

    file_formats: ClassVar[Sequence[FileFormat[Any]]] = ()
    meanings: ClassVar[tuple[str, ...]] = ()

    def __init__(self, record: Import, run: JobRun) -> None:
        self.record, self.run, self.collection = record, run, record.collection

    @classmethod
    def formats(cls) -> Sequence[FileFormat[Any]]:
        """Overridden where they are loaded late."""
        return cls.file_formats

    @abstractmethod
    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        """Read the file and say what would be stored; write no row."""

    @abstractmethod
    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """Write rows that nobody sees yet, in short fenced transactions; what cannot go in any more is a fault."""

    @abstractmethod
    def publish(self) -> None:
        """Make it all visible; called inside the one transaction that does so."""


def importer_for(record: Import, run: JobRun) -> Importer:
    """The importer that `settings.TOUCHSTONE_IMPORTERS` names for the kind: either app may bring one."""
    return _importer(record.kind)(record, run)


def formats_of(kind: str) -> Sequence[FileFormat[object]]:
    """The formats that files of the kind are read in."""
    return _importer(kind).formats()


def meanings_of(kind: str) -> tuple[str, ...]:
    """What a column of such a file can mean."""
    return _importer(kind).meanings


def _importer(kind: str) -> type[Importer]:
    importer: type[Importer] = import_string(settings.TOUCHSTONE_IMPORTERS[kind])
    return importer


def read_as(record: Import, formats: Sequence[FileFormat[Read]], stream: BinaryIO, problems: Problems) -> Read:
    """The file of an import, read in the format that somebody has chosen, else in the only one that its content fits.

    A map of grades among the options goes to the reader beside the columns that somebody has chosen. The format stands
    in the preview at once, so that a refusal can name it too; storing reads in the format that the
    check has recognised. Raises `FormatError` where no format, or more than one, fits.
    """
    name = record.options.get("format") or record.preview.get("format", {}).get("name", "")
    chosen: Columns = record.options.get("columns") or {}
    file_format, head = recognise_format(formats, stream, problems, name=name)
    refuse_mapping(file_format, chosen, problems)
    record.preview["format"] = ReadAs(
        name=file_format.name,
        title=file_format.title,
        columns=meanings_of_columns(file_format, head, chosen),
        mapped=file_format.mapped,
    )
    grades = record.options.get(GRADES) or ""
    return file_format.read(stream, problems, {**chosen, GRADES: grades} if grades else chosen)


def preview_of(
    counts: Iterable[tuple[str, int]] = (),
    columns: Iterable[str] = (),
    rows: Iterable[list[str]] = (),
    **facts: str | int,
) -> Preview:
    """What there is to say of a file so far; of one that could not be read, nothing."""
    return Preview(counts=[*counts], columns=[*columns], rows=[*rows], notes=[], facts=facts)


def add_duplicates(preview: Preview, problems: Problems) -> None:
    if problems.repeats:
        preview["counts"] = [*preview["counts"], ("Duplicates", problems.repeats)]


def add_aside(preview: Preview, problems: Problems) -> None:
    if problems.aside:
        preview["aside"] = rows_of_problems(problems.aside)


def left_aside(n_rows: int, n_taken: int) -> list[tuple[str, int]]:
    """Among the counts of a preview: rows that were left aside because somebody chose so."""
    return [("Left aside", n_rows - n_taken)] if n_rows > n_taken else []


def rows_of_problems(problems: Iterable[Problem]) -> list[dict[str, str | int]]:
    """The problems that were kept, or rows left aside, as they are stored."""
    return [{"file": each.file, "line": each.line, "reason": each.reason} for each in problems]
