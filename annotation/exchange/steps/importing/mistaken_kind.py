"""What a file may be that was sent as something else: said to who has sent it, never acted on."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from annotation.exchange.steps.importing.importer import formats_of
from annotation.formats.bundle import is_bundle
from annotation.formats.bundle.zip_archive import MAGIC
from annotation.formats.file_formats import HEAD, UNRECOGNISED, FileFormat, head_of
from annotation.formats.folder import open_folder
from annotation.formats.problems import FormatError, Problems
from annotation.models import Import

KINDS = ("run", "qrels", "judgments", "topics", "documents", "pairs", "gold")  # the likelier first
FEWEST, FEWEST_NAMED = 3, 2  # columns that mean something, by their places or by their names
NAMES = {"run": "a run"}


@dataclass(frozen=True)
class LikelyFormat:
    kind: str
    file_format: FileFormat[object]
    n_meanings: int

    def __str__(self) -> str:
        return f"{NAMES.get(self.kind, Import.Kind(self.kind).label.lower())} ({self.file_format.title})"


def note_likely_kind(problems: Problems, stream: BinaryIO, *, kind: str) -> None:
    """Where no format of the kind fits, the reason begins with what the file looks like; of a whole collection that was
    sent as a file of one kind, that is all the reason."""
    for at, problem in enumerate(problems.kept if kind != Import.Kind.COLLECTION else ()):
        reason = problem.reason
        if not problem.line and _is_zip(stream):
            reason = likely_collection(stream) or reason
        elif reason.startswith(UNRECOGNISED):
            reason = likely_kind(stream, but=kind) + reason
        problems.kept[at] = replace(problem, reason=reason)


def likely_collection(stream: BinaryIO) -> str:
    """`this looks like a BEIR folder: …` or a bundle, where it is one; the stream stands at its beginning again."""
    stream.seek(0)
    if is_bundle(stream):
        return "this looks like a Touchstone bundle: bring it in as a new collection"
    try:
        with open_folder(stream, Problems("")):
            return "this looks like a BEIR folder: import it as a whole collection"
    except FormatError:
        return ""
    finally:
        stream.seek(0)


def likely_kind(stream: BinaryIO, *, but: str) -> str:
    """`this looks like qrels (TREC qrels), to be brought in as such: ` where another kind than `but` reads the head
    without a fault; empty where none does. Of several those of which the most columns are known."""
    stream.seek(0)
    try:
        head = head_of(stream, Problems(""))
    except FormatError:
        return ""
    finally:
        stream.seek(0)
    likenesses = [like for kind in KINDS if kind != but for like in _likely_formats(kind, head)]
    most = max((like.n_meanings for like in likenesses), default=0)
    best = {like.kind: str(like) for like in reversed(likenesses) if like.n_meanings == most}
    kinds = " or ".join(list(best.values())[::-1])
    return f"this looks like {kinds}, to be brought in as such: " if kinds else ""


def _is_zip(stream: BinaryIO) -> bool:
    stream.seek(0)
    return stream.read(len(MAGIC)) == MAGIC


def _likely_formats(kind: str, head: bytes) -> Iterator[LikelyFormat]:
    whole_lines = head if len(head) < HEAD else head[: head.rfind(b"\n") + 1]
    for file_format in formats_of(kind):
        if file_format.fits(head):
            n_meanings = sum(bool(meaning) for _, meaning in file_format.columns(head))
            if n_meanings >= (FEWEST_NAMED if file_format.mapped else FEWEST) and _reads(file_format, whole_lines):
                yield LikelyFormat(kind, file_format, n_meanings)


def _reads(file_format: FileFormat[object], data: bytes) -> bool:
    problems = Problems("")
    try:
        read = file_format.read(io.BytesIO(data), problems, {})
        for _ in read if isinstance(read, Iterator) else ():
            pass
    except FormatError:
        return False
    return not problems
