"""Documents in every form they come in → rows. A form is a sibling of `jsonl`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import BinaryIO

from annotation.formats.documents import archive, jsonl, sgml, tsv
from annotation.formats.documents.rows import DocumentRow
from annotation.formats.forms import Form, recognised
from annotation.formats.problems import Problems

FORMS: tuple[Form[Iterator[DocumentRow]], ...] = (jsonl.FORM, jsonl.BEIR, tsv.FORM, sgml.FORM, archive.FORM)

__all__ = ["FORMS", "DocumentRow", "read_documents"]

_AS_IT_SAYS: Mapping[str, str] = MappingProxyType({})


def read_documents(
    stream: BinaryIO, problems: Problems, *, form: str = "", columns: Mapping[str, str] = _AS_IT_SAYS
) -> Iterator[DocumentRow]:
    """The documents of a file in its order. Faulty ones and repeated docnos go to `problems` and are left out.

    The form is that of the name, else the one its content shows; the stream can be read twice. Raises `FormatError`
    where no form fits, and wherever reading on makes no sense.
    """
    chosen, _ = recognised(FORMS, stream, problems, name=form)
    return chosen.read(stream, problems, columns)
