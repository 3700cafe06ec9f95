"""The list of what people object to."""

from django.template.defaultfilters import truncatechars
from django.urls import reverse

from annotation.kernel.list_columns import linked, listed, moments, texts
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.page_tables import UNKNOWN
from annotation.kernel.tables import Cell, Kind, Shown
from annotation.models import Appeal, Collection
from annotation.review.pages.gold_tables import OBJECTIONS

SHOWN = 200  # characters of what was said
TONES = {Appeal.State.OPEN: "warn", Appeal.State.UPHELD: "ok", Appeal.State.DECLINED: "plain"}


def objection_list(collection: Collection) -> Listing[Appeal]:
    """Of `appeals_of`."""

    def topic(appeal: Appeal) -> str:
        return reverse("topic", args=[collection.slug, appeal.topic.number])

    def document(appeal: Appeal) -> str:
        return reverse("document", args=[collection.slug, appeal.document.docno])

    def annotator(appeal: Appeal) -> str:
        return reverse("annotator", args=[collection.slug, appeal.annotator.pseudonym])

    of = {column.name: column for column in OBJECTIONS.columns}
    docno = linked("Docno", "docno", of["docno"].get, document, kind=Kind.ID, by="document__docno", look="docno")
    return Listing(
        "Objections",
        (
            linked("Topic", "number", of["number"].get, topic, kind=Kind.ID, by="topic__number", look="fit code"),
            docno,
            linked("Annotator", "annotator", of["annotator"].get, annotator, by="annotator__pseudonym", look="fit"),
            texts("Batch", "batch", lambda appeal: appeal.feedback.batch.name, is_folded=True),
            listed(
                of["told_grade"],
                by="told_grade",
                shown=Shown("Told", meaning="the gold grade that the person was told"),
            ),
            _words_column("reason", "Reason"),
            listed(of["state"], by="state", look="fit", shown=Shown("State", _state, is_numeric=False)),
            _words_column("answer", "Answer"),
            moments("On", "made_at", lambda appeal: appeal.created_at, by="created_at", form="j M Y"),
            moments(
                "Answered",
                "answered_at",
                lambda appeal: appeal.answered_at,
                by="answered_at",
                form="j M Y",
                is_folded=True,
            ),
        ),
        search=("topic__number", "document__docno", "annotator__pseudonym", "reason", "answer"),
        hint="Topic, docno, who or text",
        filters=(Only("state", "State", "state", Appeal.State.choices),),
        nothing="No objection is like that.",
        deeds="annotation/review/gold_appeal_deeds.html",
        deeds_named="Answer",
    )


def _words_column(name: str, head: str) -> Listed[Appeal]:
    """Its beginning on the page, all of it in the file."""

    def text(appeal: Appeal) -> str:
        words: str = getattr(appeal, name)
        return words

    shown = Shown[Appeal](head, lambda appeal: Cell(truncatechars(text(appeal), SHOWN) or UNKNOWN), is_numeric=False)
    return Listed(name, text, look="wide", shown=shown)


def _state(appeal: Appeal) -> Cell:
    return Cell(appeal.get_state_display().lower(), tone=TONES[Appeal.State(appeal.state)])
