"""One process of benchmarks/scale.py: `judged_campaign.py make SIZE`, `keep`, `results`, `judge N`, `open PAGE`,
`freeze` or `admin`.

A company's campaign as it might stand near its end, written by COPY. One open batch. Gold is one judgment in eight and
laid out beside ordinary pairs, of which each has three judgments. People differ in how often they are right; when they
are not, they are mostly one grade away.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import django
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "touchstone.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 -- Django is set up first
from django.db import connection, transaction  # noqa: E402
from django.db.models import Model  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

import touchstone.wsgi  # noqa: E402, F401 -- what a server has loaded before its first request
from annotation.corpus.steps.collections import create_collection  # noqa: E402
from annotation.kernel.api_tokens import make_api_token  # noqa: E402
from annotation.kernel.blocks import recount_blocks  # noqa: E402
from annotation.kernel.bulk_rows import tell_planner  # noqa: E402
from annotation.kernel.clock import now  # noqa: E402
from annotation.kernel.judged.keeping import keep_columns  # noqa: E402
from annotation.kernel.judgment_counts import recount_batch  # noqa: E402
from annotation.models import (  # noqa: E402
    DEFAULT_GRADES,
    Annotator,
    Assignment,
    Batch,
    Collection,
    Document,
    DocumentCount,
    DocumentVersion,
    GoldEvent,
    Item,
    Judgment,
    KeptResult,
    Participation,
    Planting,
    Pool,
    Slot,
    Topic,
    TopicVersion,
    User,
)
from annotation.quality.policy import Policy  # noqa: E402
from annotation.trust.steps.policies import store_policy  # noqa: E402
from annotation.trust.steps.results import sweep_results  # noqa: E402
from annotation.trust.steps.snapshots import freeze_snapshot  # noqa: E402
from tests.live import sign_in  # noqa: E402

SLUG, ADMIN = "company", "lead"
BEGAN = datetime(2026, 9, 1, tzinfo=UTC)
EACH = 3  # judgments of an ordinary pair
GOLD_SHARE, DAYS = 1 / 8, 60
SHARES = (0.55, 0.2, 0.12, 0.08, 0.05)  # of the grades
PRIME = 2147483647
MILD = Policy(min_judgments=1, max_range=None)


@dataclass(frozen=True)
class Size:
    judgments: int
    people: int
    topics: int
    gold: int


SIZES = {
    "S": Size(16_000, 10, 20, 250),
    "M": Size(145_000, 100, 100, 2_000),
    "L": Size(873_000, 800, 300, 20_000),
    "100k": Size(100_000, 100, 100, 2_000),
    "1M": Size(1_000_000, 800, 300, 20_000),
}


def make(size: str) -> None:
    """Migrate a new database and fill it."""
    call_command("migrate", verbosity=0)
    (Path(os.environ["TOUCHSTONE_VAR"]) / "static").mkdir(exist_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    _make(SIZES[size], np.random.default_rng(18))


def judge(number: str) -> None:
    """So many judgments more, by one person after the other, as the judging loop leaves them behind."""
    n, rng = int(number), np.random.default_rng(Judgment.objects.count())
    batch = Batch.objects.get()
    items = list(Item.objects.filter(batch=batch).order_by("pk").values_list("pk", flat=True))
    people = list(batch.participations.order_by("pk").values_list("annotator", flat=True))
    first = Assignment.objects.order_by("-pk").values_list("pk", flat=True)[0] + 1
    met = rng.choice(len(items) * len(people), n, replace=False)
    known = set(Assignment.objects.filter(batch=batch).values_list("item", "annotator"))
    pairs = [(items[k % len(items)], people[k // len(items)]) for k in met.tolist()]
    pairs = [pair for pair in pairs if pair not in known]
    chosen = Item.objects.in_bulk([item for item, _ in pairs])
    moment = datetime.now(UTC)
    with transaction.atomic():
        Assignment.objects.bulk_create(
            Assignment(pk=first + k, collection=batch.collection, batch=batch, item=chosen[item], annotator_id=person,
                       state="surplus", claimed_at=moment, ended_at=moment)
            for k, (item, person) in enumerate(pairs)
        )  # fmt: skip
        Judgment.objects.bulk_create(
            Judgment(collection=batch.collection, batch=batch, item=chosen[item], topic_id=chosen[item].topic_id,
                     document_id=chosen[item].document_id, annotator_id=person, assignment_id=first + k, revision=1,
                     surplus=True,
                     token=f"later-{first + k}", criterion=batch.criterion, scale_id=batch.scale_id,
                     grade=int(rng.integers(5)), active_ms=9000, wall_ms=12000, created_at=moment)
            for k, (item, person) in enumerate(pairs)
        )  # fmt: skip
        recount_batch(batch)


def keep() -> None:
    """As the worker does."""
    _timed(lambda: keep_columns(Batch.objects.get()))


def results() -> None:
    """As the worker makes what pages show, asked for or not."""
    KeptResult.objects.filter(asked_at=None).update(asked_at=now())
    KeptResult.objects.update(as_of=now() - timedelta(hours=1))
    _timed(sweep_results)


def freeze() -> None:
    """All pairs, by a policy that most of them pass."""
    collection = Collection.objects.get()
    policy = store_policy(collection, name="mild", parameters=MILD, actor=None)
    batches = list(Batch.objects.select_related("scale"))
    _timed(lambda: freeze_snapshot(collection, name="all", batches=batches, policy=policy, created_by=None))


def admin() -> None:
    """Prints as JSON what a program needs to work as the admin; the policy of `freeze` is stored."""
    collection, lead = Collection.objects.get(slug=SLUG), User.objects.get(username=ADMIN)
    store_policy(collection, name="mild", parameters=MILD, actor=None)
    batch = Batch.objects.get(collection=collection)
    person = batch.participations.order_by("pk")[0].annotator.pseudonym
    session, token = sign_in(lead), make_api_token(lead, name="benchmark")
    print(json.dumps({"slug": SLUG, "session": session, "token": token, "batch": batch.token, "person": person}))


def _timed(deed: Callable[[], object]) -> None:
    """Prints a line of JSON: seconds, of the processor, and the process's MB."""
    began, cpu = time.perf_counter(), time.process_time()
    deed()
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(json.dumps([took, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def open_page(page: str) -> None:
    """Twice in this process; prints a line of JSON each: seconds, of the processor, queries, bytes, and the process's
    MB."""
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username=ADMIN))
    batch = Batch.objects.get()
    person = batch.participations.order_by("pk")[0].annotator.pseudonym
    address = f"/c/{SLUG}/{page.format(token=batch.token, person=person)}"
    for _ in range(2):
        began, cpu = time.perf_counter(), time.process_time()
        with CaptureQueriesContext(connection) as seen:
            answer = client.get(address)
            size = len(answer.getvalue())
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        if answer.status_code not in {200, 202}:  # 202: the worker has been asked
            sys.exit(f"{address}: {answer.status_code}")
        print(json.dumps([took, cpu, len(seen), size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def _make(size: Size, rng: np.random.Generator) -> None:
    lead = User.objects.create_user(ADMIN)
    collection = create_collection(slug=SLUG, name="Company", description="", grades=DEFAULT_GRADES, actor=lead)
    scale = collection.scale
    assert scale is not None
    n_ordinary = round(size.judgments * (1 - GOLD_SHARE)) // EACH
    n_items = n_ordinary + size.gold
    topics = Topic.objects.bulk_create(Topic(collection=collection, number=str(n + 1)) for n in range(size.topics))
    texts = TopicVersion.objects.bulk_create(
        TopicVersion(collection=collection, topic=topic, sha256="0" * 64, title="A topic") for topic in topics
    )
    pool = Pool.objects.create(collection=collection, name="pool", n_pairs=n_items)
    batch = Batch.objects.create(
        collection=collection, name="large", pool=pool, scale=scale, state="open", seed=1, laid_out_at=BEGAN,
        n_expected=size.judgments + 1000,
    )  # fmt: skip
    annotators = Annotator.objects.bulk_create(
        Annotator(collection=collection, pseudonym=f"A-{n + 1:03}", user=User.objects.create(username=f"a{n + 1}"))
        for n in range(size.people)
    )
    Participation.objects.bulk_create(
        Participation(batch=batch, annotator=each, salt=pow(48271, n + 1, PRIME)) for n, each in enumerate(annotators)
    )
    item, topic = np.arange(1, n_items + 1), np.sort(rng.integers(size.topics, size=n_items))
    at = {"collection_id": collection.pk, "batch_id": batch.pk}
    _write(Document, n_items, id=item, collection_id=collection.pk, docno=[f"doc-{n:08}" for n in item])
    _write(
        DocumentVersion, n_items, id=item, collection_id=collection.pk, document_id=item, sha256="0" * 64, title="",
        text="Some text.", form="text", fields="{}", is_current=True, created_at=BEGAN,
    )  # fmt: skip
    DocumentCount.objects.create(collection=collection, n_documents=n_items, n_with_text=n_items)
    topic_id = np.array([each.pk for each in topics])[topic]
    _write(
        Item, n_items, id=item, **at, token=[f"item-{n}" for n in item], topic_id=topic_id, document_id=item,
        topic_version_id=np.array([each.pk for each in texts])[topic], document_version_id=item,
        scale_id=scale.pk, block=item // 25, shuffle=item, n_judged=EACH, withheld=False,
    )  # fmt: skip
    pairs = _Pairs(
        topic_id, rng.choice(5, n_items, p=SHARES), np.isin(item, rng.choice(item, size.gold, replace=False))
    )
    shared = {**at, "criterion": "relevance", "scale_id": scale.pk}
    _gold(pairs, collection, scale.pk)
    _judgments(pairs, size.judgments, np.array([each.pk for each in annotators]), shared, rng)
    recount_batch(batch)
    recount_blocks(batch)
    tell_planner(Document, DocumentVersion, Item, Slot, Assignment, Judgment, GoldEvent, Planting)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


@dataclass(frozen=True)
class _Pairs:
    """Of each item, (n_items,): the key of its topic, its right grade, and whether it is gold."""

    topic: NDArray[np.int64]
    truth: NDArray[np.int64]
    is_gold: NDArray[np.bool_]


def _gold(pairs: _Pairs, collection: Collection, scale: int) -> None:
    gold = np.flatnonzero(pairs.is_gold)
    _write(Planting, len(gold), item_id=gold + 1, purpose="gold", in_pool=False)
    _write(
        GoldEvent, len(gold), collection_id=collection.pk, topic_id=pairs.topic[gold], document_id=gold + 1,
        criterion="relevance", scale_id=scale, action="set", grade=pairs.truth[gold],
        accepted=[json.dumps([int(grade)]) for grade in pairs.truth[gold]], reason="", explanation="",
        created_at=BEGAN,
    )  # fmt: skip


def _judgments(
    pairs: _Pairs, n_wanted: int, people: NDArray[np.int64], shared: dict[str, object], rng: np.random.Generator
) -> None:
    """Slots, assignments and judgments of the same key."""
    ordinary, gold = np.flatnonzero(~pairs.is_gold), np.flatnonzero(pairs.is_gold)
    n_gold = n_wanted - EACH * len(ordinary)
    of = np.concatenate([np.repeat(ordinary, EACH), np.resize(gold, n_gold)])  # index of the item
    n = len(of)
    place = np.concatenate([np.tile(np.arange(EACH), len(ordinary)), np.arange(n_gold) // len(gold)])
    who = (of * 7 + of // 11 + place * 13) % len(people)  # nobody meets an item twice: 13 divides no number of people
    right = rng.beta(8, 2, len(people))[who] > rng.random(n)
    step = rng.choice([-2, -1, 1, 2], n, p=[0.1, 0.4, 0.4, 0.1])
    grade = np.where(right, pairs.truth[of], np.clip(pairs.truth[of] + step, 0, 4))
    order = rng.permutation(n)
    of, place, who, grade = of[order], place[order], who[order], grade[order]
    ms = (np.exp(rng.normal(9.3, 0.6, n)) * rng.normal(1, 0.2, len(people)).clip(0.4)[who]).astype(np.int64)
    moment = [BEGAN + timedelta(seconds=float(s)) for s in np.sort(rng.random(n)) * DAYS * 86400]
    key = np.arange(1, n + 1)
    at = {"collection_id": shared["collection_id"], "batch_id": shared["batch_id"], "id": key, "item_id": of + 1}
    met = {**at, "annotator_id": people[who]}
    _write(
        Slot, n, **at, n=place, block=(of + 1) // 25, state="judged", transferable=False, reading=1
    )  # fmt: skip
    _write(
        Assignment, n, **met, slot_id=key, reading=1, state="judged", skip_reason="", skip_note="",
        claimed_at=moment, ended_at=moment,
    )  # fmt: skip
    _write(
        Judgment, n, **met, **{name: shared[name] for name in ("criterion", "scale_id")}, topic_id=pairs.topic[of],
        document_id=of + 1, assignment_id=key, revision=1, token=[f"judgment-{k}" for k in key], grade=grade,
        comment=np.where(rng.random(n) < 0.005, "Not sure.", ""), active_ms=ms, wall_ms=ms + 2000, early=ms < 3000,
        surplus=False, blind=True, created_at=moment,
    )  # fmt: skip


def _write(model: type[Model], n: int, /, **columns: object) -> None:
    """Rows of columns, one value for all or one each; on PostgreSQL by COPY, without a look at foreign keys."""
    table, names = model._meta.db_table, ", ".join(f'"{name}"' for name in columns)  # noqa: SLF001 -- Django's own
    lists = [_listed(values, n) for values in columns.values()]
    rows: Iterable[tuple[object, ...]] = zip(*lists, strict=True)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            cursor.execute("SET session_replication_role = DEFAULT")
            if "id" in columns:
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, n])
        else:
            marks = ", ".join(["%s"] * len(columns))
            with transaction.atomic():
                rows = [tuple(map(_as_stored, row)) for row in rows]
                cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)  # noqa: S608


def _as_stored(value: object) -> object:
    """On SQLite a moment is text without a time zone, which only Django's fields see to."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _listed(values: object, n: int) -> list[object]:
    if isinstance(values, np.ndarray):
        return list(values.tolist())
    return values if isinstance(values, list) else [values] * n


DEEDS: dict[str, Callable[..., None]] = {
    "make": make,
    "keep": keep,
    "results": results,
    "judge": judge,
    "open": open_page,
    "freeze": freeze,
    "admin": admin,
}

if __name__ == "__main__":
    deed, *rest = sys.argv[1:]
    DEEDS[deed](*rest)
