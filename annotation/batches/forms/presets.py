"""Presets of a batch: settings that belong together, under a name. Page, API and command take the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "judgments_per_item": "{} per pair",
        "gold_share": "{} % gold",
        "check_share": "{} % checks",
        "repeat_share": "{} % repeats",
        "minimum_seconds": "at least {} s a card",
        "session_minutes": "sessions of {} min",
    }
)  # every preset sets all of these, and nothing else


@dataclass(frozen=True)
class Preset:
    """`sets`: by field, as the form takes it, shares in percent; `why`: one sentence."""

    name: str
    title: str
    why: str
    sets: Mapping[str, int]

    @property
    def says(self) -> str:
        return ", ".join(words.format(self.sets[field]) for field, words in WORDS.items())


def _preset(name: str, why: str, *values: int) -> Preset:
    return Preset(name, name.capitalize(), why, MappingProxyType(dict(zip(WORDS, values, strict=True))))


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            _preset("careful", "For grades to publish: repeats show who agrees with themselves.", 3, 15, 2, 4, 10, 50),
            _preset("quick", "For a first look by people you know: no agreement is measured.", 1, 10, 0, 0, 3, 50),
            _preset("crowd", "For strangers: more votes, and checks for those who do not read.", 5, 15, 4, 2, 10, 30),
        )
    }
)
