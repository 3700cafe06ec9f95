"""A pair to decide on, as far as the person may see it, in words and as facts for programs."""

from collections.abc import Iterator

from django.utils import timezone

from annotation.judging.read.card_documents import text_of
from annotation.models import Item, User
from annotation.review.read.adjudication import PairFile, pair_file, pair_state

SHOWN = 600  # characters of the document, in words


def pair_facts(item: Item, person: User) -> dict[str, object]:
    """`said` is None until the person has graded the pair blind, or looked."""
    state, version = pair_state(item, person, moment=timezone.now()), item.document_version
    return {
        "number": item.topic.number,
        "docno": item.document.docno,
        "stage": state.stage,
        "held_by": state.holder.reader.username if state.holder else "",
        "own_grade": state.reading.grade if state.reading else None,
        "based_on": len(state.decisions),
        "title": version.title if version else "",
        "text": text_of(version) if version else None,
        "said": _file_words(pair_file(item)) if state.seen else None,
    }


def pair_words(item: Item, person: User) -> str:
    return "\n".join(_lines(item, person))


def _file_words(file: PairFile) -> dict[str, object]:
    return {
        "judgments": [
            {"annotator": each.judgment.annotator.pseudonym, "grade": each.judgment.grade, "quote": each.quote}
            | {"comment": each.judgment.comment}
            for each in file.judgments
        ],
        "skips": [
            {"annotator": each.annotator.pseudonym, "reason": each.skip_reason, "note": each.skip_note}
            for each in file.skips
            if each.annotator is not None
        ],
        "decisions": [
            {"action": each.action, "grade": each.grade, "blind_grade": each.blind_grade, "reason": each.reason}
            | {"decided_by": each.created_by.username}
            for each in file.decisions
        ],
    }


def _lines(item: Item, person: User) -> Iterator[str]:
    state, version = pair_state(item, person, moment=timezone.now()), item.document_version
    yield f"topic {item.topic.number}, document {item.document.docno}: {state.stage}; based on {len(state.decisions)}"
    if state.holder:
        yield f"  {state.holder.reader.username} decides on it now"
    if item.topic_version:
        yield f"  topic: {item.topic_version.title}"
    if version:
        text = text_of(version)
        yield f"  document: {text[:SHOWN]}{' …' if len(text) > SHOWN else ''}"
    if not state.seen:
        return
    file = pair_file(item)
    for each in file.judgments:
        comment = f": {each.judgment.comment}" if each.judgment.comment else ""
        yield f"  {each.judgment.annotator.pseudonym} gave {each.judgment.grade}{comment}"
    for decision in file.decisions:
        yield f"  {decision.created_by.username}: {decision.action} {decision.grade}: {decision.reason}"
