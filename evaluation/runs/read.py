"""Runs of a collection, and their files for download."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.text import slugify

from annotation.formats.streaming import gzipped
from annotation.kernel.files import Outgoing
from annotation.kernel.jobs import LIVE
from annotation.kernel.navigation import MOST_FOUND, Place
from annotation.kernel.store import path_of
from annotation.models import Collection, Job, Pool
from evaluation.engine.run import PackedRun, load_run
from evaluation.formats.run_export import run_jsonl, run_trec
from evaluation.models import Accounting, Evaluation, PoolingReplay, Run, SensitivityStudy

MOST_NAMED = 10  # of unknown names in a message


def runs_of(collection: Collection) -> QuerySet[Run]:
    """By tag."""
    return Run.objects.filter(collection=collection).order_by("tag")


def has_runs(collection: Collection) -> bool:
    return Run.objects.filter(collection=collection).exists()


def problem_of_tag(collection: Collection, tag: str) -> str:
    """That a run is called so already, as a sentence; empty where none is."""
    if Run.objects.filter(collection=collection, tag=tag).exists():
        return f"The collection already has a run with the tag {tag}."
    return ""


def places_of_runs(collection: Collection, words: str) -> list[Place]:
    """What *Find* finds: runs in whose tag the words stand."""
    tags = runs_of(collection).filter(tag__icontains=words).values_list("tag", flat=True)[:MOST_FOUND]
    return [Place(tag, "", reverse("run", args=[collection.slug, tag])) for tag in tags]


def evaluations_of(run: Run) -> QuerySet[Evaluation]:
    """Those against the newest snapshot first."""
    return run.evaluations.select_related("snapshot").order_by("-snapshot", "averaging")


def why_run_stays(run: Run) -> str:
    """What was made with the run, or is being made, as a sentence; empty where nothing was."""
    if run.evaluations.exists():
        return "It is evaluated against a snapshot."
    pools = Pool.objects.filter(collection=run.collection_id, origin__kind__in=["runs", "adaptive"])
    if any(run.tag in origin.get("runs", ()) for origin in pools.values_list("origin", flat=True)):
        return "A pool is made of its tops."
    if _is_in_results(run):
        return "An accounting counts it, a study of sensitivity, or a replay of pooling."
    origins = Run.objects.filter(collection=run.collection_id).exclude(origin={}).values_list("origin", flat=True)
    if any(run.sha256 == part["sha256"] for origin in origins for part in origin.get("runs", ())):
        return "Another run is fused from it."
    payloads = Job.objects.filter(collection=run.collection_id, state__in=LIVE).values_list("payload", flat=True)
    if any(run.pk in (payload.get("runs") or ()) for payload in payloads):
        return "A job works with it."
    return ""


def _is_in_results(run: Run) -> bool:
    shares = Accounting.objects.filter(collection=run.collection_id).values_list("result__runs", flat=True)
    studied = SensitivityStudy.objects.filter(collection=run.collection_id).values_list("result__tags", flat=True)
    replayed = PoolingReplay.objects.filter(collection=run.collection_id).values_list("result__runs", flat=True)
    tags = {share["tag"] for shares_of_runs in shares for share in shares_of_runs or ()}
    return run.tag in tags.union(*studied, *replayed)


def not_in_collection(names: Sequence[str]) -> str:
    """What is wrong with these names of topics or runs: the first few, and how many more."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"Not in the collection: {', '.join(names[:MOST_NAMED])}{more}."


def stored_run(run: Run) -> PackedRun:
    """The packed run in its file, which is mapped. Raises `DamagedError`, and `PackedError` for an older form."""
    return load_run(path_of(run.sha256))


def _packed_trec(run: PackedRun) -> Iterator[bytes]:
    return gzipped(run_trec(run))


_WRITERS: Mapping[str, tuple[Callable[[PackedRun], Iterator[bytes]], str, str]] = {
    "trec": (run_trec, "run", "text/plain; charset=utf-8"),
    "gzip": (_packed_trec, "run.gz", "application/gzip"),
    "jsonl": (run_jsonl, "run.jsonl", "application/x-ndjson"),
}
RUN_FORMS = tuple(_WRITERS)


def outgoing_run(run: Run, form: str) -> Outgoing:
    """In one of `RUN_FORMS`. The file is mapped: of it only what is being sent is in memory."""
    write, ending, content_type = _WRITERS[form]
    name = f"{run.collection.slug}-{slugify(run.tag) or run.pk}.{ending}"
    return Outgoing(name, content_type, write(stored_run(run)))
