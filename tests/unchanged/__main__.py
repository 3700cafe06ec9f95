"""python -m tests.unchanged record

record: write the recorded facts anew, where a change is meant.
"""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "touchstone.settings")


def main(arguments: list[str]) -> int:
    import django

    django.setup()
    from tests.unchanged.facts import record

    match arguments:
        case ["record"]:
            record()
        case _:
            raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
