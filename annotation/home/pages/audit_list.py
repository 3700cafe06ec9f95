"""The audit log as a list: the newest first, for it may be long."""

from collections.abc import Sequence

from django.utils.timezone import get_current_timezone_name

from annotation.kernel.list_columns import moments, people, texts
from annotation.kernel.listing import Listing, Only
from annotation.models import AuditEvent


def audit_list(verbs: Sequence[str]) -> Listing[AuditEvent]:
    """`verbs`: those that occur."""
    return Listing(
        "Audit",
        (
            moments(
                f"When ({get_current_timezone_name()})", "when", lambda event: event.created_at, form="j M Y, H:i:s"
            ),
            people("Who", "who", lambda event: event.actor, nobody="Touchstone"),
            texts("What", "what", lambda event: event.verb, is_narrow=True),
            texts("Of", "of", lambda event: event.subject, is_long=True),
            texts("Detail", "detail", _details, is_long=True),
        ),
        search=("subject", "actor__username"),
        hint="Who, or of what",
        filters=(Only("verb", "Only", "verb", [(verb, verb) for verb in verbs]),),
    )


def _details(event: AuditEvent) -> str:
    return ", ".join(f"{name}: {value}" for name, value in event.detail_rows)
