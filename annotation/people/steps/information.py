"""What people are told before they take part: versions by the hash of their text, each chosen by batches."""

from django.db import transaction
from django.db.models import Max

from annotation.formats.identity import sha256_of
from annotation.kernel.audit import record_audit
from annotation.models import Batch, Collection, InformationVersion, User

FIRST_INFORMATION = """\
# What you are asked to do

You read short texts and say how well each of them answers a question. You may stop at any time and go on later.

# What is kept

Each grade with its time, your comments, and how long a text lay open. They are kept under a pseudonym; only those who \
lead this collection can tell whose it is.

# What becomes of it

The grades are used to measure how well systems find texts. They may be published under the pseudonym, never under \
your name.

# Your choice

Taking part is voluntary, and nobody takes it amiss if you decline. If you have a question, ask whoever invited you.
"""


@transaction.atomic
def revise_information(collection: Collection, *, text: str, based_on: int, actor: User | None) -> InformationVersion:
    """Store the text, if the collection has not had it; the batches that had version `based_on` have this one now.

    Whoever judges in them is asked anew before the next card. Batches that are closed keep what people agreed to.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    version = _version(collection, text, actor)
    batches = Batch.objects.filter(collection=collection, information__number=based_on)
    moved = batches.exclude(state=Batch.State.CLOSED).exclude(information=version).update(information=version)
    record_audit(
        "information revised", actor=actor, collection=collection, subject=f"version {version.number}", batches=moved
    )
    return version


def information_sha256(text: str) -> str:
    return sha256_of({"text": text})


def _version(collection: Collection, text: str, actor: User | None) -> InformationVersion:
    versions = InformationVersion.objects.filter(collection=collection)
    last = versions.aggregate(last=Max("number"))["last"] or 0
    return InformationVersion.objects.get_or_create(
        collection=collection,
        sha256=information_sha256(text),
        defaults={"text": text, "number": last + 1, "created_by": actor},
    )[0]
