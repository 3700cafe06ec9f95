"""What a method of fusion is: its parameters as fields, and one number a pair from the entries of all runs."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.fusion.entries import Entries


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """A subclass declares its parameters as fields with defaults, and checks them when it is made."""

    title: ClassVar[str]
    meaning: ClassVar[str]  # in one sentence, for people who choose

    @abstractmethod
    def fused(self, entries: Entries) -> Floats:
        """The fused score of each pair, (n_pairs,). It does not depend on the order of the runs, to the last bit."""

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))

    def __str__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)}" for name in self.parameters())
        return f"{self.title} ({values})" if values else self.title
