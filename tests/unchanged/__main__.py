"""python -m tests.unchanged record | write FOLDER | compare BEFORE AFTER

record: the recorded facts anew, where a change is meant, and the types of touchstone.client with them.
write: the demo in a still world, and all pages, API answers and exports of it into a folder that is not there yet; with
its database in it, or in the empty one that DATABASE_URL names. A few minutes.
compare: what differs between two such folders, written before and after a change; status 1 if anything does.
"""

import json
import os
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    match arguments:
        case ["record"]:
            _record()
        case ["write", folder]:
            _write(Path(folder).resolve())
        case ["compare", before, after]:
            return _compare(Path(before), Path(after))
        case _:
            raise SystemExit(__doc__)
    return 0


def _record() -> None:
    _set_up()
    from tests.touchstone.client.typing_schema import record as record_types
    from tests.unchanged.facts import record, schema

    record()
    record_types(json.loads(schema()))


def _write(folder: Path) -> None:
    (folder / "var").mkdir(parents=True)
    os.environ |= {
        "TOUCHSTONE_VAR": str(folder / "var"),
        "TOUCHSTONE_FILES": str(folder / "var" / "files"),
        "TOUCHSTONE_SECRET_KEY": "the same every time",
        "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{folder}/var/touchstone.sqlite3",
    }
    _set_up()
    from tests.unchanged.writing import write

    write(folder)


def _compare(before: Path, after: Path) -> int:
    from tests.unchanged.compare import compare

    lines = compare(before, after)
    sys.stdout.writelines(f"{line}\n" for line in lines or ["Nothing differs."])
    return 1 if lines else 0


def _set_up() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "touchstone.settings")
    import django

    django.setup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
