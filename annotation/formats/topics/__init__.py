"""Topics in every form they come in → rows. A form is a sibling of `tsv`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import BinaryIO

from annotation.formats.forms import Form, recognised
from annotation.formats.problems import Problems
from annotation.formats.topics import jsonl, sgml, tsv, xml
from annotation.formats.topics.rows import COLUMNS, TopicRow

FORMS: tuple[Form[Iterator[TopicRow]], ...] = (tsv.FORM, jsonl.FORM, jsonl.BEIR, sgml.FORM, xml.FORM)

__all__ = ["COLUMNS", "FORMS", "TopicRow", "read_topics"]

_AS_IT_SAYS: Mapping[str, str] = MappingProxyType({})


def read_topics(
    stream: BinaryIO, problems: Problems, *, form: str = "", columns: Mapping[str, str] = _AS_IT_SAYS
) -> Iterator[TopicRow]:
    """The topics of a file in its order. Faulty topics and repeated numbers go to `problems` and are left out.

    The form is that of the name, else the one its content shows; the stream can be read twice. Raises `FormatError`
    where no form fits, and wherever reading on makes no sense.
    """
    chosen, _ = recognised(FORMS, stream, problems, name=form)
    return chosen.read(stream, problems, columns)
