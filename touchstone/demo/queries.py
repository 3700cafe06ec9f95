"""A small query log in the demo: a sample of it is checked and waits to be published, and it is
described; beside it a run beyond its order."""

import io

from annotation.exchange.steps.importing import upload_here
from annotation.models import Collection, Import, Snapshot, User
from annotation.text.watch import say_nothing
from evaluation.beyond.steps.asking import (
    Asked,
    Source,
    ask_description,
    file_source,
    run_source,
    snapshot_source,
    vectors_source,
)
from evaluation.models import Description, Run, VectorSet
from touchstone.demo.content import CONTENT

LOG = "queries.tsv"
SAMPLE = {"total": "20", "minimum": "4", "head": "12", "torso": "30", "rule": "proportional", "seed": "1"}
RUN, MODEL, K = "bm25", "latent-stems", 10


def bring_queries(collection: Collection, admin: User) -> None:
    """After vectors and the first snapshot. Its topics would be new ones: publishing is left to people."""
    log = (CONTENT / LOG).read_bytes()
    options = {"kind": Import.Kind.QUERIES, "filename": LOG, "created_by": admin, "number_prefix": "q"}
    upload_here(collection, stream=io.BytesIO(log), watch=say_nothing, **options, **SAMPLE)  # type: ignore[arg-type]
    of_log = {"asked": file_source(io.BytesIO(log), LOG)}
    for sources in (of_log, _of_run(collection)):
        asked = Asked(Description.Kind.RECOMMENDATIONS, sources, {"k": K})
        ask_description(collection, asked, created_by=admin)


def _of_run(collection: Collection) -> dict[str, Source]:
    return {
        "run": run_source(Run.objects.get(collection=collection, tag=RUN)),
        "vectors": vectors_source(VectorSet.objects.get(collection=collection, model=MODEL, side="documents")),
        "truth": snapshot_source(Snapshot.objects.filter(collection=collection).earliest("pk")),
    }
