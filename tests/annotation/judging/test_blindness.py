"""Judging knows nothing of gold: what it loads. Its words are looked at in test_architecture."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# Imports every module of judging, and prints what of the subjects above it was loaded.
LOAD_JUDGING = """
import importlib, os, pkgutil, sys
import django

os.environ["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"
django.setup()
judging = importlib.import_module("annotation.judging")
names = [each.name for each in pkgutil.walk_packages(judging.__path__, "annotation.judging.")]
for name in names:
    importlib.import_module(name)
above = {"gold", "trust", "batches", "review", "health", "exchange", "home"}
loaded = [name.split(".") for name in sys.modules if name.startswith("annotation.")]
print(len(names), *sorted(".".join(parts) for parts in loaded if parts[1] in above))
"""


def test_judging_loads_nothing_that_stands_above_it() -> None:
    command = [sys.executable, "-c", LOAD_JUDGING]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    n_files = len(list((ROOT / "annotation/judging").rglob("*.py")))
    assert done.stdout.split() == [str(n_files - 1)]  # the package itself is not below itself
