"""The steps from an empty collection to its first batch, each with what it wants and where its form sends to."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from annotation.exchange.read.imports import imports_in_work, imports_of
from annotation.home.read.collection import Counts, is_done
from annotation.models import Collection, Import, Role
from annotation.text.counted import counted

TEXTS = (Import.Kind.TOPICS, Import.Kind.DOCUMENTS)  # sent together


@dataclass(frozen=True)
class TextOnItsWay:
    """The last file of a kind that has not been published."""

    record: Import
    is_live: bool


@dataclass(frozen=True)
class Way:
    """Another way to do a step: a link."""

    text: str
    address: str


@dataclass(frozen=True)
class Deed:
    """What can be done on the spot: a button that sends these values; `n`: how many, which people may change."""

    text: str
    address: str
    values: tuple[tuple[str, str], ...]
    n: int = 0


@dataclass(frozen=True)
class SetUpStep:
    """`wants`: one sentence. `upload`: the address that takes a `file`, "" where the step takes none; `text`: the kind
    of a file that is sent together with others; `on_its_way`: one that was. `ways`: the links to its forms, the main
    one first. `here`: how much of it there is."""

    title: str
    wants: str
    here: int
    noun: str
    upload: str = ""
    ways: tuple[Way, ...] = ()
    deed: Deed | None = None
    text: str = ""
    on_its_way: TextOnItsWay | None = None

    @property
    def is_done(self) -> bool:
        return self.here > 0

    @property
    def begins_elsewhere(self) -> bool:
        """Nothing of it can be done on the spot."""
        return not (self.text or self.upload or self.deed)

    @property
    def stock(self) -> str:
        return counted(self.here, self.noun)


def set_up_steps(collection: Collection, counts: Counts, on_their_way: Mapping[str, TextOnItsWay]) -> list[SetUpStep]:
    slug = collection.slug
    return [*_texts(slug, counts, on_their_way), _pairs(collection, counts), *_judging(slug, counts)]


def texts_on_their_way(collection: Collection) -> dict[str, TextOnItsWay]:
    """By kind."""
    live = imports_in_work(collection)
    last = {record.kind: record for record in imports_of(collection).filter(kind__in=TEXTS).order_by("pk")}
    out = (Import.State.PUBLISHED, Import.State.CANCELLED)
    return {kind: TextOnItsWay(row, row.pk in live) for kind, row in last.items() if row.state not in out}


def _texts(slug: str, counts: Counts, on_their_way: Mapping[str, TextOnItsWay]) -> list[SetUpStep]:
    topics, documents = (_at("import_new", slug, kind=kind) for kind in TEXTS)
    return [
        SetUpStep(
            "Topics",
            "A file of topics: number and title, perhaps description and narrative, as TREC topics, JSONL, CSV or TSV.",
            counts.topics,
            "topic",
            text=TEXTS[0],
            on_its_way=on_their_way.get(TEXTS[0]),
            ways=(Way("All options", topics),),
        ),
        SetUpStep(
            "Documents",
            "A file of documents: docno, perhaps a title, and the text, as JSONL, CSV, TSV or TREC documents.",
            counts.documents,
            "document",
            text=TEXTS[1],
            on_its_way=on_their_way.get(TEXTS[1]),
            ways=(Way("All options", documents),),
        ),
    ]


def _pairs(collection: Collection, counts: Counts) -> SetUpStep:
    slug = collection.slug
    return SetUpStep(
        "Pairs to judge",
        "A pool: of the tops of runs (TREC or JSON), or, if you have none, all pairs, a random sample or BM25.",
        counts.pools,
        "pool",
        deed=_pool_at_once(slug) if counts.topics and counts.documents else None,
        ways=(
            Way("Make a pool without runs", _at("pool_without_runs", slug)),
            *((Way("Make a pool from runs", _at("pool_runs", slug)),) if is_done("runs", collection) else ()),
            Way("Import runs", _at("runs_new", slug)),
            Way("Pool from a file of pairs", _at("pool_file", slug)),
        ),
    )


def _pool_at_once(slug: str) -> Deed:
    values = (("name", "Pool 1"), ("way", "bm25"))
    return Deed("Make a pool by BM25", _at("pool_without_runs", slug), values)


def _judging(slug: str, counts: Counts) -> list[SetUpStep]:
    gold = _at("import_new", slug, kind="gold")
    return [
        SetUpStep(
            "People",
            "Who judges: each gets a link by which they come in once; you send it.",
            counts.annotators,
            "annotator",
            deed=Deed("Make links", _at("invitations", slug), (("role", Role.ANNOTATOR), ("days", "14")), n=3),
            ways=(Way("Invite people", _at("invitations", slug)),),
        ),
        SetUpStep(
            "Gold",
            "Pairs whose grade you know, to see who judges well: topic number, docno, grade as TSV or CSV, or qrels.",
            counts.gold_events,
            "gold grade",
            upload=gold,
            ways=(Way("All options", gold), Way("Set gold by hand", _at("gold", slug))),
        ),
        SetUpStep(
            "Batch",
            "Which pool, which people, how many judgments a pair, and how much gold among them.",
            counts.laid_out,
            "batch",
            ways=(Way("New batch", _at("batch_new", slug)),),
        ),
    ]


def _at(name: str, slug: str, **values: str) -> str:
    return reverse(name, kwargs={"slug": slug, **values})
