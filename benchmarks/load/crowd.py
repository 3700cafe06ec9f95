"""One process of benchmarks/quality_pages.py: `crowd.py prepare FOLDER` or `crowd.py open PAGE`."""

import io
import json
import os
import sys
import time
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
os.environ["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"
django.setup()

from django.core.management import call_command  # noqa: E402 -- the settings come first
from django.test import Client  # noqa: E402

import touchstone.wsgi  # noqa: E402, F401 -- what a server has loaded before its first request
from annotation.corpus.steps.collections import create_collection  # noqa: E402
from annotation.kernel.judged.keeping import SETTLED, sweep_columns  # noqa: E402
from annotation.models import DEFAULT_GRADES, Batch, User  # noqa: E402

SLUG, ADMIN = "crowd", "lead"


def prepare(crowd: str) -> None:
    """A new database with the judgments and the gold of the folder, kept as columns as a worker does a minute later."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    lead = User.objects.create_user(ADMIN)
    create_collection(slug=SLUG, name="Crowd", description="", grades=DEFAULT_GRADES, actor=lead)
    output = {"stdout": io.StringIO(), "stderr": io.StringIO()}
    judgments, gold = Path(crowd, "judgments.tsv.gz"), Path(crowd, "gold.tsv")
    call_command("import_judgments", SLUG, str(judgments), name="crowd", grades="-2=cannot, 0=0, 1=2, 2=4", **output)
    call_command("import_gold", SLUG, str(gold), grades="0=0, 1=2, 2=4", **output)
    time.sleep(SETTLED / 1e6)
    sweep_columns()


def open_twice(page: str) -> None:
    """Prints seconds and bytes as JSON."""
    several = f"batch={Batch.objects.get().token}&rule=median&rule=dawid_skene"
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username=ADMIN))
    seconds = []
    for _ in range(2):
        clock, processors = time.perf_counter(), time.process_time()
        answer = client.get(f"/c/{SLUG}/{page.format(several=several)}")
        seconds.append((time.perf_counter() - clock, time.process_time() - processors))
        if answer.status_code != 200:
            sys.exit(f"{page}: {answer.status_code}")
    print(json.dumps([*(each for pair in zip(*seconds, strict=True) for each in pair), len(answer.content)]))


if __name__ == "__main__":
    {"prepare": prepare, "open": open_twice}[sys.argv[1]](sys.argv[2])
