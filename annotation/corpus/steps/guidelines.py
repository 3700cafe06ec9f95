"""The guideline: versions by the hash of their text, one of them current."""

from collections.abc import Sequence
from typing import TypedDict

from django.db import transaction
from django.db.models import Max

from annotation.formats.identity import sha256_of
from annotation.kernel.audit import record_audit
from annotation.models import Case, Collection, GuidelineVersion, Participation, User


class GuidelineText(TypedDict):
    introduction: str
    examples: str
    edge_cases: str


FIRST_GUIDELINE = GuidelineText(
    introduction="""\
Read the topic first: its title, its description, and its narrative, which says what counts and what does not. \
Then read the document and ask: **how much would this document help someone who wants to know this?**

- Judge what the document says, not how well it is written or whether you agree with it.
- Judge each document by itself. That you have read the same thing before does not make it worth less.
- Judge the document as a whole: one good paragraph in a long text can be enough.
- Do not look things up. If the document leaves you in doubt, that is its weakness.""",
    examples="""\
For the topic “How are bees kept through the winter?”:

- A page on wintering hives, with feeding, insulation and mites, answers it fully.
- A page on mites that says in passing what they do in winter answers a part.
- A page on the anatomy of bees mentions bees, and does not help.""",
    edge_cases="""\
- **Torn between two grades:** take the lower one.
- **The document repeats the topic's words, but says nothing about it:** the lowest grade.
- **The document only points to where the answer is:** it touches the topic; it does not answer it.
- **The document is broken, empty or in a language you do not read:** skip it and say why.""",
)


class GuidelineMovedError(Exception):
    """Someone else made version `number` current meanwhile; saving would silently undo that."""

    def __init__(self, number: int) -> None:
        super().__init__(f"version {number} is current")
        self.number = number


@transaction.atomic
def revise_guideline(
    collection: Collection,
    *,
    introduction: str,
    examples: str,
    edge_cases: str,
    cases: Sequence[Case] = (),
    actor: User | None,
    based_on: int | None = None,
) -> GuidelineVersion:
    """Make this text current: a version is stored only for a text the collection has not had.

    Going back to an old text makes its old version current again, under its old number: what judgments were made under
    stays one thing. `based_on` is the number of the version that was edited; raises `GuidelineMovedError` if it is not
    current any more.
    """
    text = GuidelineText(introduction=introduction, examples=examples, edge_cases=edge_cases)
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if based_on is not None and locked.guideline and locked.guideline.number != based_on:
        raise GuidelineMovedError(locked.guideline.number)
    version = _version(collection, text, cases, actor)
    collection.guideline = version
    if locked.guideline_id != version.pk:
        collection.save(update_fields=["guideline"])
        _ask_all_anew(collection)
        record_audit("guideline revised", actor=actor, collection=collection, subject=f"version {version.number}")
    return version


def _ask_all_anew(collection: Collection) -> None:
    """A version that comes back may be what somebody was once cleared for who has acknowledged another since."""
    cleared = Participation.objects.filter(batch__collection=collection).exclude(cleared_for="")
    cleared.update(cleared_for="")


def guideline_sha256(text: GuidelineText, cases: Sequence[Case] = ()) -> str:
    """Of texts and worked examples. A guideline without examples has the hash that it had before there were any."""
    texts = {"introduction": text["introduction"], "examples": text["examples"], "edge_cases": text["edge_cases"]}
    return sha256_of({**texts, "cases": [_fields(case) for case in cases]} if cases else texts)


def _fields(case: Case) -> dict[str, str | int]:
    return {"topic": case["topic"], "document": case["document"], "grade": case["grade"], "reason": case["reason"]}


def _version(
    collection: Collection, text: GuidelineText, cases: Sequence[Case], actor: User | None
) -> GuidelineVersion:
    versions = GuidelineVersion.objects.filter(collection=collection)
    last = versions.aggregate(last=Max("number"))["last"] or 0
    return GuidelineVersion.objects.get_or_create(
        collection=collection,
        sha256=guideline_sha256(text, cases),
        defaults={**text, "cases": list(cases), "number": last + 1, "created_by": actor},
    )[0]
