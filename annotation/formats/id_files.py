"""Files of ids that stand beside a file without any: vectors as `.npy`, say."""

from pathlib import Path

ENDING = ".ids.txt"
WITHOUT_IDS = ("npy", "safetensors")  # forms of vectors that have no ids of their own


def ids_beside(path: Path) -> list[Path]:
    """Where the ids may stand: of `docs.f32.npy` in `docs.f32.ids.txt`, then in `docs.ids.txt`."""
    stems = [path.name.rsplit(".", n)[0] for n in range(1, path.name.count(".") + 1)]
    return [path.with_name(stem + ENDING) for stem in stems]
