"""Three machines with clocks of their own, one of which loses its disk while people judge. In full: `make soak`."""

import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.object_storage import SERVER
from tests.soak.three_machines import MachinesSoak

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.both("jobs"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="a SQLite file has one machine"),
    pytest.mark.skipif(not SERVER.exists(), reason="`make test` installs the server"),
]


def test_nothing_is_lost_with_a_disk_and_all_machines_send_the_same_bytes(tmp_path: Path) -> None:
    lines: list[str] = []
    soak = MachinesSoak(tmp_path, 6, n_topics=2, n_pairs=10, kills=0, seed=1, say=lines.append, n_documents=800)
    figures = soak.run()
    assert (figures.kills, figures.broken) == (1, []), "\n".join(lines)
