"""Settings that a collection stores: numbers and words, checked when they are made, whoever makes them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

# The kinds of a value that a setting of this type may have, and these in words. True and false are no numbers.
_KINDS: Mapping[Any, tuple[tuple[type, ...], str]] = {
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    str: ((str,), "a word"),
}


class SettingError(ValueError):
    """A setting that cannot be; `field` names it, empty where there is none of that name."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field, self.reason = field, reason


def check_kind(name: str, value: Any, kind: Any) -> Any:
    """The value, where it is of this kind. Raises `SettingError`."""
    kinds, words = _KINDS[kind]
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise SettingError(name, f"{name} must be {words}")
    return value


def check_limits(name: str, value: float, low: float, high: float) -> None:
    """Both limits are allowed. Raises `SettingError` outside of them."""
    if not low <= value <= high:
        raise SettingError(name, f"must lie between {low:g} and {high:g}")


@dataclass(frozen=True)
class Settings:
    """`LIMITS`: of each number its lowest and highest value, both allowed. Raises `SettingError` outside of them."""

    LIMITS: ClassVar[Mapping[str, tuple[float, float]]] = {}

    def __post_init__(self) -> None:
        for name, (low, high) in self.LIMITS.items():
            check_limits(name, getattr(self, name), low, high)

    @classmethod
    def of(cls, stored: Mapping[str, object]) -> Self:
        """From names and values, as they are stored; what is not there is built in. Raises `SettingError`."""
        kinds = {each.name: each.type for each in fields(cls)}
        for name, value in stored.items():
            if name not in kinds:
                raise SettingError("", f"there is no setting {name!r}")
            check_kind(name, value, kinds[name])
        return cls(**stored)
