"""The web server waits shorter for a locked SQLite file than a worker, however early its settings were read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from touchstone.lock_wait import CHOSEN, ELSEWHERE, WEB

ROOT = Path(__file__).resolve().parents[2]
ASK = "from django.db import connection as c; print(c.cursor().execute('PRAGMA busy_timeout').fetchone()[0])"
AS_SERVER = "from django.conf import settings; settings.DATABASES; import touchstone.wsgi; "


@pytest.mark.parametrize(
    ("before", "chosen", "seconds"), [("", "", ELSEWHERE), (AS_SERVER, "", WEB), (AS_SERVER, "7", 7), ("", "7", 7)]
)
def test_how_long_is_waited(tmp_path: Path, before: str, chosen: str, seconds: int) -> None:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHSTONE_")}
    database = {"DATABASE_URL": f"sqlite:///{tmp_path}/x.sqlite3", "TOUCHSTONE_VAR": str(tmp_path)}
    environment = {**outside, **database, **({CHOSEN: chosen} if chosen else {})}
    environment["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"
    told = subprocess.check_output([sys.executable, "-c", before + ASK], cwd=ROOT, env=environment, text=True)
    assert int(told) == 1000 * seconds
