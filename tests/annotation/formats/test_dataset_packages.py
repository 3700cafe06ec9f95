"""The folder of a snapshot, loaded from disk by the packages that people load it with; each in a process of its own.

MTEB is installed by `make mteb` in an environment of its own; its test is skipped without.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MTEB = Path(os.environ.get("TOUCHSTONE_MTEB", ROOT / ".venv-mteb" / "bin" / "python"))


def loaded(python: str | Path) -> set[str]:
    """The packages that gave back every row; what is not installed there is not among them."""
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    words = [str(python), "benchmarks/dataset_folder.py"]
    done = subprocess.run(words, cwd=ROOT, env=offline, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return {line.partition(":")[0] for line in done.stdout.splitlines() if ": as expected" in line}


def test_datasets_loads_it_and_mlcroissant_finds_no_fault_in_its_datasheet() -> None:
    assert {"datasets", "mlcroissant"} <= loaded(sys.executable)


@pytest.mark.slow
@pytest.mark.skipif(not MTEB.exists(), reason="MTEB is not installed: make mteb")
def test_the_retrieval_task_of_mteb_loads_it() -> None:
    assert "mteb" in loaded(MTEB)
