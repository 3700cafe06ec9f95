"""A bundle that is not whole, or contradicts itself, is refused by member and line; nothing of it is left."""

import io
import json
import zipfile
from collections.abc import Callable

import pytest
from django.db import transaction

from annotation.exchange.steps.bundles import start_arrival, sweep_staged
from annotation.exchange.steps.bundles.temporary_files import transit_path
from annotation.kernel.jobs import JobRun, ask_cancel, claim_job, run_job
from annotation.models import Annotator, Collection, Document, Import, Job, Judgment, User
from annotation.quality.consolidation import CONSOLIDATORS
from tests.annotation.exchange.steps.bundle_work import bring, bundle_of, changed, make_full, packed
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def without(data: bytes, member: str) -> bytes:
    """The bundle without a file, as if it had never had it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if name != member}
    manifest = json.loads(members["bundle.json"])
    del manifest["members"][member]
    return packed({**members, "bundle.json": json.dumps(manifest).encode()})


def value_of(data: bytes, member: str, place: int, key: str) -> str:
    """A value of one row."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return str(json.loads(archive.read(member).splitlines()[place])[key])


def instead(data: bytes, key: str, sha: str) -> bytes:
    """The bundle whose first snapshot names another file, and that has no longer the one it named."""
    mine = value_of(data, "snapshots.jsonl", 0, key)
    return without(changed(data, "snapshots.jsonl", mine, sha), f"files/{mine}")


def run_of(data: bytes) -> str:
    return value_of(data, "runs.jsonl", 0, "sha256")


Faults = dict[str, tuple[Callable[[bytes], bytes], str]]

FAULTS: Faults = {
    "another text": (
        lambda data: changed(data, "document_versions.jsonl", "Some text.", "Other text."),
        "document_versions.jsonl:1: its sha256 is not that of its content",
    ),
    "another grade on the scale": (
        lambda data: changed(data, "scale_versions.jsonl", '"grade":1', '"grade":7'),
        "scale_versions.jsonl:1: grades: 2 to 11 of them, counted from 0",
    ),
    "coins of three strands": (
        lambda data: changed(data, "batches.jsonl", '"coin_shares":null', '"coin_shares":[0.1,0.0,0.1]'),
        "batches.jsonl:1: coin_shares are 4 numbers, not 3",
    ),
    "coins that leave no card to pairs": (
        lambda data: changed(data, "batches.jsonl", '"coin_shares":null', '"coin_shares":[0.5,0.3,0.0,0.2]'),
        "batches.jsonl:1: coin_shares are parts of all cards",
    ),
    "coins that bring more pairs than there are": (
        lambda data: changed(data, "batches.jsonl", '"coin_shares":null', '"coin_shares":[0.1,0.0,0.5,0.0]'),
        "batches.jsonl:1: coin_shares are parts of all cards",
    ),
    "a coin less than never": (
        lambda data: changed(data, "batches.jsonl", '"coin_shares":null', '"coin_shares":[-0.1,0.0,0.0,0.0]'),
        "batches.jsonl:1: coin_shares",
    ),
    "another worked example": (
        lambda data: changed(data, "guideline_versions.jsonl", "No bee", "A bee"),
        "guideline_versions.jsonl:2: its sha256 is not that of its content",
    ),
    "a worked example without a grade": (
        lambda data: changed(data, "guideline_versions.jsonl", '"grade":0', '"grade":"0"'),
        "guideline_versions.jsonl:2: cases: each has topic, document, grade, reason",
    ),
    "another information text": (
        lambda data: changed(data, "information_versions.jsonl", "grades", "names"),
        "information_versions.jsonl:1: its sha256 is not that of its content",
    ),
    "consent to no text": (
        lambda data: changed(data, "consents.jsonl", '"information":1', '"information":2'),
        "consents.jsonl:1: there is no version of the information text 2 in the bundle",
    ),
    "round not there": (
        lambda data: changed(data, "batches.jsonl", '"Basics"', '"Advanced"'),
        "batches.jsonl:1: there is no qualification Advanced in the bundle",
    ),
    "an attempt ended without a result": (
        lambda data: changed(data, "qualification_attempts.jsonl", '"passed":true', '"passed":null'),
        "qualification_attempts.jsonl:1: an attempt that has ended was passed or not, any other is open",
    ),
    "an answer to no pair": (
        lambda data: changed(data, "qualification_answers.jsonl", '"position":0', '"position":7'),
        "qualification_answers.jsonl:1: there is no pair of the round Basics 7 in the bundle",
    ),
    "unknown policy": (
        lambda data: changed(data, "policies.jsonl", '"median"', '"guess"'),
        f"policies.jsonl:2: parameters: consolidation: must be one of {', '.join(CONSOLIDATORS)}, not 'guess'",
    ),
    "milder policy": (
        lambda data: changed(data, "policies.jsonl", '"min_gold":0', '"min_gold":1'),
        "policies.jsonl:1: its sha256 is not that of its content",
    ),
    "topic not there": (
        lambda data: changed(data, "judgments.jsonl", '"number":"g","docno":"G00"', '"number":"h","docno":"G00"'),
        "judgments.jsonl:1: there is no item first h G00 in the bundle",
    ),
    "person not there": (
        lambda data: changed(data, "judgments.jsonl", '"Amber"', '"Ember"'),
        "judgments.jsonl:1: there is no annotator Ember in the bundle",
    ),
    "batch not there": (
        lambda data: changed(data, "items.jsonl", '"first"', '"last"'),
        "items.jsonl:1: there is no batch last in the bundle",
    ),
    "text not there": (
        lambda data: changed(data, "items.jsonl", '"topic_sha256":"', '"topic_sha256":"' + "0" * 64 + '","x":"'),
        "items.jsonl:1: the key 'x' is unknown",
    ),
    "judged without a slot": (
        lambda data: changed(data, "assignments.jsonl", '"state":"surplus"', '"state":"judged"'),
        "assignments.jsonl:1: an assignment that is judged holds a slot, any other holds none",
    ),
    "a slot that is not there": (
        lambda data: changed(data, "assignments.jsonl", '"state":"judged","slot":0', '"state":"judged","slot":7'),
        "assignments.jsonl:63: there is no judged slot first 1 d4 7 in the bundle",
    ),
    "a judgment of no assignment": (
        lambda data: changed(data, "judgments.jsonl", '"reading":1', '"reading":5'),
        "judgments.jsonl:1: there is no assignment first g G00 Amber 5 in the bundle",
    ),
    "gold without a grade": (
        lambda data: changed(data, "gold.jsonl", '"grade":1', '"grade":null'),
        "gold.jsonl:1: gold that is set has a grade, gold that is withdrawn has none",
    ),
    "a withdrawal with a grade": (
        lambda data: changed(
            data, "adjudications.jsonl", '"action":"withdraw","grade":null', '"action":"withdraw","grade":1'
        ),
        "adjudications.jsonl:3: a decision has a grade, one that is withdrawn has none",
    ),
    "another count in a snapshot": (
        lambda data: changed(data, "snapshots.jsonl", '"n_topics":2', '"n_topics":3'),
        "snapshots.jsonl: the snapshot first: its qrels have 2 topics and ",
    ),
    "another count in a run": (
        lambda data: changed(data, "runs.jsonl", '"n_rows":4', '"n_rows":5'),
        "runs.jsonl:1: the run bm25: its file says other counts or another tag",
    ),
    "file that is missing": (lambda data: without(data, f"files/{run_of(data)}"), "runs.jsonl:1: the file "),
    "inputs that are none": (
        lambda data: instead(data, "inputs_sha256", run_of(data)),
        "snapshots.jsonl: the snapshot first: its inputs cannot be read (not the frozen inputs of a snapshot)",
    ),
}


BY_ROWS: Faults = {  # refused by what has been stored by then
    "the same revision twice": (
        lambda data: changed(data, "judgments.jsonl", '"revision":2', '"revision":1'),
        "judgments.jsonl:1: in the rows from here to line 69: ",
    ),
    "the same pseudonym twice": (
        lambda data: changed(data, "annotators.jsonl", '"Birch"', '"Amber"'),
        "annotators.jsonl:1: in the rows from here to line 6: ",
    ),
    "snapshot with other qrels": (
        lambda data: instead(data, "qrels_sha256", value_of(data, "snapshots.jsonl", 2, "qrels_sha256")),
        "snapshots.jsonl: the snapshot first: Rebuilding gives other qrels.",
    ),
}


def refused_by_member_and_line(faults: Faults) -> None:
    """One collection for all: making it takes longer than refusing bundles of it."""
    data = bundle_of(make_full().collection)
    errors = {name: bring(make(data)).error for name, (make, _) in faults.items()}
    wrong = {name: error for name, error in errors.items() if not error.startswith(faults[name][1])}
    assert wrong == {}
    assert (Collection.objects.count(), Import.objects.count()) == (1, 0)
    assert Judgment.objects.count() == 69


@pytest.mark.alike("refused by what its rows say; one refused by what is stored is swept there")
def test_refused_by_member_and_line() -> None:
    refused_by_member_and_line(FAULTS)


def test_refused_by_what_is_stored() -> None:
    refused_by_member_and_line(BY_ROWS)


@pytest.mark.alike("refused by what its rows say; one refused by what is stored is swept there")
def test_a_file_that_no_row_names_is_refused() -> None:
    data = bundle_of(make_full().collection)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members["bundle.json"])
    members["runs.jsonl"] = b""
    manifest["members"]["runs.jsonl"] |= {
        "size": 0,
        "rows": 0,
        "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    }
    members["bundle.json"] = json.dumps(manifest).encode()
    assert bring(packed(members)).error == f"files/{run_of(data)}: no row names this file"


@pytest.mark.alike("refused by what its rows say; one refused by what is stored is swept there")
@pytest.mark.parametrize(
    ("watch", "reason"),
    [
        ({"good": 2}, "must lie between 0.02 and 0.99"),
        ({"good": "2"}, "good must be a number"),
        ({"bees": 2}, "there is no setting 'bees'"),
    ],
)
def test_settings_that_make_no_watch_are_refused(watch: dict[str, object], reason: str) -> None:
    data = bundle_of(make_full(guided=False).collection)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members["bundle.json"])
    manifest["collection"]["watch"] = watch
    members["bundle.json"] = json.dumps(manifest).encode()
    assert bring(packed(members)).error == f"bundle.json: collection: watch: {reason}"


def queued(data: bytes, *, slug: str = "copy") -> Job:
    person = make_user("newcomer")
    return start_arrival(io.BytesIO(data), filename="bees.zip", slug=slug, created_by=person, publish=True)


def test_while_it_is_brought_nobody_sees_it() -> None:
    data = bundle_of(make_full().collection)
    job, seen = queued(data), list[tuple[int, int]]()
    run = claim_job()
    assert run is not None

    def look(_done: int, _total: int, _message: str) -> None:
        mine = Collection.objects.filter(memberships__user__username="newcomer").count()
        seen.append((mine, Collection.objects.filter(slug="copy").count()))

    run.watch = look
    assert run_job(run).state == Job.State.DONE
    assert len(seen) > 20
    assert set(seen) == {(0, 0)}
    assert Collection.objects.filter(slug="copy", memberships__user__username="newcomer").count() == 1
    job.refresh_from_db()
    assert job.result["collection"] == "copy"


def interrupted(run: JobRun, *, after: int) -> None:
    """The worker is lost after so many reports: nothing is tidied up."""
    calls = iter(range(after))

    def watch(_done: int, _total: int, _message: str) -> None:
        if next(calls, None) is None:
            raise KeyboardInterrupt

    run.watch = watch
    with pytest.raises(KeyboardInterrupt):
        run_job(run)


@pytest.mark.parametrize("after", [2, 9, 16, 21])
def test_a_lost_worker_s_job_is_done_by_the_next(after: int) -> None:
    worked = make_full()
    data = bundle_of(worked.collection)
    job = queued(data)
    run = claim_job()
    assert run is not None
    interrupted(run, after=after)
    assert Collection.objects.filter(slug__startswith="importing-").count() == 1
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED, lease_until=None)
    again = claim_job()
    assert again is not None
    assert run_job(again).state == Job.State.DONE
    copy = Collection.objects.get(slug="copy")
    assert bundle_of(copy)[:1000] == bundle_of(worked.collection)[:1000]
    assert Collection.objects.count() == 2
    assert Document.objects.filter(collection=copy).count() == worked.collection.documents.count()


def test_a_job_done_twice_stores_once() -> None:
    """The worker was lost between the flip and its word that it is done."""
    job = queued(bundle_of(make_full().collection))
    run = claim_job()
    assert run is not None
    run_job(run)
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED, lease_until=None)
    again = claim_job()
    assert again is not None
    assert run_job(again).state == Job.State.DONE
    assert Collection.objects.count() == 2


def test_what_a_cancelled_job_has_staged_is_swept() -> None:
    worked = make_full()
    job = queued(bundle_of(worked.collection))
    run = claim_job()
    assert run is not None
    interrupted(run, after=15)
    assert sweep_staged() == 0
    ask_cancel(job)
    Job.objects.filter(pk=job.pk).update(state=Job.State.CANCELLED, lease_until=None)
    assert sweep_staged() == 1
    assert list(Collection.objects.all()) == [worked.collection]
    assert Annotator.objects.exclude(collection=worked.collection).count() == 0


def test_a_collection_that_has_members_is_never_swept() -> None:
    collection = make_full().collection
    Collection.objects.filter(pk=collection.pk).update(slug="importing-" + "x" * 22)
    collection.memberships.create(user=User.objects.get(username="lead"), role="admin")
    assert sweep_staged() == 0
    assert Collection.objects.count() == 1


def test_a_name_taken_meanwhile_is_refused() -> None:
    data = bundle_of(make_full().collection)
    queued(data)
    run = claim_job()
    assert run is not None

    def take(_done: int, _total: int, message: str) -> None:
        if message == "Rebuilding what was frozen":
            with transaction.atomic():
                Collection.objects.create(slug="copy", name="Another")

    run.watch = take
    assert run_job(run).error == "The short name copy was taken just now. Choose another one."
    assert Collection.objects.count() == 2
    assert Import.objects.count() == 0


def test_a_file_gone_from_transit_is_asked_for_again() -> None:
    job = queued(bundle_of(make_full().collection))
    file = transit_path(job.payload["sha256"])
    assert file is not None
    file.unlink()
    run = claim_job()
    assert run is not None
    assert run_job(run).error == "The file has been waiting for too long and is gone. Please upload it again."
