"""The steps from an empty collection to its first batch, each with what it wants and where its form sends to."""

from dataclasses import dataclass

from django.urls import reverse

from annotation.home.read.collection import Counts, is_done
from annotation.models import Collection
from annotation.text.counted import counted


@dataclass(frozen=True)
class Way:
    """Another way to do a step: a link."""

    text: str
    address: str


@dataclass(frozen=True)
class SetUpStep:
    """`wants`: one sentence. `upload`: the address that takes a `file`, "" where the step takes none, and whether its
    texts may be here already; `ways`: the links to its forms, the main one first. `here`: how much of it there is."""

    title: str
    wants: str
    here: int
    noun: str
    upload: str = ""
    ways: tuple[Way, ...] = ()
    has_conflicts: bool = False

    @property
    def is_done(self) -> bool:
        return self.here > 0

    @property
    def stock(self) -> str:
        return counted(self.here, self.noun)


def set_up_steps(collection: Collection, counts: Counts) -> list[SetUpStep]:
    return [*_texts(collection.slug, counts), _pairs(collection, counts), *_judging(collection.slug, counts)]


def _texts(slug: str, counts: Counts) -> list[SetUpStep]:
    topics, documents = (_at("import_new", slug, kind=kind) for kind in ("topics", "documents"))
    return [
        SetUpStep(
            "Topics",
            "A file of topics: number and title, perhaps description and narrative, as TREC topics, JSONL, CSV or TSV.",
            counts.topics,
            "topic",
            upload=topics,
            has_conflicts=True,
            ways=(Way("All options", topics),),
        ),
        SetUpStep(
            "Documents",
            "A file of documents: docno, perhaps a title, and the text, as JSONL, CSV, TSV or TREC documents.",
            counts.documents,
            "document",
            upload=documents,
            has_conflicts=True,
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
        ways=(
            Way("Make a pool without runs", _at("pool_without_runs", slug)),
            *((Way("Make a pool from runs", _at("pool_runs", slug)),) if is_done("runs", collection) else ()),
            Way("Import runs", _at("runs_new", slug)),
            Way("Pool from a file of pairs", _at("pool_file", slug)),
        ),
    )


def _judging(slug: str, counts: Counts) -> list[SetUpStep]:
    gold = _at("import_new", slug, kind="gold")
    return [
        SetUpStep(
            "People",
            "Who judges: each gets a link by which they come in once; you send it.",
            counts.annotators,
            "annotator",
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
