"""HTML documents in a bundle: sanitised on their way in, as those of an import, whoever made the bundle."""

from typing import Any

import pytest

from annotation.formats.documents.html import MOST_HTML, sanitised_again
from annotation.formats.identity import sha256_of
from annotation.models import Collection, Document, DocumentVersion, Import, Item, Job
from tests.annotation.exchange.steps.bundle_work import bring, bundle_of, make_full

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

WILD = '<p onclick="steal()">Bees <script>alert(1)</script><a href="http://elsewhere.example">make</a> honey'
TAME = "<p>Bees make honey</p>"


def content(html: str) -> dict[str, Any]:
    return {"title": "Bees", "text": html, "fields": {}, "form": "html"}


def with_html(html: str, *, docno: str = "d1") -> Collection:
    """A collection whose document is this HTML, however it came there; a batch shows it."""
    collection = make_full().collection
    text = content(html)
    DocumentVersion.objects.filter(document__docno=docno).update(**text, sha256=sha256_of(text))
    return collection


def brought(html: str) -> tuple[Job, DocumentVersion | None]:
    job = bring(bundle_of(with_html(html)))
    return job, DocumentVersion.objects.filter(collection__slug="copy", document__docno="d1").first()


def test_what_is_wild_is_sanitised_and_has_a_hash_of_its_own() -> None:
    job, version = brought(WILD)
    assert (job.state, version is not None) == (Job.State.DONE, True)
    assert version is not None
    assert (version.text, version.sha256) == (TAME, sha256_of(content(TAME)))
    shown = Item.objects.get(collection__slug="copy", document__docno="d1")
    assert shown.document_version == version
    notes = Import.objects.get(collection__slug="copy").preview["notes"]
    assert notes == ["the HTML of 1 text was sanitised anew"]


@pytest.mark.alike("sanitised before a row is written")
def test_what_is_sanitised_stays_as_it_is() -> None:
    _, version = brought(TAME)
    assert version is not None
    assert (version.text, version.sha256) == (TAME, sha256_of(content(TAME)))
    assert Import.objects.get(collection__slug="copy").preview["notes"] == []


@pytest.mark.alike("refused by what its rows say; one refused by what is stored is swept there")
@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<div>" * 101, "nested deeper than 100 levels"),
        ("<script>" + "x" * MOST_HTML, f"HTML longer than the limit of {MOST_HTML} bytes"),
    ],
)
def test_what_no_import_takes_is_refused(html: str, reason: str) -> None:
    job, _ = brought(html)
    line = 1 + list(Document.objects.order_by("pk").values_list("docno", flat=True)).index("d1")
    assert (job.state, job.error) == ("failed", f"document_versions.jsonl:{line}: document d1: {reason}")
    assert not Collection.objects.filter(slug="copy").exists()


def test_what_an_import_has_made_is_taken_though_it_grew() -> None:
    """`&` and `<` of a file within the limit are five and four times as long once they are sanitised."""
    grown = f"<p>{'&amp;' * (MOST_HTML // 4)}</p>"
    assert len(grown) > MOST_HTML
    assert sanitised_again(grown) == grown
