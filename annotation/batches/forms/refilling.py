"""The form of a batch shown again with some of it filled in by a button: a preset, or people."""

from django.http import QueryDict

from annotation.batches.forms.batches import BatchForm
from annotation.batches.forms.presets import PRESETS
from annotation.batches.read.last_round import believed_in, last_round
from annotation.models import Collection

BUTTONS = ("preset", "people", "refill")  # names of buttons that store nothing
BELIEVED, NOBODY = "believed", "nobody"
SEVERAL = "annotators"


def is_refill(data: QueryDict) -> bool:
    return any(name in data for name in BUTTONS)


def refilled(data: QueryDict, collection: Collection) -> dict[str, object]:
    """What the form shows: what was entered, whether it is right or not, with what the button fills in."""
    entered: dict[str, object] = {name: data[name] for name in BatchForm.base_fields if name in data}
    entered |= {"everybody": "everybody" in data, SEVERAL: data.getlist(SEVERAL)}
    return entered | preset_of(data) | _people(data, collection)


def preset_of(data: QueryDict) -> dict[str, object]:
    """What the preset that the address or a button names sets; nothing, where there is none of the name."""
    preset = PRESETS.get(data.get("preset", ""))
    return dict(preset.sets) if preset else {}


def _people(data: QueryDict, collection: Collection) -> dict[str, object]:
    chosen = data.get("people")
    if chosen == NOBODY:
        return {"everybody": False, SEVERAL: []}
    batch = last_round(collection) if chosen == BELIEVED else None
    return {"everybody": False, SEVERAL: [person.pk for person in believed_in(batch)]} if batch else {}
