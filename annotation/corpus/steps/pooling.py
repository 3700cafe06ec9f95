"""Pools: fixed sets of pairs to judge, from a file or from the tops of runs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import BinaryIO, Protocol, TypeVar

from django.db import transaction

from annotation.corpus.read.pairs import FoundPairs, found_pairs, readable_pairs
from annotation.corpus.read.pools import batches_of
from annotation.formats.pairs import PairRow, listed_pairs, read_pairs
from annotation.formats.problems import Problems
from annotation.kernel.audit import record_audit
from annotation.kernel.bulk_rows import Alike, Values, write
from annotation.kernel.jobs import JobRun
from annotation.kernel.taken import unless_taken
from annotation.models import Collection, Import, Pool, PoolPair, User

MOST_AT_ONCE = 200_000  # pairs: about a second in which nobody's judgment is stored on SQLite


class Named(Protocol):
    """A row that names a topic and a document."""

    @property
    def number(self) -> str: ...

    @property
    def docno(self) -> str: ...


Row = TypeVar("Row", bound=Named)


class PoolError(Exception):
    """The pool cannot be deleted; the message says why."""


def create_pool(
    collection: Collection,
    *,
    name: str,
    pairs: Iterable[PairRow],
    problems: Problems,
    origin: dict[str, object],
    created_by: User | None,
    skip_unknown: bool = False,
) -> Pool:
    """Store the pairs under `name`; `rank` is a pair's place among its topic's, in the order given.

    Raises `FormatError` with every pair whose topic or document the collection does not have, or has without a text,
    and stores nothing then; with `skip_unknown` such pairs are left aside, and `origin` says how many.
    `TakenError` for a name that was just taken. `origin` says how the pool came about.
    It is one transaction, so there may be `MOST_AT_ONCE` pairs.
    """
    candidates = list(pairs)
    pairs_here = pairs_to_judge(collection, candidates, problems, skip_unknown=skip_unknown)
    rows = rows_here(candidates, pairs_here, problems) if skip_unknown else candidates
    origin |= aside_in_origin(len(candidates) - len(rows))
    if not rows and not problems:
        problems.add(0, "there is no pair in it")
    if len(rows) > MOST_AT_ONCE:
        problems.add(0, f"{len(rows)} pairs, at most {MOST_AT_ONCE} are stored at once: import them as a file of pairs")
    problems.check()
    with transaction.atomic():
        with unless_taken(Pool.objects.filter(collection=collection, name=name)):
            pool = Pool.objects.create(
                collection=collection, name=name, origin=origin, n_pairs=len(rows), created_by=created_by
            )
        pairs_of(pool).insert(ranked(rows, pairs_here))
        record_pool(pool)
    return pool


def stage_pool(record: Import, *, rows: Sequence[PairRow], ids: FoundPairs, n_aside: int, run: JobRun) -> None:
    """The pool of an import of pairs, in short transactions: nobody sees it before the import is published.

    Raises `TakenError` for a name that was just taken.
    """
    collection, name = record.collection, record.options["name"]
    origin = {"kind": "file", "filename": record.filename, "sha256": record.sha256, **aside_in_origin(n_aside)}
    with transaction.atomic():
        run.fence()
        with unless_taken(Pool.objects.filter(collection=collection, name=name)):
            pool = Pool.objects.create(
                collection=collection,
                name=name,
                origin=origin,
                n_pairs=len(rows),
                brought_by=record,
                created_by=record.created_by,
            )
    write(pairs_of(pool), ranked(rows, ids), run=run)


def aside_in_origin(n_aside: int) -> dict[str, object]:
    return {"left_aside": n_aside} if n_aside else {}


def pairs_of(pool: Pool) -> Alike:
    """Where the pairs of a pool are written to, as `ranked` makes them."""
    return Alike(PoolPair(pool=pool), ("topic_id", "document_id", "rank"))


def ranked(rows: Iterable[PairRow], ids: FoundPairs) -> Iterator[Values]:
    """Topic, document and place among the topic's pairs."""
    ranks: Counter[str] = Counter()
    for row in rows:
        ranks[row.number] += 1
        yield ids.topics[row.number], ids.documents[row.docno], ranks[row.number]


def record_pool(pool: Pool) -> None:
    record_audit(
        "pool created", actor=pool.created_by, collection=pool.collection, subject=pool.name, pairs=pool.n_pairs
    )


def create_pool_from_file(
    collection: Collection,
    *,
    name: str,
    stream: BinaryIO,
    filename: str,
    created_by: User | None,
    skip_unknown: bool = False,
) -> Pool:
    """Raises as `create_pool` does, with the lines of the file."""
    problems = Problems(filename)
    rows = list(read_pairs(stream, problems))
    origin: dict[str, object] = {"kind": "file", "filename": filename}
    return create_pool(
        collection,
        name=name,
        pairs=rows,
        problems=problems,
        origin=origin,
        created_by=created_by,
        skip_unknown=skip_unknown,
    )


def create_pool_from_list(
    collection: Collection, *, name: str, pairs: Iterable[tuple[str, str]], created_by: User | None, kind: str = "list"
) -> Pool:
    """Of topic numbers and docnos as they come. Raises as `create_pool` does; lines are places in the list, from 1.
    `kind`: of its origin, "list" from a program, "chosen" by somebody among pairs that drop."""
    problems = Problems("the list")
    rows = list(listed_pairs(pairs, problems))
    origin: dict[str, object] = {"kind": kind}
    return create_pool(collection, name=name, pairs=rows, problems=problems, origin=origin, created_by=created_by)


@transaction.atomic
def delete_pool(pool: Pool, *, actor: User | None) -> None:
    """Raises `PoolError` while a batch is made from it."""
    if batches_of(pool).exists():
        raise PoolError("A batch is made from this pool; it stays.")
    if pool.batches.exists():
        raise PoolError("A batch of this pool is still being cleared away. Try again in a minute.")
    record_audit("pool deleted", actor=actor, collection=pool.collection, subject=pool.name, pairs=pool.n_pairs)
    pool.delete()


def pairs_to_judge(
    collection: Collection, rows: Sequence[PairRow], problems: Problems, *, skip_unknown: bool = False
) -> FoundPairs:
    """The topics and documents of the rows. One that is not here, or has no text here, is a problem, or with
    `skip_unknown` left aside: see `rows_here`."""
    pairs = [(row.number, row.docno) for row in rows]
    readable = readable_pairs(collection, pairs)
    if all(number in readable.topics and docno in readable.documents for number, docno in pairs):
        return readable
    here = found_pairs(collection, pairs)
    report_unknown(rows, here.topics, here.documents, problems, skip=skip_unknown)
    topics, documents = here.topics.keys() - readable.topics, here.documents.keys() - readable.documents
    tell = problems.leave_aside if skip_unknown else problems.add
    _report(rows, topics, documents, tell, "{} has no text here: it came with judgments")
    return readable


def rows_here(rows: Sequence[Row], ids: FoundPairs, problems: Problems) -> list[Row]:
    """Those rows whose topic and document are among these. The others are left aside, and counted in a note; that
    nothing remains is a problem."""
    here = [row for row in rows if row.number in ids.topics and row.docno in ids.documents]
    if rows and not here:
        problems.add(0, "the collection has none of these pairs")
    elif n_aside := len(rows) - len(here):
        problems.note(0, f"pairs that are not here, left aside as chosen: {n_aside}")
    return here


def report_unknown(
    rows: Sequence[PairRow], topics: Iterable[str], documents: Iterable[str], problems: Problems, *, skip: bool = False
) -> None:
    """A problem for each row whose topic or document is not among these, or with `skip` a row left aside; at line 0
    the same one is reported once."""
    unknown_topics = {row.number for row in rows}.difference(topics)
    unknown_documents = {row.docno for row in rows}.difference(documents)
    tell = problems.leave_aside if skip else problems.add
    _report(rows, unknown_topics, unknown_documents, tell, "the collection has no {}")


def _report(
    rows: Sequence[PairRow],
    topics: AbstractSet[str],
    documents: AbstractSet[str],
    tell: Callable[[int, str], None],
    words: str,
) -> None:
    """`words` of each row whose topic or document is one of these."""
    reported = set()
    for row in rows:
        faults = [words.format(f"topic {row.number}")] if row.number in topics else []
        faults += [words.format(f"document {row.docno}")] if row.docno in documents else []
        for fault in faults:
            if row.line or fault not in reported:
                tell(row.line, fault)
            reported.add(fault)
