"""What is to be known of the space that vectors lie in: a job describes it. What was found before
from the same files is not computed again."""

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.models import Job, Snapshot, User
from evaluation.engine.space.umap_plane import umap_version
from evaluation.models import SpaceDescription, VectorSet
from evaluation.vectors.read import (
    QUERIES,
    judged_pairs,
    models_beside,
    other_side,
    refuse_zeros,
    stored_vectors,
    vectors_of,
)
from evaluation.vectors.steps.lines import keep_lines, read_lines_kept

if TYPE_CHECKING:
    import numpy as np

    from evaluation.engine.arrays import Ints
    from evaluation.engine.packed_vectors import PackedVectors
    from evaluation.engine.space.description import Resemblance

DESCRIBE = "describe_space"
FORM = 2  # of what is stored: a new one is computed anew
K, SEED = 10, 42  # as `describe_vectors` has them
RELEVANT = 1  # the lowest grade that counts
MOST_NUMBERS = 30_000_000  # rows × dimensions: about 2 GB in all, for several copies are made in float64
MOST_POINTS, MOST_EIGENVALUES, GROUPS = 1000, 1024, 8

Pairs = list[tuple[str, str]]  # topic number, docno


@dataclass(frozen=True)
class _Request:
    """`other`: the set of the other side, if its dimensions are the same. `together`: `pairs` or `classes` that the
    alignment is of, and the hash of their lines; none: of what the snapshot judges. `against`: the same side of another
    model."""

    vectors: VectorSet
    other: VectorSet | None
    snapshot: Snapshot | None
    together: tuple[str, str] | None
    against: VectorSet | None

    @property
    def rests_on(self) -> dict[str, Any]:
        judged = {"snapshot": self.snapshot.name, "qrels_sha256": self.snapshot.qrels_sha256} if self.snapshot else {}
        sets = {str(self.vectors.side): self.vectors.sha256}
        if self.other and self.snapshot and not self.together:
            sets[str(self.other.side)] = self.other.sha256
        lines = {f"{self.together[0]}_sha256": self.together[1]} if self.together else {}
        drawn = {"umap": version} if (version := umap_version()) else {}
        beside = {"against": {"model": self.against.model, "sha256": self.against.sha256}} if self.against else {}
        return {"form": FORM, "neighbours": K, "seed": SEED, **sets, **judged, **lines, **drawn, **beside}

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(self.rests_on, sort_keys=True).encode()).hexdigest()


def ask_description(
    vectors: VectorSet,
    *,
    snapshot: Snapshot | None,
    pairs: str = "",
    classes: str = "",
    against: str = "",
    created_by: User | None,
) -> Job:
    """Queue it. Raises `ValueError` for a snapshot of another collection, and as `description_payload`."""
    if snapshot and snapshot.collection_id != vectors.collection_id:
        raise ValueError("The snapshot is of another collection.")
    payload = description_payload(vectors, snapshot, pairs=pairs, classes=classes, against=against)
    with transaction.atomic():
        record_audit("space asked for", actor=created_by, collection=vectors.collection, subject=str(vectors))
        return enqueue(DESCRIBE, collection=vectors.collection, created_by=created_by, about=str(vectors), **payload)


def description_payload(
    vectors: VectorSet, snapshot: Snapshot | None, *, pairs: str = "", classes: str = "", against: str = ""
) -> dict[str, Any]:
    """What the job goes by; `pairs` of ids that belong together, or ids and their `classes`, a line each; `against`
    another model with vectors of this side. Raises `ValueError` for both of the first, and for a model without."""
    if pairs.strip() and classes.strip():
        raise ValueError("Give pairs or classes, not both.")
    named = [(name, text) for name, text in (("pairs", pairs), ("classes", classes)) if text.strip()]
    together = [[name, keep_lines(text)] for name, text in named]
    beside = _beside(vectors, against) if against else []
    snapshots = snapshot.pk if snapshot else None
    return {"vectors": [vectors.pk], "snapshot": snapshots, "together": together, "against": beside}


def _beside(vectors: VectorSet, model: str) -> list[int]:
    if model not in models_beside(vectors):
        raise ValueError(f"There is no other model {model} with vectors of the {vectors.side} in this collection.")
    return [one.pk for one in vectors_of(vectors.collection).filter(model=model, side=vectors.side)]


def describe_in_job(attempt: JobRun) -> dict[str, object]:
    """The job."""
    request = _request(attempt)
    vectors = request.vectors
    stored = SpaceDescription.objects.filter(vectors=vectors, key=request.key)
    with transaction.atomic():
        attempt.fence()
        is_known = stored.update(made_at=timezone.now())
    if not is_known:
        try:
            figures, drawing = _described(attempt, request)
        except ValueError as reason:
            raise JobRefusedError(str(reason)) from reason
        columns = {"rests_on": request.rests_on, "figures": figures, "drawing": drawing, "made_at": timezone.now()}
        with transaction.atomic():
            attempt.fence()
            SpaceDescription.objects.update_or_create(vectors=vectors, key=request.key, defaults=columns)
    return {"side": vectors.side, "model": vectors.model}


def _request(attempt: JobRun) -> _Request:
    payload, collection = attempt.job.payload, attempt.job.collection
    vectors = VectorSet.objects.filter(pk__in=payload["vectors"], collection=collection).first()
    snapshot = Snapshot.objects.filter(pk=payload["snapshot"], collection=collection).first()
    beside = payload.get("against", ())
    against = VectorSet.objects.filter(pk__in=beside, collection=collection).first()
    if vectors is None or (payload["snapshot"] and snapshot is None) or (beside and against is None):
        raise JobRefusedError("The vectors or the judgments are not there any more.")
    for one in filter(None, (vectors, against)):
        _refuse_many(one)
    other = other_side(vectors)
    together = next(((name, sha) for name, sha in payload.get("together", ())), None)
    return _Request(vectors, other if other and other.dim == vectors.dim else None, snapshot, together, against)


def _refuse_many(vectors: VectorSet) -> None:
    if vectors.n_rows * vectors.dim > MOST_NUMBERS:
        raise JobRefusedError(
            f"{vectors.n_rows:,} × {vectors.dim:,} are more numbers than are described here ({MOST_NUMBERS:,}): "
            "describe a sample of the rows, stored as another model or by describe_vectors."
        )


def _described(attempt: JobRun, request: _Request) -> tuple[dict[str, Any], dict[str, Any]]:
    import numpy as np

    from evaluation.engine.space.description import describe
    from evaluation.formats.space import as_facts

    def report(done: int, total: int) -> None:
        attempt.report(done=done, total=total, message="Looking for the neighbours of each")

    here = stored_vectors(request.vectors)
    ids = here.names
    judged = _judged(request.snapshot) if request.snapshot else []
    pairs = _together(request, ids)
    description = describe(here.vector, ids, k=K, pairs=pairs, rng=np.random.default_rng(SEED), progress=report)
    resemblance = _resemblance(attempt, request.against, here, ids) if request.against else None
    attempt.report(done=0, total=0, message="Drawing")
    figures = as_facts(description, resemblance)
    if request.together and pairs:
        of_all = 2 - 2 * description.isotropy.mean_cosine
        figures |= {"alignment_pairs": len(pairs[0]), "alignment_of_all": of_all, "alignment_from": request.together[0]}
    else:
        figures |= _alignment(request, here, ids, judged)
    return figures, _drawing(here.vector, ids, {pair[request.vectors.side != QUERIES] for pair in judged})


def _resemblance(attempt: JobRun, against: VectorSet, here: "PackedVectors", ids: list[str]) -> "Resemblance":
    from evaluation.engine.space.description import resemble_by_id

    attempt.report(done=0, total=0, message=f"Comparing with {against.model}")
    there = stored_vectors(against)
    refuse_zeros(there.names, there.vector)
    return resemble_by_id(here.vector, ids, there.vector, there.names, k=K)


def _together(request: _Request, ids: list[str]) -> "tuple[Ints, Ints] | None":
    """Rows that belong together, by the lines that say so."""
    if request.together is None:
        return None
    from evaluation.formats.vectors.id_pairs import parse_class_pairs, parse_id_pairs

    kind, sha = request.together
    parse = parse_id_pairs if kind == "pairs" else parse_class_pairs
    return read_lines_kept(sha, kind, lambda stream, problems: parse(stream, problems, ids))


def _judged(snapshot: Snapshot) -> Pairs:
    """Pairs of a relevant grade."""
    return [(number, docno) for number, docno, grade in judged_pairs(snapshot) if grade >= RELEVANT]


def _alignment(request: _Request, here: "PackedVectors", ids: list[str], judged: Pairs) -> dict[str, Any]:
    """Of queries with their relevant documents, over the pairs that have both vectors."""
    import numpy as np

    from evaluation.engine.space.uniformity import alignment, alignment_of_all

    if request.other is None or not judged:
        return {}
    there = stored_vectors(request.other)
    sides = [(here, ids), (there, there.names)]
    (query, numbers), (document, docno) = sides if request.vectors.side == QUERIES else sides[::-1]
    row, column = ({name: at for at, name in enumerate(names)} for names in (numbers, docno))
    pairs = [(row[number], column[name]) for number, name in judged if number in row and name in column]
    if not pairs:
        return {}
    first, second = np.array(pairs, np.int64).T
    used, index = np.unique(second, return_inverse=True)
    rows = np.concatenate([query.vector, document.vector[used]])
    return {
        "alignment": alignment(rows, first, len(query.vector) + index),
        "alignment_pairs": len(pairs),
        "alignment_of_all": alignment_of_all(query.vector, document.vector),
        "alignment_from": "judgments",
    }


def _drawing(vector: "np.ndarray[Any, np.dtype[np.float32]]", ids: list[str], first: set[str]) -> dict[str, Any]:
    """What plots show. The map has up to 1000 rows: those of `first`, then others as they are drawn."""
    import numpy as np

    from evaluation.engine.space.clusters import clusters
    from evaluation.engine.space.cosines import cosines
    from evaluation.engine.space.plane import plane
    from evaluation.engine.space.rows import variances
    from evaluation.engine.space.umap_plane import LEAST, umap_plane

    rng = np.random.default_rng(SEED)
    spectrum, angles, flat = variances(vector), cosines(vector, rng), plane(vector)
    order = rng.permutation(len(ids))
    is_first = np.array([ids[row] in first for row in order.tolist()])
    shown = np.sort(np.concatenate([order[is_first], order[~is_first]])[:MOST_POINTS])
    group = clusters(vector[shown], GROUPS, rng)
    has_umap = bool(umap_version()) and len(shown) >= LEAST
    drawn = {"umap": np.round(umap_plane(vector[shown], SEED), 6).tolist()} if has_umap else {}
    return {
        "spectrum": [float(value) for value in spectrum[:MOST_EIGENVALUES]],
        "total": float(spectrum.sum()),
        "cosines": angles.count.tolist(),
        "pairs": angles.n_pairs,
        "is_sample": angles.is_sample,
        "share": list(flat.share),
        "ids": [ids[row] for row in shown.tolist()],
        "place": np.round(flat.place[shown], 6).tolist(),
        "group": group.tolist(),
        **drawn,
    }
