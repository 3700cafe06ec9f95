"""What `bundle.json` says of a collection: columns by name, and its current scale and guideline."""

from annotation.formats.bundle.rows import CollectionFacts
from annotation.models import Collection

SETTINGS = ("watch", "pausing", "alerts")  # null in a bundle where they are the built-in ones
LATER = ("slug", "scale", "guideline")  # what a collection gets once all its rows are there


def facts_of(collection: Collection) -> CollectionFacts:
    facts = {name: getattr(collection, name) for name in CollectionFacts.__dataclass_fields__}
    settings = {name: facts[name] or None for name in SETTINGS}
    scale, guideline = collection.scale, collection.guideline
    versions = {"scale": scale and scale.number, "guideline": guideline and guideline.number}
    return CollectionFacts(**{**facts, **settings, **versions})


def columns_of_facts(facts: CollectionFacts) -> dict[str, object]:
    columns = {name: value for name, value in vars(facts).items() if name not in LATER}
    return {**columns, **{name: columns[name] or {} for name in SETTINGS}}
