"""The lineage of a snapshot: the file it was imported from; or judgments, policy, batches and what they come from."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from annotation.formats.grade_map import GRADES
from annotation.formats.lineage import Ancestor
from annotation.gold.read.current import gold_by_qrels
from annotation.gold.read.known_grades import Pair
from annotation.kernel.store import DamagedError, path_of
from annotation.models import Batch, Import, Pool, Snapshot
from annotation.quality.frozen import thaw
from annotation.text.counted import counted


def lineage_of(snapshot: Snapshot) -> tuple[Ancestor, ...]:
    """The nearest first, each once. Who did it is left out: a lineage is published."""
    if snapshot.origin == Snapshot.Origin.FROZEN:
        near = [*_judgments(snapshot), *_gold(snapshot), *_batches(snapshot)]
    elif snapshot.brought_by is not None:
        near = [_file(snapshot.brought_by, "qrels")]
    else:
        near = [Ancestor(what="File", name="", says="which one, is not recorded")]
    return tuple(dict.fromkeys([*near, *_bundle(snapshot), *_earlier(snapshot)]))


def _judgments(snapshot: Snapshot) -> Iterator[Ancestor]:
    try:
        says, _ = _judged(snapshot.inputs_sha256)
    except (FileNotFoundError, DamagedError):
        says = "their file is missing or damaged"
    yield Ancestor(what="Judgments", name="", says=says, sha256=snapshot.inputs_sha256)
    assert snapshot.policy is not None
    machines = "counts machine judges" if snapshot.policy.counts_machines else "counts people alone"
    yield Ancestor(what="Policy", name=str(snapshot.policy), says=machines, sha256=snapshot.policy.sha256)
    if snapshot.scale is not None:
        yield Ancestor(what="Scale", name=f"version {snapshot.scale.number}", says="of the collection")


@lru_cache(maxsize=1024)
def _judged(inputs_sha256: str) -> tuple[str, frozenset[Pair]]:
    """What is in the file, which never changes and may be large; and its gold pairs."""
    inputs, _ = thaw(path_of(inputs_sha256).read_bytes())
    people = counted(len(set(inputs.table.annotator.tolist())), "annotator")
    parts = [f"{counted(len(inputs.table), 'judgment')} of {people}", counted(len(inputs.gold), "gold pair")]
    if inputs.machines is not None:
        parts.append(f"{counted(len(inputs.machines.table), 'judgment')} of machine judges")
    if len(inputs.adjudications):
        parts.append(counted(len(inputs.adjudications), "adjudicated pair"))
    if inputs.excluded:
        parts.append(f"{counted(len(inputs.excluded), 'annotator')} excluded")
    pairs = zip(inputs.gold.topic.tolist(), inputs.gold.document.tolist(), strict=True)
    return ", ".join(parts), frozenset((inputs.table.numbers[topic], inputs.table.docnos[doc]) for topic, doc in pairs)


def _gold(snapshot: Snapshot) -> Iterator[Ancestor]:
    """The imported qrels that its gold was taken from, each before its file. Gold that people set is counted alone."""
    try:
        _, pairs = _judged(snapshot.inputs_sha256)
    except (FileNotFoundError, DamagedError):
        return
    for qrels, n in gold_by_qrels(snapshot.collection, snapshot.criterion, pairs, until=snapshot.created_at):
        says = f"{counted(n, 'gold pair')} of imported qrels"
        yield Ancestor(what="Gold", name=qrels.name, says=says, sha256=qrels.qrels_sha256, key=str(qrels.pk))
        if qrels.brought_by is not None:
            yield replace(_file(qrels.brought_by, "qrels"), is_source=False)


def _batches(snapshot: Snapshot) -> Iterator[Ancestor]:
    """Each before what it was laid out from."""
    for batch in snapshot.batches.select_related("pool", "brought_by").order_by("pk"):
        yield _batch(batch)
        if batch.pool is not None:
            yield _pool(batch.pool)
        elif batch.brought_by is not None and batch.brought_by.kind != Import.Kind.COLLECTION:
            yield _file(batch.brought_by, "judgments made elsewhere")


def _batch(batch: Batch) -> Ancestor:
    says = f"laid out from the pool {batch.pool}" if batch.pool else "judged elsewhere"
    return Ancestor(what="Batch", name=batch.name, says=says, is_source=True, key=batch.token)


def _pool(pool: Pool) -> Ancestor:
    """A pool that was made by what a snapshot lacks or says, names that snapshot. One of a bundle may say anything."""
    origin = pool.origin
    runs = origin.get("runs")
    method = {
        "runs": f"the top {origin.get('depth')} of {counted(len(runs) if isinstance(runs, list) else 0, 'run')}",
        "file": f"from the file {origin.get('filename')}",
    }.get(str(origin.get("kind")), "")
    after = f"chosen after the snapshot {origin['snapshot']}" if origin.get("snapshot") else ""
    says = ", ".join(part for part in (counted(pool.n_pairs, "pair"), method, after) if part)
    sha256 = str(origin.get("sha256", ""))
    return Ancestor(what="Pool", name=pool.name, says=says, sha256=sha256, key=str(pool.pk))


def _file(record: Import, content: str) -> Ancestor:
    """An import by the file that was brought, as it was read."""
    if record.kind == Import.Kind.COLLECTION:
        return _collection_file(record)
    phrases = [content]
    if title := record.preview.get("format", {}).get("title"):
        phrases.append(f"read as {title}")
    if grades := record.options.get(GRADES):
        phrases.append(f"grades mapped {' '.join(str(grades).split())}")
    phrases.append(f"imported {_day(record.created_at)}")
    says, key = ", ".join(phrases), str(record.pk)
    return Ancestor(what="File", name=record.filename, says=says, sha256=record.sha256, is_source=True, key=key)


def _collection_file(record: Import) -> Ancestor:
    """A bundle is kept by its manifest; its own hash stands among the options."""
    bundle = record.options.get("bundle")
    says = f"the whole collection, imported {_day(record.created_at)}"
    what, sha256 = ("Bundle", str(bundle)) if bundle else ("Folder", record.sha256)
    key = str(record.pk)
    return Ancestor(what=what, name=record.filename, says=says, sha256=sha256, is_source=True, key=key)


def _bundle(snapshot: Snapshot) -> Iterator[Ancestor]:
    """What came before the collection did, came with it."""
    record = Import.objects.filter(
        collection=snapshot.collection_id, kind=Import.Kind.COLLECTION, state=Import.State.PUBLISHED
    ).first()
    if record is None:
        return
    laid = snapshot.batches.filter(created_at__lt=record.created_at)
    if snapshot.created_at < record.created_at or laid.exists() or snapshot.brought_by_id == record.pk:
        yield _collection_file(record)


def _earlier(snapshot: Snapshot) -> Iterator[Ancestor]:
    """The snapshot before this one that was frozen from the same batches, or has the same qrels."""
    before = Snapshot.objects.filter(collection=snapshot.collection_id, pk__lt=snapshot.pk).order_by("-pk")
    batches = set(snapshot.batches.values_list("pk", flat=True))
    for other in before.prefetch_related("batches").select_related("policy"):
        if other.qrels_sha256 == snapshot.qrels_sha256:
            says = f"the same qrels, {_day(other.created_at)}"
        elif batches and batches == {batch.pk for batch in other.batches.all()}:
            says = f"frozen before from the same batches, {_day(other.created_at)}, policy {other.policy}"
        else:
            continue
        sha256, key = other.qrels_sha256, str(other.pk)
        yield Ancestor(what="Snapshot", name=other.name, says=says, sha256=sha256, is_basis=False, key=key)
        return


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
