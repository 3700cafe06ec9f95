"""The parts of a corpus: files of vectors, each with its ids in it or beside it."""

from dataclasses import dataclass
from pathlib import PurePath

from evaluation.formats.shards.store import Entry, Store

ENDINGS = (".npy", ".parquet", ".safetensors", ".jsonl")
IDS = ".ids.txt"


@dataclass(frozen=True)
class Part:
    """`names` are its files, the vectors first; `stamp` of all of them, empty where one has none."""

    name: str
    names: tuple[str, ...]
    stamp: str


def parts_of(store: Store) -> list[Part]:
    """By name. Raises `ValueError` where there is none."""
    entries = {one.name: one for one in store.files()}
    parts = [_part(one, entries) for one in entries.values() if PurePath(one.name).suffix in ENDINGS]
    if not parts:
        raise ValueError(f"{store.url}: no part of a corpus is there; files ending in {', '.join(ENDINGS)} are read")
    return parts


def _part(vectors: Entry, entries: dict[str, Entry]) -> Part:
    """`docs.f32.npy` has its ids in `docs.f32.ids.txt` or `docs.ids.txt`."""
    stems = [vectors.name.rsplit(".", n)[0] for n in range(1, vectors.name.count(".") + 1)]
    beside = [entries[stem + IDS] for stem in stems if stem + IDS in entries][:1]
    files = [vectors, *beside]
    stamps = [f"{one.name} {one.size} {one.stamp}" for one in files]
    return Part(
        vectors.name, tuple(one.name for one in files), "; ".join(stamps) if all(f.stamp for f in files) else ""
    )
