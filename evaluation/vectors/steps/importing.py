"""Vectors, read and packed once, by the check; publishing is one row.

Options of an import: `model`, `side`, `similarity`, `description`; `ids`, the SHA-256 of a file of
ids for forms without them, and `ids_filename`; `unknown`: what becomes of ids that are no text of
the collection.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from annotation.exchange.steps.importing import Importer, preview_of, read_as
from annotation.formats.fields import shown
from annotation.formats.file_formats import FileFormat
from annotation.formats.id_files import WITHOUT_IDS
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.jobs import JobRefusedError
from annotation.kernel.store import incoming_file, path_of, put
from annotation.models import Preview
from annotation.text.counted import counted
from evaluation.models import VectorSet
from evaluation.vectors.read import ids_here, texts_of

if TYPE_CHECKING:
    import numpy as np

    from evaluation.formats.vectors.vector_format import VectorFormat, VectorTable

SHOWN_ROWS, SHOWN_NUMBERS = 5, 4
SKIP, KEEP = "skip", "keep"
NOUNS = {"queries": "topic", "documents": "document"}
NO_IDS = "this form has no ids: send a file with an id a line, in the order of the rows, beside it"


class VectorImporter(Importer):
    """See `Importer`."""

    meanings = ("id", "vector")

    @classmethod
    def formats(cls) -> "Sequence[FileFormat[VectorFormat]]":
        """Each hands on its own reader, which wants the file itself: rows are mapped from it."""
        from evaluation.formats.vectors import FORMATS

        return [
            FileFormat(
                one.name, one.title, one.fits, lambda *_read, one=one: one, upload_help=one.title, binary=one.binary
            )
            for one in FORMATS
        ]

    @property
    def options(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.record.options)

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        self.run.report(done=0, total=3, message="Reading the vectors")
        form = read_as(self.record, self.formats(), stream, problems)
        table = self._read(form.name, problems)
        names = table.ids or []
        self.run.report(done=1, total=3, message=f"Looking up {counted(len(names), 'id')}")
        rows, facts = self._known(table, problems)
        problems.check()
        self.run.report(done=2, total=3, message=f"Packing {counted(len(rows), 'row')}")
        if len(rows) < len(names):
            names, vector = [names[row] for row in rows], table.vector[rows]
        else:
            vector = table.vector
        preview = _preview(
            names, vector, len(table.vector), **facts, numbers=table.numbers, sha256=_stored(vector, names)
        )
        self._compare(preview, problems)
        return preview

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """The check has read and packed the file; here only others may have come since."""
        preview = cast("Preview", self.record.preview)
        self._compare(preview, problems)
        return preview

    def publish(self) -> None:
        facts = self.record.preview["facts"]
        if self._here_already(facts):
            return
        if self._namesake():
            raise JobRefusedError(f"Meanwhile other vectors have come of {self._names()}.")
        VectorSet.objects.create(
            collection=self.collection,
            filename=self.record.filename,
            created_by=self.record.created_by,
            **{name: self.options.get(name, "") for name in ("model", "side", "similarity", "description")},
            **facts,
        )

    def _read(self, form: str, problems: Problems) -> "VectorTable":
        from evaluation.formats.vectors.reading import NO_VECTOR, read_vectors

        path, ids = path_of(self.record.sha256), self.options.get("ids", "")
        if not ids and form in WITHOUT_IDS:
            raise problems.stop(0, NO_IDS)
        try:
            zero_rows = self.options["similarity"] != VectorSet.Similarity.COSINE
            table = read_vectors(path, path_of(ids) if ids else None, zero_rows=zero_rows)
        except FormatError as fault:
            self._take(fault, problems)
            raise FormatError(list(problems), total=problems.total) from fault
        if not len(table.vector):
            raise problems.stop(0, NO_VECTOR)
        return table

    def _take(self, fault: FormatError, problems: Problems) -> None:
        """Under the names that people know, not those of stored files."""
        title = {self.options.get("ids", ""): self.options.get("ids_filename") or "ids"}
        for each in fault.problems:
            part = Problems(title.get(each.file, problems.file))
            part.add(each.line, each.reason)
            problems.take(part)
        problems.total += fault.total - len(fault.problems)

    def _known(self, table: "VectorTable", problems: Problems) -> "tuple[list[int], dict[str, int]]":
        """The rows that come in, and how many ids are unknown, how many texts have no vector."""
        side, names = self.options["side"], table.ids or []
        here, choice = ids_here(self.collection, side, names), self.options.get("unknown")
        rows = list[int]()
        for row, name in enumerate(names):
            if name in here or choice == KEEP:
                rows.append(row)
                continue
            line = table.line[row] if table.line else row + 1
            tell = problems.leave_aside if choice == SKIP else problems.add
            tell(line, f"the collection has no {NOUNS[side]} {shown(name)}")
        n_missing = texts_of(self.collection, side).count() - len(here)
        n_unknown = len(names) - len(here) if choice == KEEP else 0
        if not rows and not problems:
            problems.add(0, f"no id is a {NOUNS[side]} of the collection: nothing would be left")
        return rows, {"n_unknown": n_unknown, "n_missing": n_missing}

    def _names(self) -> str:
        return f"the {self.options['side']} of {self.options['model']}"

    def _namesake(self) -> VectorSet | None:
        sets = VectorSet.objects.filter(collection=self.collection)
        return sets.filter(model=self.options["model"], side=self.options["side"]).first()

    def _here_already(self, facts: dict[str, Any]) -> bool:
        here = self._namesake()
        return bool(here and (here.sha256, here.similarity) == (facts["sha256"], self.options["similarity"]))

    def _compare(self, preview: Preview, problems: Problems) -> None:
        """The same vectors again change nothing; others of the same model and side are a problem."""
        facts, noun = preview["facts"], NOUNS[self.options["side"]]
        if facts["n_missing"]:
            problems.note(0, f"{counted(int(facts['n_missing']), noun)} of the collection without a vector")
        if facts["n_unknown"]:
            problems.note(0, f"{counted(int(facts['n_unknown']), 'vector')} of no {noun} of the collection")
        if self._here_already(facts):
            problems.note(0, f"the vectors of {self._names()} are already here, unchanged")
        elif self._namesake():
            problems.add(0, f"the collection already has other vectors of {self._names()}")


def _stored(vector: "np.ndarray[Any, np.dtype[np.float32]]", names: list[str]) -> str:
    """Packed piece by piece: the rows are not in memory a second time."""
    from evaluation.engine.packed_vectors import pack_vectors

    with incoming_file() as incoming:
        for piece in pack_vectors(vector, names):
            incoming.take(cast("bytes", piece))
        return put(incoming)


def _preview(
    names: list[str], vector: "np.ndarray[Any, np.dtype[np.float32]]", n_rows: int, **facts: str | int
) -> Preview:
    shown_rows = [
        [name, " ".join(f"{number:.4g}" for number in row[:SHOWN_NUMBERS]) + (" …" if len(row) > SHOWN_NUMBERS else "")]
        for name, row in zip(names[:SHOWN_ROWS], vector, strict=False)
    ]
    counts = [("Vectors", len(names)), ("Dimensions", vector.shape[1])]
    if n_rows > len(names):
        counts.append(("Left aside", n_rows - len(names)))
    return preview_of(counts, ["id", "vector"], shown_rows, dim=vector.shape[1], n_rows=len(names), **facts)
