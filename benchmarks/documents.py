"""What many documents cost: their import and the pages that show them.

    python benchmarks/documents.py [--scale 0.02] [--sizes 10000,100000] [--rounds 5]
    python -m tests.postgres python benchmarks/documents.py --scale 1

Each size is a database of its own (SQLite, or PostgreSQL where DATABASE_URL names one), filled by `import_documents`
from the same JSONL as `imports.py` makes, about 1 kB a document. Printed are wall and processor seconds and memory of
the import, then wall seconds of the index of its search (which the worker makes behind it); then, for each page,
median wall and processor milliseconds of a whole request in one process, and its SQL statements. Growth is the last
size's milliseconds by the first's. Aims at a million documents: the first page 50 ms, search 300 ms, the overview
150 ms, the import 240 s.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.test import Client
from imports import CLAIMS, ROOT, SETUP, SLUG, WORK, file_of

DOCUMENTS = CLAIMS[0]
SIZES = (10_000, 100_000, 1_000_000)
INDEX = """
from annotation.corpus.steps.document_index import index_documents
from annotation.models import Collection
index_documents(Collection.objects.get())
"""
ADDRESSES = {
    "overview": f"/c/{SLUG}/",
    "first page": f"/c/{SLUG}/documents/",
    "page in the middle": f"/c/{SLUG}/documents/?after={{middle}}",
    "last page back": f"/c/{SLUG}/documents/?before={{last}}",
    "API, first page": f"/api/v1/collections/{SLUG}/documents",
    "search, rare word": f"/c/{SLUG}/documents/?q={{middle}}",
    "search, two words": f"/c/{SLUG}/documents/?q={{words}}",
    "search, beginning of all": f"/c/{SLUG}/documents/?q=d",
    "API, search, two words": f"/api/v1/collections/{SLUG}/documents?q={{words}}",
}


def environment(var: Path) -> dict[str, str]:
    return {
        **os.environ,
        "TOUCHSTONE_VAR": str(var),
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "touchstone.settings",
    }


def fill(n: int, var: Path) -> tuple[float, float, int]:
    """A new database with so many documents: wall and processor seconds, megabytes of the import."""
    manage, env = [sys.executable, str(ROOT / "manage.py")], environment(var)
    subprocess.run([*manage, "migrate", "--verbosity", "0"], check=True, env=env)
    subprocess.run([*manage, "collectstatic", "--no-input", "--verbosity", "0"], check=True, env=env)
    if "DATABASE_URL" in env:
        subprocess.run([*manage, "flush", "--no-input", "--verbosity", "0"], check=True, env=env)
    subprocess.run([*manage, "shell", "--no-imports", "-c", SETUP], check=True, env=env)
    begin = time.perf_counter()
    command = [*manage, "import_documents", SLUG, str(file_of(DOCUMENTS, n)), "--json"]
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"the import of {n} documents ended with {status}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10


def ask(n: int, rounds: int) -> None:
    """In a process of its own: a line for each page."""
    django.setup()
    client, words = signed_in()
    values = {"middle": f"D{n // 2:07}", "last": f"D{n - 1:07}", "words": words}
    for name, address in ADDRESSES.items():
        wall, cpu, n_queries = cost(client, address.format(**values), rounds)
        print(f"{name}\t{wall}\t{cpu}\t{n_queries}")
    print(f"memory\t{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}\t0\t0")


def signed_in() -> tuple[Client, str]:
    """A client of an admin, and two words of the first document."""
    collections, users, members, texts = (
        apps.get_model("annotation", name).objects for name in ("Collection", "User", "Membership", "DocumentVersion")
    )
    settings.ALLOWED_HOSTS = ["*"]
    lead, _ = users.get_or_create(username="lead")
    members.get_or_create(collection=collections.get(slug=SLUG), user=lead, role="admin")
    client = Client()
    client.force_login(lead)
    first = texts.order_by("pk").values_list("text", flat=True)[0]
    return client, "+".join(first.split()[:2])


def cost(client: Client, address: str, rounds: int) -> tuple[float, float, int]:
    """Median wall and processor milliseconds after a first request, and the SQL statements of one."""
    queries = list[str]()

    def note(execute: Any, sql: str, *further: Any) -> Any:
        queries.append(sql)
        return execute(sql, *further)

    with connection.execute_wrapper(note):
        response = client.get(address, follow=True)
    if response.status_code != 200:
        raise SystemExit(f"{address}: {response.status_code}")
    walls, cpus = [], []
    for _ in range(rounds):
        begin, begin_cpu = time.perf_counter(), time.process_time()
        client.get(address, follow=True)
        walls.append(1000 * (time.perf_counter() - begin))
        cpus.append(1000 * (time.process_time() - begin_cpu))
    return statistics.median(walls), statistics.median(cpus), len(queries)


def measure(n: int, rounds: int, first: dict[str, float]) -> None:
    """One size: the import, then each page."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        var = Path(folder)
        wall, cpu, megabytes = fill(n, var)
        print(f"\n{n:,} documents: import {wall:.1f} s, processor {cpu:.1f} s, {megabytes} MB", flush=True)
        begin = time.perf_counter()
        index = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", INDEX]
        subprocess.run(index, check=True, env=environment(var))
        print(f"index {time.perf_counter() - begin:.1f} s", flush=True)
        command = [sys.executable, __file__, "--ask", str(n), "--rounds", str(rounds)]
        output = subprocess.run(command, check=True, env=environment(var), stdout=subprocess.PIPE, text=True).stdout
        print(f"{'':24}{'wall ms':>10}{'cpu ms':>10}{'queries':>9}{'growth':>9}")
        for name, *figures in (line.split("\t") for line in output.splitlines()):
            wall_ms, cpu_ms, n_queries = map(float, figures)
            growth = wall_ms / first.setdefault(name, wall_ms)
            print(f"{name:24}{wall_ms:10.1f}{cpu_ms:10.1f}{n_queries:9.0f}{growth:9.1f}", flush=True)
        shutil.rmtree(var, ignore_errors=True)
        var.mkdir(exist_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.02, help="share of the sizes; 1 makes a million documents")
    parser.add_argument("--sizes", default="", help="10000,100000: these sizes, whatever the scale")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ask", type=int, default=0, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.ask:
        ask(chosen.ask, chosen.rounds)
        return
    WORK.mkdir(parents=True, exist_ok=True)
    first: dict[str, float] = {}
    sizes = map(int, chosen.sizes.split(",")) if chosen.sizes else (round(n * chosen.scale) for n in SIZES)
    for n in sizes:
        measure(n, chosen.rounds, first)


if __name__ == "__main__":
    main()
