"""The parameters of measures as text, both ways: `rel=2`, `gains={1:3.5,2:9}`; and trec_eval's `.1=3.5,2=9`."""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from evaluation.engine.gains import Gains, GainTable

Numbers: TypeAlias = tuple[float, ...]
Parameter: TypeAlias = int | float | str | bool | GainTable | Numbers | None

_WHOLE = re.compile(r"[-+]?[0-9]{1,15}\Z", re.ASCII)
_DECIMAL = re.compile(r"[-+]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})([eE][-+]?[0-9]{1,2})?\Z", re.ASCII)
_QUOTED = re.compile(r"'([^']*)'\Z|\"([^\"]*)\"\Z")
_PART = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]+)\s*=\s*)?"
    r"(?P<value>'[^']*'|\"[^\"]*\"|\{[^{}]*\}|\[[^][]*\]|[^,]*?)\s*(?:,|\Z)",
    re.ASCII,
)


def read_parameters(text: str, kinds: Mapping[str, object], family: str) -> dict[str, Parameter]:
    """What stands in parentheses; `kinds` are the types of the parameters there are. Raises `ValueError`."""
    values: dict[str, Parameter] = {}
    text, at = text.strip(), 0
    while at < len(text):
        part = _PART.match(text, at)
        if not part or part["name"] not in kinds:
            end = part.end() if part else len(text)
            names = ", ".join(kinds) or "none"
            excerpt = text[at:end].strip().rstrip(",")
            raise ValueError(f"{excerpt!r} is not a parameter of {family} (it has: {names})")
        if part["name"] in values:
            raise ValueError(f"the parameter {part['name']} is given twice")
        values[part["name"]] = _value(part["name"], part["value"], kinds[part["name"]])
        at = part.end()
    return values


def written(value: Parameter) -> str:
    """A value as it stands in the name of a measure; `read_parameters` reads it back."""
    if isinstance(value, GainTable):
        return "{" + ",".join(f"{grade}:{written(gain)}" for grade, gain in value.pairs) + "}"
    if isinstance(value, tuple):
        return "[" + ",".join(map(written, value)) + "]"
    return repr(value).removesuffix(".0") if isinstance(value, float) else repr(value)


def whole(text: str) -> int:
    """Raises `ValueError` for what is no whole number in ASCII digits."""
    if not _WHOLE.match(text):
        raise ValueError("a whole number")
    return int(text)


def decimal(text: str) -> float:
    """Raises `ValueError` for what is no decimal number in ASCII digits."""
    if not _DECIMAL.match(text):
        raise ValueError("a number")
    return float(text)


def table(text: str, between: str) -> GainTable:
    """`1:3.5,2:9` where `between` is ":". Raises `ValueError`."""
    pairs = [pair.partition(between) for pair in text.split(",")]
    return GainTable(tuple(sorted((whole(grade.strip()), decimal(gain.strip())) for grade, _, gain in pairs)))


def table_of_trec_eval(text: str, name: str) -> GainTable:
    """`1=3.5,2=9`, as after the dot of `name`. Raises `ValueError`."""
    try:
        return table(text, "=")
    except ValueError as fault:
        raise ValueError(f"the parameters of {name} are gains of grades, 1=3.5,2=9, not {text}") from fault


def numbers_of_trec_eval(text: str, name: str) -> Numbers:
    """`1,-1,0,0`, as after the dot of `name`. Raises `ValueError`."""
    try:
        return tuple(map(decimal, text.split(",")))
    except ValueError as fault:
        raise ValueError(f"the parameters of {name} are numbers with commas between, not {text}") from fault


def check_persistence(p: float, family: str) -> None:
    """Raises `ValueError` unless 0 < p < 1."""
    if not 0 < p < 1:
        raise ValueError(f"the persistence p of {family} lies between 0 and 1")


def persistence_of_trec_eval(text: str, name: str) -> float:
    """`p=0.8`, as after the dot of `name`. Raises `ValueError`."""
    try:
        return decimal(text.removeprefix("p=") if text.startswith("p=") else "")
    except ValueError as fault:
        raise ValueError(f"the parameter of {name} is the persistence, {name}.p=0.8, not {text}") from fault


def _word(text: str) -> str:
    quoted = _QUOTED.match(text)
    if not quoted:
        raise ValueError("a word in quotes")
    return quoted[1] if quoted[1] is not None else quoted[2]


def _truth(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("True or False")
    return text.lower() == "true"


def _gains(text: str) -> Gains:
    if not text.startswith("{"):
        return _word(text)
    return table(text.strip("{}"), ":")


def _numbers(text: str) -> Numbers:
    if not text.startswith("["):
        raise ValueError("numbers in brackets")
    return tuple(decimal(one.strip()) for one in text.strip("[]").split(","))


_READERS: Mapping[object, tuple[Callable[[str], Parameter], str]] = {
    int: (whole, "a whole number"),
    int | None: (whole, "a whole number"),
    float: (decimal, "a number"),
    float | None: (decimal, "a number"),
    str: (_word, "a word in quotes"),
    str | None: (_word, "a word in quotes"),
    bool: (_truth, "True or False"),
    Gains: (_gains, "a word in quotes or a table {1:3.5,2:9}"),
    Numbers: (_numbers, "numbers in brackets, [0.2,0.5,0.8]"),
}


def _value(name: str, text: str, kind: object) -> Parameter:
    reader, description = _READERS[kind]
    try:
        return reader(text)
    except ValueError as fault:
        raise ValueError(f"the parameter {name} is {description}, not {text}") from fault
