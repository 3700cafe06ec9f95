"""What is out of range: grades that the scale does not have, evidence behind the end of a text.

Grades below the scale mean "cannot judge", grades above it are of a longer scale.
"""

from collections.abc import Iterable, Mapping

from django.db.models.functions import Length

from annotation.exchange.steps.importing.judgments.columns import JudgmentColumns
from annotation.exchange.steps.importing.judgments.storing import texts_here
from annotation.exchange.steps.importing.texts import DOCUMENTS
from annotation.formats.grade_map import parse_grade_map
from annotation.formats.problems import Problems
from annotation.judging.read.card_documents import text_of
from annotation.models import Collection, DocumentVersion, ScaleVersion

SHOWN = 5
AT_ONCE = 20  # HTML documents in memory


def refuse_beyond(grade_map: str, *, scale: ScaleVersion, problems: Problems) -> None:
    """A map that makes a grade one above the scale is a mistake: for what nobody could judge there is `cannot`."""
    beyond = [f"{word}={worth}" for word, worth in parse_grade_map(grade_map).items() if worth > scale.top]
    if beyond:
        problems.add(0, f"the map says {', '.join(beyond[:SHOWN])}, and {_span(scale)}; who could not judge is cannot")


def note_beyond(tally: Mapping[int, int], *, scale: ScaleVersion, problems: Problems) -> None:
    """Grades above the scale count as "cannot judge"; whoever means something else has to say what they are worth."""
    beyond = [f"{grade} ({n:,})" for grade, n in sorted(tally.items()) if grade > scale.top]
    if beyond:
        why = f"{_span(scale)}. Say what they are worth here if they are grades"
        problems.note(0, f"above the scale, so taken as cannot judge: {', '.join(beyond[:SHOWN])}; {why}")


def _span(scale: ScaleVersion) -> str:
    return f"the scale here goes from {scale.bottom} to {scale.top}"


def fit_evidence(collection: Collection, columns: JudgmentColumns, problems: Problems) -> None:
    """Leave out what ends behind the document that is here; of documents without a text here nothing is known."""
    docnos = list(columns.docnos)
    docno_by_row = {row: docnos[columns.document[row]] for row in columns.evidence}
    texts = texts_here(collection, DOCUMENTS, set(docno_by_row.values()))
    versions = {docno: version for docno, (_, version) in texts.items()}
    lengths = _lengths(version for version in versions.values() if version is not None)
    beyond = [
        row
        for row, docno in docno_by_row.items()
        if (version := versions.get(docno)) is not None and columns.evidence[row][1] > lengths[version]
    ]
    for row in beyond:
        del columns.evidence[row]
    if beyond:
        problems.note(0, f"evidence behind the end of the document that is here, left aside: {len(beyond)}")


def _lengths(versions: Iterable[int]) -> dict[int, int]:
    """Of the texts in which places are counted."""
    rows = DocumentVersion.objects.filter(pk__in=list(versions))
    plain = rows.exclude(form=DocumentVersion.Form.HTML).annotate(length=Length("text"))
    html = rows.filter(form=DocumentVersion.Form.HTML).iterator(chunk_size=AT_ONCE)
    return dict(plain.values_list("pk", "length")) | {version.pk: len(text_of(version)) for version in html}
