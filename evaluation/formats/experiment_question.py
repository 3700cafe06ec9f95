"""The parts of a question as people write them, and a question as it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from evaluation.engine.ab_tests.guardrails import Margin
from evaluation.engine.ab_tests.question import Question
from evaluation.formats.log.times import length_of


def margin_of(text: str) -> Margin:
    """COLUMN=MARGIN; with % it is a share of the control's value. Raises `ValueError`."""
    name, number = _named(text)
    value = _number(number.removesuffix("%"), text)
    return Margin(name, value / 100 if number.endswith("%") else value, relative=number.endswith("%"))


def ratio_of(text: str) -> tuple[str, str]:
    """NUM/DEN. Raises `ValueError`."""
    above, slash, below = (part.strip() for part in text.partition("/"))
    if not (above and slash and below) or above == below:
        raise ValueError(f"{text}: of a ratio two columns are expected, NUM/DEN")
    return above, below


def shares_of(texts: Sequence[str]) -> dict[str, float] | None:
    """VARIANT=SHARE each; none: equal ones. Raises `ValueError`."""
    return {name: _number(number, text) for text in texts for name, number in [_named(text)]} or None


def question_of(words: Mapping[str, Any]) -> Question:
    """Options of the command or fields of the form: lists of texts, as they were written, under `ratio`, `guardrail`,
    `share`; `every` is a text or empty; the others are fields of `Question`. Raises `ValueError`."""
    optional: dict[str, Any] = {name: words[name] or None for name in ("covariate", "time", "cluster")}
    plain = ("control", "replicates", "seed", "alpha", "correction", "threshold", "start", "events", "narrowest_at")
    return Question(
        measures=tuple(words["measures"]),
        ratios=tuple(ratio_of(text) for text in words["ratio"]),
        guardrails=tuple(margin_of(text) for text in words["guardrail"]),
        shares=shares_of(words["share"]),
        segments=tuple(words["segments"]),
        every=length_of(words["every"]) if words["every"] else None,
        **optional,
        **{name: words[name] for name in plain},
    )


def question_as_object(question: Question) -> dict[str, Any]:
    """Plain values, as JSON holds them."""
    stored = asdict(question)
    return {name: _plain(value) for name, value in stored.items()}


def question_from_object(stored: Mapping[str, Any]) -> Question:
    """What `question_as_object` was given."""
    lists = {name: tuple(stored[name]) for name in ("measures", "segments")}
    return Question(
        **{
            **stored,
            **lists,
            "ratios": tuple((above, below) for above, below in stored["ratios"]),
            "guardrails": tuple(Margin(**margin) for margin in stored["guardrails"]),
        }
    )


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _named(text: str) -> tuple[str, str]:
    name, equals, number = (part.strip() for part in text.rpartition("="))
    if not (name and equals):
        raise ValueError(f"{text}: NAME=NUMBER is expected")
    return name, number


def _number(number: str, text: str) -> float:
    try:
        return float(number)
    except ValueError as fault:
        raise ValueError(f"{text}: NAME=NUMBER is expected") from fault
