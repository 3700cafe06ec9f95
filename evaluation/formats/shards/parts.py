"""The parts of a corpus: files of vectors, each with its ids in it or beside it."""

from dataclasses import dataclass
from pathlib import Path

from annotation.formats.id_files import ids_beside
from evaluation.formats.shards.store import Entry, Store

ENDINGS = (".npy", ".parquet", ".safetensors", ".jsonl")


@dataclass(frozen=True)
class Part:
    """`names` are its files, the vectors first; `stamp` of all of them, empty where one has none."""

    name: str
    names: tuple[str, ...]
    stamp: str


def parts_of(store: Store) -> list[Part]:
    """By name. Raises `ValueError` where there is none."""
    entries = {one.name: one for one in store.files()}
    parts = [_part(one, entries) for one in entries.values() if Path(one.name).suffix in ENDINGS]
    if not parts:
        raise ValueError(f"{store.url}: no part of a corpus is there; files ending in {', '.join(ENDINGS)} are read")
    return parts


def files_of(store: Store) -> list[Part]:
    """Every file by itself, by name; not those whose names begin with a dot. Raises `ValueError` for none."""
    files = [Part(one.name, (one.name,), _stamp([one])) for one in store.files() if not one.name.startswith(".")]
    if not files:
        raise ValueError(f"{store.url}: no file is there")
    return files


def _part(vectors: Entry, entries: dict[str, Entry]) -> Part:
    beside = [entries[one.name] for one in ids_beside(Path(vectors.name)) if one.name in entries][:1]
    files = [vectors, *beside]
    return Part(vectors.name, tuple(one.name for one in files), _stamp(files))


def _stamp(files: list[Entry]) -> str:
    stamps = [f"{one.name} {one.size} {one.stamp}" for one in files]
    return "; ".join(stamps) if all(one.stamp for one in files) else ""
