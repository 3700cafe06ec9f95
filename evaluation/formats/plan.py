"""The answer of a plan as text and as facts: what page, API and command say alike."""

import math

from evaluation.engine.planning.plan import Plan
from evaluation.engine.planning.words import words_of

FACTS = (
    *("solved", "n", "n_second", "n_clusters", "difference", "relative", "power", "width", "deviation", "alpha"),
    "design_effect",
)


def as_facts(plan: Plan) -> dict[str, object]:
    """Numbers that do not belong to the design are null."""
    facts: dict[str, object] = {"design": plan.question.design}
    facts |= {name: _known(getattr(plan, name)) for name in FACTS}
    return {**facts, "notes": list(plan.notes), "words": words_of(plan)}


def as_words(plan: Plan) -> str:
    return "\n".join(words_of(plan))


def _known(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value
