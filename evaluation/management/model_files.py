"""Models for commands: a file of vectors, or a folder with those of queries and of documents."""

from collections.abc import Sequence
from pathlib import Path

from annotation.kernel.commands.base import MisuseError
from evaluation.engine.reference.models import Model
from evaluation.management.vector_files import read_vector_file

MODEL_FORMS = "a file of vectors (.npy, .safetensors, Parquet, JSONL), or a folder with files queries.… and docs.…"
SIDES = {"queries": ("queries", "query", "topics"), "documents": ("docs", "documents", "corpus")}
ENDINGS = (".npy", ".safetensors", ".parquet", ".jsonl")


def read_models(paths: Sequence[str], *, zero_rows: bool) -> list[Model]:
    """Each under a name of its own; the command ends where one cannot be used."""
    names = model_names(paths)
    return [_read(Path(path), name, zero_rows=zero_rows) for path, name in zip(paths, names, strict=True)]


def model_names(paths: Sequence[str]) -> list[str]:
    """The name of the file without its endings, or of the folder; with the folder's before it where two are one."""
    short = [_name(Path(path)) for path in paths]
    long = [f"{Path(path).resolve().parent.name}-{name}" for path, name in zip(paths, short, strict=True)]
    names = [b if short.count(a) > 1 else a for a, b in zip(short, long, strict=True)]
    if len(set(names)) < len(names):
        raise MisuseError(f"Two models are called alike: {', '.join(names)}. Copy or link one to another name.")
    return names


def _name(path: Path) -> str:
    return path.resolve().name if path.is_dir() else path.name.split(".")[0]


def _read(path: Path, name: str, *, zero_rows: bool) -> Model:
    if not path.is_dir():
        docno, document = read_vector_file(str(path), zero_rows=zero_rows)
        return Model(name, document, docno)
    numbers, query = read_vector_file(str(_side(path, "queries")), zero_rows=zero_rows)
    docno, document = read_vector_file(str(_side(path, "documents")), zero_rows=zero_rows)
    return Model(name, document, docno, query, numbers)


def _side(folder: Path, side: str) -> Path:
    """The one file of vectors whose name begins as the side is called."""
    files = [file for file in sorted(folder.iterdir()) if file.suffix in ENDINGS]
    files = [file for file in files if file.name.split(".")[0] in SIDES[side]]
    if len(files) != 1:
        words = " or ".join(SIDES[side])
        raise MisuseError(
            f"{folder}: one file of vectors of {side} is expected, called {words}; there are {len(files)}"
        )
    return files[0]
