"""A machine judge for the demo: grades as a language model might give them, brought in as a file."""

import io

import numpy as np

from annotation.models import Annotator, Batch, Collection, Import, Item, User
from touchstone.demo.annotators import MACHINE
from touchstone.demo.content import demo_truth
from touchstone.demo.importing import import_file
from touchstone.demo.rounds import SEED

NAME = "simulated-model"


def bring_machine(collection: Collection, admin: User) -> None:
    """Every pair of the first round, as one who means well and is too generous would grade it."""
    import_file(
        collection,
        io.BytesIO(_judgments(collection)),
        kind=Import.Kind.JUDGMENTS,
        filename="model.tsv",
        admin=admin,
        name="Grades of a model",
        machines=NAME,
    )
    Annotator.objects.filter(collection=collection, pseudonym=NAME).update(simulated=True)


def _judgments(collection: Collection) -> bytes:
    first = Batch.objects.filter(collection=collection).earliest("pk")
    pairs = Item.objects.filter(batch=first).values_list("topic__number", "document__docno")
    truth, rng = demo_truth(), np.random.default_rng(SEED)
    rows = [
        f"{number}\t{docno}\t{NAME}\t{MACHINE.grade(truth.get((number, docno), 0), rng)}\n"
        for number, docno in sorted(pairs)
    ]
    return ("number\tdocno\tannotator\tgrade\n" + "".join(rows)).encode()
