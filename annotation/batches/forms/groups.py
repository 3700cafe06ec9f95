"""How the page shows the form of a batch: five fields, and the rest in groups that open where they matter."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.forms import BoundField

from annotation.batches.forms.batches import BatchForm

FIRST = ("name", "pool", "everybody", "annotators", "judgments_per_item", "gold_share")
BEFORE = "before"
GROUPS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("topics", "Topics", "all of the pool, or some", ("topics", "numbers")),
    ("checks", "Checks and repeats", "who reads, who agrees with themselves", ("check_share", "repeat_share")),
    (
        "overlap",
        "More judgments where a grade is in doubt",
        "a policy asks for them",
        ("steered_by", "most_judgments", "target_probability"),
    ),
    ("time", "Time and breaks", "", ("minimum_seconds", "nudge_minutes", "session_minutes", "break_minutes")),
    (BEFORE, "Before the first card", "a text to agree to, a round to pass", ("information", "qualification")),
    ("feedback", "Results for annotators", "", ("feedback", "feedback_hours")),
    ("layout", "Order of the pairs", "opening cards, blocks, seed", ("opening_cards", "block_size", "seed")),
)
DRAWN = ("seed",)  # differs in every batch


@dataclass(frozen=True)
class Group:
    """`is_open`: a value differs from what a batch begins with, or is wrong."""

    key: str
    title: str
    hint: str
    fields: list[BoundField]
    is_open: bool


def groups_of(form: BatchForm) -> Iterator[Group]:
    """What comes before the first card stands there only where the collection has something of the kind."""
    for key, title, hint, names in GROUPS:
        fields = [form[name] for name in names]
        if key != BEFORE or any(field.field.queryset for field in fields):  # type: ignore[attr-defined]
            yield Group(key, title, hint, fields, any(map(_asks_for_eyes, fields)))


def _asks_for_eyes(field: BoundField) -> bool:
    if field.errors:
        return True
    return field.name not in DRAWN and _plain(field.value()) != _plain(field.field.initial)


def _plain(value: object) -> str:
    """3, 3.0 and "3" are the same to whoever looks at a form."""
    words = "" if value is None else str(value)
    return words.removesuffix(".0")
