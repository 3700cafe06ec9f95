"""Evidence of judgments made elsewhere: kept where the text that is here is long enough to have it."""

from collections.abc import Iterable

from django.db.models.functions import Length

from annotation.exchange.steps.importing.judgments.columns import Gathered
from annotation.exchange.steps.importing.judgments.storing import documents_here
from annotation.formats.problems import Problems
from annotation.judging.read import text_of
from annotation.models import Collection, DocumentVersion

AT_ONCE = 20  # HTML documents in memory


def fit_evidence(collection: Collection, gathered: Gathered, problems: Problems) -> None:
    """Leave out what ends behind the document that is here; of documents without a text here nothing is known."""
    docnos = list(gathered.docnos)
    docno_by_row = {row: docnos[gathered.document[row]] for row in gathered.evidence}
    versions = {
        docno: version for docno, (_, version) in documents_here(collection, set(docno_by_row.values())).items()
    }
    lengths = _lengths(version for version in versions.values() if version is not None)
    beyond = [
        row
        for row, docno in docno_by_row.items()
        if (version := versions.get(docno)) is not None and gathered.evidence[row][1] > lengths[version]
    ]
    for row in beyond:
        del gathered.evidence[row]
    if beyond:
        problems.note(0, f"evidence behind the end of the document that is here, left aside: {len(beyond)}")


def _lengths(versions: Iterable[int]) -> dict[int, int]:
    """Of the texts in which places are counted."""
    rows = DocumentVersion.objects.filter(pk__in=list(versions))
    plain = rows.exclude(form=DocumentVersion.Form.HTML).annotate(length=Length("text"))
    html = rows.filter(form=DocumentVersion.Form.HTML).iterator(chunk_size=AT_ONCE)
    return dict(plain.values_list("pk", "length")) | {version.pk: len(text_of(version)) for version in html}
