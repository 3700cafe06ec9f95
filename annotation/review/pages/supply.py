"""The list of people with the gold that is left for each."""

from django.urls import reverse

from annotation.gold.read.supply import PersonSupply
from annotation.kernel.list_columns import linked, listed
from annotation.kernel.listing import Listing, Only
from annotation.kernel.page_tables import UNKNOWN
from annotation.kernel.tables import Cell, Shown
from annotation.models import Collection
from annotation.review.pages.gold_tables import SUPPLY

STATES = ("has enough", "on the way", "needs another batch", "cannot reach it")


def supply_list(collection: Collection) -> Listing[PersonSupply]:
    """Of a supply's people."""

    def address(person: PersonSupply) -> str:
        return reverse("annotator", args=[collection.slug, person.pseudonym])

    of = {column.name: column for column in SUPPLY}
    return Listing(
        "Gold supply",
        (
            linked("Annotator", "annotator", lambda person: person.pseudonym, address, by="pseudonym"),
            listed(of["state"], by="state", shown=Shown("Gold", _state, is_numeric=False)),
            listed(of["wanted"], is_folded=True, shown=Shown("Wanted")),
            listed(of["judged"], by="n_judged", shown=Shown("Judged")),
            listed(of["to_come"], by="n_ahead", shown=Shown("To come")),
            listed(of["left"], by="n_left", shown=Shown("Left")),
            listed(of["missing"], by="n_missing", shown=Shown("Missing", _missing)),
        ),
        search=("pseudonym",),
        hint="Annotator",
        filters=(Only("gold", "Gold", "state", [(state, state) for state in STATES]),),
        nothing="Nobody is like that.",
        heading_id="people",
    )


def _state(person: PersonSupply) -> Cell:
    return Cell(person.state, tone=person.tone or "plain")


def _missing(person: PersonSupply) -> Cell:
    return Cell(str(person.n_missing) if person.n_missing else UNKNOWN)
