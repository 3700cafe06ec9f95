"""One process of benchmarks/scale.py: `walk.py runs N` or `walk.py pages`, in a campaign that has been frozen.

`pages` opens every page and file of the collection that its address leads to, those of one run apart, twice, and
prints a line of JSON for each second time: name, seconds, seconds of the processor, queries, rows that the database
read for it (on SQLite by the steps of its statements), and bytes.
"""

import gc
import json
import logging
import re
import sys
import time
from collections.abc import Iterable, Iterator

from judged_campaign import ADMIN, SLUG  # Django is set up by it

from django.db import connection, transaction  # isort: skip
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import Batch, Document, Pool, Snapshot, Topic, User
from tests.rows_read import rows_read

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
TABLES = {"quality_csv": "dropped", "batch_health_csv": "people", "gold_table_csv": "balance"}

OF_RUNS = {"pooling_next"}  # wants their rows, which are not there
# By the first word of the name of a page.
KEYED = {"pool": Pool, "snapshot": Snapshot, "accounting": Snapshot}


def main(deed: str, *rest: str) -> None:
    if deed == "runs":
        from runs import store  # noqa: PLC0415 -- what it imports takes a while

        store(Snapshot.objects.get(), int(rest[0]))
    else:
        walk()


def walk() -> None:
    logging.disable(logging.WARNING)  # pages that are not there, deeds that no GET does
    client = Client(headers={"host": "localhost"}, raise_request_exception=False)
    client.force_login(User.objects.get(username=ADMIN))
    usual_values = values()
    for name, parameters in sorted(routes(get_resolver().url_patterns)):
        of_page = usual_values | special(name)
        if "slug" not in parameters or not parameters <= of_page.keys() or name in OF_RUNS:
            continue
        address = reverse(name, kwargs={each: of_page[each] for each in parameters})
        figures = [opened(client, address) for _ in range(2)][1]
        if figures[0] >= 500:
            sys.exit(f"{address}: {figures[0]}")
        if figures[0] == 200:
            print(json.dumps([name, *figures[1:]]), flush=True)


def values() -> dict[str, object]:
    """What may stand in an address."""
    batch, topic = Batch.objects.get(), Topic.objects.order_by("pk")[0]
    return {
        "slug": SLUG, "token": batch.token, "number": topic.number, "form": "csv", "username": "a1",
        "docno": Document.objects.order_by("pk")[0].docno, "kind": "topics",
        "pseudonym": batch.participations.order_by("pk")[0].annotator.pseudonym,
    }  # fmt: skip


def special(name: str) -> dict[str, object]:
    """What `pk` and `table` stand for."""
    values: dict[str, object] = {"table": TABLES[name]} if name in TABLES else {}
    model = KEYED.get(name.partition("_")[0])
    row = model and model.objects.order_by("pk").first()
    return values | ({"pk": row.pk} if row else {})


def opened(client: Client, address: str) -> tuple[int, float, float, int, int, int]:
    gc.collect()  # what other pages have left
    with transaction.atomic():
        before, began, cpu = rows_read(), time.perf_counter(), time.process_time()
        with CaptureQueriesContext(connection) as seen:
            answer = client.get(address)
            size = len(answer.getvalue())
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        return answer.status_code, took, cpu, len(seen), rows_read() - before, size


def routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Names of pages, those of the API apart, and what their addresses hold."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif pattern.name and not route.startswith("api/"):
            yield pattern.name, frozenset(PARAMETER.findall(route))


if __name__ == "__main__":
    main(*sys.argv[1:])
