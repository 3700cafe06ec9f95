"""Which option of a command answers a refusal: said after the problems."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

OPTIONS: Mapping[str, str] = MappingProxyType(
    {  # what a reason says: the option that answers it
        ": choose which": "--format NAME says what to read the file as",
        "is recognised: choose one of": "--columns MEANING=COLUMN says which column it is",
        "is already here with another text": "--on-conflict version stores the new text, skip leaves it aside",
        "another run with the tag": "--tag gives the run another tag",
        "say what the run is called": "--tag says it",
        "another snapshot called": "--name gives the snapshot another name",
        "a pool called": "--name gives the pool another name",
        "another batch called": "--name gives the batch another name",
        "came with earlier judgments": "--annotators same or --annotators new says which",
        "short name": "--as gives it a short name",
    }
)


def advice(reasons: Iterable[str]) -> list[str]:
    """A line for each option that would answer one of the reasons."""
    texts = list(reasons)
    return [option for words, option in OPTIONS.items() if any(words in reason for reason in texts)]
