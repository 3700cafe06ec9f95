"""What commands write to the standard output."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MUCH = """
from annotation.formats.atomic_output import standard_output
with standard_output() as out:
    for _ in range(100_000):
        out.write(b"a line that is not short\\n")
"""


def test_a_reader_may_stop_early() -> None:
    command = [sys.executable, "-c", MUCH]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdout
        assert writer.stderr
        assert writer.stdout.readline() == b"a line that is not short\n"
        writer.stdout.close()
        assert writer.stderr.read() == b""
    assert writer.returncode == 0
