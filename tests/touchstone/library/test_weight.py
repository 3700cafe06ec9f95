"""`import touchstone` is light, and evaluating loads neither Django nor torch."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import sys
import touchstone as ts
first = sorted({"numpy", "scipy", "django"} & set(sys.modules))
from touchstone import secret
hasattr(ts, "urls"), hasattr(ts, "_nothing")
second = sorted({"numpy", "scipy"} & set(sys.modules))
ts.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, [ts.nDCG @ 10, "AP"])
third = sorted({"scipy", "django", "torch", "polars", "pandas", "ir_measures"} & set(sys.modules))
ts.compare({"1": {"a": 1}, "2": {"a": 1}}, {"x": {"1": {"a": 1.0}}, "y": {"2": {"a": 1.0}}})
fourth = sorted({"django", "torch", "polars", "pandas", "ir_measures"} & set(sys.modules))
print(first, second, third, fourth)
"""


def test_nothing_heavy_is_loaded() -> None:
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[] [] [] []\n", "")
