"""The demo collection, from nothing to a leaderboard, by the same steps that people take on the pages."""

import io

import numpy as np
from django.db import transaction

from annotation.corpus.steps.collections import create_collection
from annotation.gold.steps.files import take_gold_from_file
from annotation.models import Collection, Import, User
from touchstone.demo.annotators import BAD, GOOD, PANEL
from touchstone.demo.clicks import bring_clicks
from touchstone.demo.content import (
    CONTENT,
    DOCUMENTS,
    TOPICS,
    TrueGrade,
    demo_documents,
    demo_grades,
    demo_scale,
    demo_topics,
)
from touchstone.demo.doubt import judge_where_in_doubt
from touchstone.demo.experiment import bring_experiment
from touchstone.demo.guidance import write_guideline
from touchstone.demo.importing import import_file
from touchstone.demo.interleaving import interleave_rankers
from touchstone.demo.machine import bring_machine
from touchstone.demo.people import ADMIN, create_visitors, enrol_simulated, enrol_visitors
from touchstone.demo.queries import bring_queries
from touchstone.demo.rankers import RANKERS, make_runs
from touchstone.demo.rounds import SEED, judge_rounds
from touchstone.demo.series import watch_figures
from touchstone.demo.vectors import bring_vectors

SLUG = "almanac"
LEFT_OUT = "fused"  # made from the others: not a system of its own
GOLD_PER_GRADE = 1  # pairs of each topic and grade
DESCRIPTION = (
    "A made-up household almanac: a dozen questions and some hundred and fifty short pages. The judgments of the "
    "annotators called “simulated-…” were made by a program, with known rates of error, to have something to look at. "
    "One of them, “simulated-model”, stands for a language model."
)


@transaction.atomic
def build_demo(owner: User | None = None, *, slug: str = SLUG) -> Collection:
    """Everything or nothing: one transaction around all steps.

    It is the `owner`'s, and nobody is made who can sign in; without one, five visitors are, and one of them owns it.
    """
    visitors = {} if owner else create_visitors()
    admin = owner or visitors[ADMIN]
    collection = create_collection(
        slug=slug,
        name="Household almanac (demo)",
        description=DESCRIPTION,
        language="en",
        grades=demo_scale(),
        actor=admin,
    )
    write_guideline(collection, actor=admin, is_first=True)
    people = enrol_visitors(collection, visitors) if visitors else []
    simulated = enrol_simulated(collection, (*GOOD, *BAD), actor=admin)
    _load(collection, admin)
    judge_rounds(collection, people, simulated, admin)
    judge_where_in_doubt(collection, enrol_simulated(collection, PANEL, actor=admin), admin)
    bring_machine(collection, admin)
    bring_vectors(collection, admin)
    bring_experiment(collection, admin)
    bring_clicks(collection, admin)
    interleave_rankers(collection, admin)
    watch_figures(collection, admin)
    bring_queries(collection, admin)
    return collection


def _load(collection: Collection, admin: User) -> None:
    """Topics, documents, runs and gold."""
    for kind, name in ((Import.Kind.TOPICS, TOPICS), (Import.Kind.DOCUMENTS, DOCUMENTS)):
        with (CONTENT / name).open("rb") as stream:
            import_file(collection, stream, kind=kind, filename=name, admin=admin)
    tags = [tag for tag in RANKERS if tag != LEFT_OUT]
    for tag, text in make_runs(demo_topics(), demo_documents(), tags=tags).items():
        import_file(collection, io.BytesIO(text), kind=Import.Kind.RUN, filename=f"{tag}.run", admin=admin)
    take_gold_from_file(collection, stream=io.BytesIO(_gold()), filename="gold.tsv", actor=admin, correct=False)


def _gold() -> bytes:
    """A few pairs of each topic and grade, as a gold file; what is said of them is for annotators, too, in the end."""
    rows_of: dict[tuple[str, int], list[TrueGrade]] = {}
    for row in demo_grades():
        rows_of.setdefault((row.number, row.grade), []).append(row)
    rng = np.random.default_rng(SEED)
    rows = [rows[at] for rows in rows_of.values() for at in rng.permutation(len(rows))[:GOLD_PER_GRADE]]
    return "".join(f"{row.number}\t{row.docno}\t{row.grade}\t{row.reason}\t{row.reason}\n" for row in rows).encode()
