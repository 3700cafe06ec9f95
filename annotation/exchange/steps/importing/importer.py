"""What a kind of file brings with it, so that the flow need not know it. A kind grows by a sibling of `topics`."""

from collections.abc import Sequence
from typing import BinaryIO, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from annotation.formats.forms import Form
from annotation.formats.problems import Problems
from annotation.kernel.jobs import JobRun
from annotation.models import Import, Preview


class Importer(Protocol):
    """One import in one attempt. Faults go to `problems`, or end the reading with `FormatError`.

    A kind whose files come in several forms names them by a static method `forms`, and by `meanings` what a column can
    be taken as.
    """

    def __init__(self, record: Import, run: JobRun) -> None: ...

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        """Read the file and say what would be stored; write no row."""

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """Write rows that nobody sees yet, in short fenced transactions; what cannot go in any more is a fault."""

    def publish(self) -> None:
        """Make it all visible; called inside the one transaction that does so."""


def importer_for(record: Import, run: JobRun) -> Importer:
    """The importer that `settings.TOUCHSTONE_IMPORTERS` names for the kind: either app may bring one."""
    return _importer(record.kind)(record, run)


def forms_of(kind: str) -> Sequence[Form[object]]:
    """The forms that files of the kind are read in."""
    forms: Sequence[Form[object]] = getattr(_importer(kind), "forms", tuple)()
    return forms


def meanings_of(kind: str) -> tuple[str, ...]:
    """What a column of such a file can be taken as."""
    return getattr(_importer(kind), "meanings", ())


def _importer(kind: str) -> type[Importer]:
    made: type[Importer] = import_string(settings.TOUCHSTONE_IMPORTERS[kind])
    return made
