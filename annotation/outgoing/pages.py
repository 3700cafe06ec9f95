"""The lists of recipients, and of messages with what became of each."""

from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotation.kernel.list_columns import moments, numbers, people, texts
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.tables import Cell, Shown
from annotation.models import Delivery, Recipient

TONES = {Delivery.State.WAITING: "info", Delivery.State.SENT: "ok", Delivery.State.FAILED: "bad"}


def recipient_list() -> Listing[Recipient]:
    """Of `recipients_of`."""
    return Listing(
        "Recipients",
        (
            texts("Address", "address", lambda each: each.address, by="address", look="code wide"),
            texts("Kind", "kind", lambda each: each.get_kind_display().lower(), by="kind", is_narrow=True),
            texts("Hears", "hears", lambda each: "everything" if each.everything else "alerts of series"),
            people("By", "by", lambda each: each.created_by, by="created_by"),
            moments("Since", "since", lambda each: each.created_at, by="created_at", form="j M Y"),
            moments("Ended", "ended", lambda each: each.ended_at, by="ended_at", form="j M Y"),
        ),
        search=("address",),
        hint="Address",
        filters=(
            Only("kind", "Kind", "kind", Recipient.Kind.choices),
            Only("ended", "Ended", "has_ended", [("False", "no"), ("True", "yes")]),
        ),
        is_out=lambda each: each.ended_at is not None,
        nothing="No recipient is like that.",
        deeds="annotation/outgoing/recipient_deeds.html",
        deeds_named="Test or end",
        heading_id="recipients",
        prefix="to-",
    )


def delivery_list() -> Listing[Delivery]:
    """Of `deliveries_of`."""
    return Listing(
        "Messages",
        (
            moments("Written", "written", lambda each: each.created_at, by="created_at", form="j M, H:i:s"),
            texts("Message", "message", lambda each: each.subject, by="subject"),
            texts("To", "to", lambda each: each.recipient.address, by="recipient__address", look="code wide"),
            Listed("state", lambda each: each.state, by="state", shown=Shown("State", _state, is_numeric=False)),
            numbers("Tries", "tries", lambda each: each.n_tries, by="n_tries"),
            texts("Answer", "answer", lambda each: each.answer),
        ),
        search=("subject", "recipient__address", "answer"),
        hint="Message, address or answer",
        filters=(Only("state", "State", "state", Delivery.State.choices),),
        nothing="No message is like that.",
        heading_id="deliveries",
    )


def _state(each: Delivery) -> Cell:
    text = each.get_state_display().lower()
    return Cell(text, _moment(each), tone=TONES[Delivery.State(each.state)])


def _moment(each: Delivery) -> str:
    return date_format(localtime(each.next_try), "j M, H:i") if each.next_try else ""
