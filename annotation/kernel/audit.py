"""The audit log: who did what. Call it inside the transaction that makes the change."""

from django.db.models import Max

from annotation.models import AuditEvent, Collection, User

MOST_CHARACTERS = 200  # of a reason; the row that it belongs to has all of it


def record_audit(
    verb: str,
    *,
    actor: User | None,
    collection: Collection | None,
    subject: str = "",
    **detail: str | int | float | bool | None,
) -> AuditEvent:
    """Append one event. `verb` in the past tense with the noun first ("batch opened"); reasons cut, no secrets."""
    return AuditEvent.objects.create(
        collection=collection, actor=actor, verb=verb, subject=subject[:200], detail=detail
    )


def newest_audit(collection: Collection) -> int:
    """The key of the last event; 0 where there is none. Drafts, gold, people and texts change by audited steps."""
    newest: int | None = AuditEvent.objects.filter(collection=collection).aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def short_texts(**texts: str) -> dict[str, str]:
    """Texts as details: each on one line, cut, and left out where there is none."""
    lines = {name: " ".join(text.split()) for name, text in texts.items()}
    return {name: _cut(line) for name, line in lines.items() if line}


def _cut(line: str) -> str:
    return line if len(line) <= MOST_CHARACTERS else f"{line[: MOST_CHARACTERS - 1]}…"
