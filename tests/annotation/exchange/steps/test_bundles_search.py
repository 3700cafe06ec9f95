"""The search among the documents of a bundle: whole once the collection is there, and nothing of a refused one."""

import io
from collections.abc import Callable

import pytest

from annotation.corpus.read.document_search import has_whole_index
from annotation.corpus.read.texts import found_documents
from annotation.corpus.steps.document_index import index_documents, sweep_document_index
from annotation.exchange.steps.bundles import start_arrival
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, Job
from tests.annotation.corpus.test_document_search import n_in_index
from tests.annotation.exchange.steps.bundle_work import bundle_of, changed, tell_identities
from tests.factories import make_collection, make_document, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]

N_DOCUMENTS = 5


def sweep_of_before() -> None:
    """As the worker did that knew of no collection on its way in."""
    for collection in Collection.objects.all():
        index_documents(collection)


@pytest.fixture(params=[sweep_document_index, sweep_of_before])
def sweep(request: pytest.FixtureRequest) -> Callable[[], object]:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def bundle(monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr("annotation.exchange.steps.bundles.bundle_importer.PORTION", 2)
    collection = make_collection()
    for n in range(N_DOCUMENTS):
        make_document(collection, docno=f"d{n}", text=f"bees {n}")
    tell_identities(collection)
    return bundle_of(collection)


def bring(data: bytes, sweep: Callable[[], object]) -> Job:
    """The worker's sweep comes before each portion is stored."""
    start_arrival(io.BytesIO(data), filename="bees.zip", slug="copy", created_by=make_user("newcomer"), publish=True)
    run = claim_job()
    assert run is not None

    def watch(_done: int, _total: int, _message: str) -> None:
        sweep()

    run.watch = watch
    return run_job(run)


def test_every_text_of_a_bundle_is_found(bundle: bytes, sweep: Callable[[], object]) -> None:
    assert bring(bundle, sweep).state == Job.State.DONE
    copy = Collection.objects.get(slug="copy")
    assert (has_whole_index(copy), found_documents(copy, "bee").count()) == (False, N_DOCUMENTS)
    sweep_document_index()
    assert (has_whole_index(copy), found_documents(copy, "bee").count()) == (True, N_DOCUMENTS)


def test_a_refused_bundle_leaves_nothing_in_the_index(bundle: bytes, sweep: Callable[[], object]) -> None:
    bad = changed(bundle, "document_versions.jsonl", "bees 4", "bees 9")
    assert bring(bad, sweep).state == Job.State.FAILED
    assert n_in_index("bees") == N_DOCUMENTS  # those of the collection that the bundle is of
