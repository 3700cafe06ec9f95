"""The list of messages, with what became of each."""

from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotation.kernel.listing import Listed, Listing, Only, moments, numbers, texts
from annotation.kernel.tables import Cell, Shown
from annotation.models import Delivery

TONES = {Delivery.State.WAITING: "info", Delivery.State.SENT: "ok", Delivery.State.FAILED: "bad"}


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
        look="stacked",
        under="deliveries",
    )


def _state(each: Delivery) -> Cell:
    text = each.get_state_display().lower()
    return Cell(text, _moment(each), tone=TONES[Delivery.State(each.state)])


def _moment(each: Delivery) -> str:
    return date_format(localtime(each.next_try), "j M, H:i") if each.next_try else ""
