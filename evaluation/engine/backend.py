"""Where the measures compute: numpy, or torch on a processor or a graphics card.

Measure code uses the operators of arrays (`+ − * / & | ~`, comparisons) and the functions below,
which mean the same on both. Everything is float64 or bool, only indices are integers: so neither
library's rules of promotion ever decide a value. Torch's tensors are typed as numpy's arrays here,
since only what both have is used (docs/decisions/0002).
"""

import os
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, ratio

if TYPE_CHECKING:
    import torch


class Backend(Protocol):
    """What measure code may call."""

    def put(self, array: Floats) -> Floats:
        """A numpy array, moved to where this backend computes."""

    def put_index(self, array: Ints) -> Ints:
        """The same for integers that index."""

    def get(self, array: Floats) -> Floats:
        """A result, as a numpy array of float64."""

    def index(self, value: Floats) -> Ints:
        """Whole numbers, as integers that index."""

    def back(self, n: int, step: int) -> Ints:
        """The indices −step … n − 1 − step, (n,): of each row the one so many rows above."""

    def at(self, value: Floats, index: Ints) -> Floats:
        """`value[index]`, of one dimension both: for many at once faster than brackets."""

    def total(self, value: Floats | Bools, topic: Ints, n_topics: int, start: Ints | None = None) -> Floats:
        """The sum over each topic, (n_topics,), added in the order of the rows (on a graphics card: in any order).

        `start`, (n_topics + 1,), says where each topic begins, if rows lie topic after topic: torch then adds faster.
        """

    def repeated(self, value: Floats, times: int) -> Floats:
        """The whole array, one time after the other. (times × n,)"""

    def running(self, value: Floats | Bools) -> Floats:
        """The cumulative sum."""

    def running_rows(self, value: Floats) -> Floats:
        """The cumulative sum along each row of a matrix, added one after the other."""

    def highest(self, value: Floats, topic: Ints, n_topics: int) -> Floats:
        """The greatest over each topic, (n_topics,); 0 where there is none above."""

    def distinct(self, value: Floats) -> tuple[Floats, Ints]:
        """`(the values that occur, in numpy; for each value its place among them)`."""

    def ratio(self, part: Floats, whole: Floats) -> Floats:
        """part / whole, and 0 where there is nothing to divide by."""

    def where(self, condition: Bools, yes: Floats | float, no: Floats | float) -> Floats:
        """Elementwise choice."""

    def minimum(self, a: Floats, b: Floats | float) -> Floats:
        """The smaller of two, elementwise."""

    def maximum(self, a: Floats, b: Floats | float) -> Floats:
        """The larger of two, elementwise."""

    def sqrt(self, value: Floats) -> Floats:
        """The square root, elementwise: correctly rounded on both."""


class NumpyBackend:
    """numpy, on the processor."""

    def put(self, array: Floats) -> Floats:
        return array

    def put_index(self, array: Ints) -> Ints:
        return array

    def index(self, value: Floats) -> Ints:
        return value.astype(np.int64)

    def back(self, n: int, step: int) -> Ints:
        return np.arange(-step, n - step)

    def get(self, array: Floats) -> Floats:
        return array

    def at(self, value: Floats, index: Ints) -> Floats:
        return value[index]

    def total(self, value: Floats | Bools, topic: Ints, n_topics: int, start: Ints | None = None) -> Floats:
        return np.bincount(topic, weights=value, minlength=n_topics).astype(np.float64, copy=False)

    def repeated(self, value: Floats, times: int) -> Floats:
        return np.tile(value, times) if times > 1 else value

    def running(self, value: Floats | Bools) -> Floats:
        return value.cumsum(dtype=np.float64)

    def running_rows(self, value: Floats) -> Floats:
        return np.cumsum(value, axis=1)

    def highest(self, value: Floats, topic: Ints, n_topics: int) -> Floats:
        highest = np.zeros(n_topics)
        np.maximum.at(highest, topic, value)
        return highest

    def distinct(self, value: Floats) -> tuple[Floats, Ints]:
        return np.unique(value, return_inverse=True)

    def ratio(self, part: Floats, whole: Floats) -> Floats:
        return ratio(part, whole)

    def where(self, condition: Bools, yes: Floats | float, no: Floats | float) -> Floats:
        return np.where(condition, yes, no)

    def minimum(self, a: Floats, b: Floats | float) -> Floats:
        return np.minimum(a, b)

    def maximum(self, a: Floats, b: Floats | float) -> Floats:
        return np.maximum(a, b)

    def sqrt(self, value: Floats) -> Floats:
        return np.sqrt(value)


class TorchBackend:
    """torch, on `device` ("cpu", "cuda", "cuda:1" …). Raises `ValueError` for a device that is not there."""

    def __init__(self, device: str) -> None:
        import torch

        self._torch = torch
        try:
            self._device = torch.device(device)
            torch.zeros(1, device=self._device)
        except (RuntimeError, AssertionError) as error:
            raise ValueError(f"no device {device!r} for torch") from error

    def put(self, array: Floats) -> Floats:
        return _typed(self._shared(array))

    def put_index(self, array: Ints) -> Ints:
        return cast("Ints", self._shared(array))

    def index(self, value: Floats) -> Ints:
        return cast("Ints", _tensor(value).long())

    def back(self, n: int, step: int) -> Ints:
        return cast("Ints", self._torch.arange(-step, n - step, device=self._device))

    def get(self, array: Floats) -> Floats:
        return _tensor(array).cpu().numpy()

    def at(self, value: Floats, index: Ints) -> Floats:
        return _typed(_tensor(value).index_select(0, _tensor(index)))

    def total(self, value: Floats | Bools, topic: Ints, n_topics: int, start: Ints | None = None) -> Floats:
        added = _tensor(value).to(self._torch.float64)
        if start is not None:
            offsets = _tensor(start)
            return _typed(self._torch.segment_reduce(added, "sum", offsets=offsets, initial=0.0, unsafe=True))
        zero = self._torch.zeros(n_topics, dtype=self._torch.float64, device=self._device)
        return _typed(zero.scatter_add_(0, _tensor(topic), added))

    def repeated(self, value: Floats, times: int) -> Floats:
        return _typed(_tensor(value).repeat(times))

    def running(self, value: Floats | Bools) -> Floats:
        return _typed(self._torch.cumsum(_tensor(value), dim=0, dtype=self._torch.float64))

    def running_rows(self, value: Floats) -> Floats:
        return _typed(self._torch.cumsum(_tensor(value), dim=1))

    def highest(self, value: Floats, topic: Ints, n_topics: int) -> Floats:
        zero = self._torch.zeros(n_topics, dtype=self._torch.float64, device=self._device)
        return _typed(zero.scatter_reduce(0, _tensor(topic), _tensor(value), "amax"))

    def distinct(self, value: Floats) -> tuple[Floats, Ints]:
        values, index = self._torch.unique(_tensor(value), return_inverse=True)
        return values.cpu().numpy(), cast("Ints", index)

    def ratio(self, part: Floats, whole: Floats) -> Floats:
        return self.where(whole > 0, part / self.where(whole > 0, whole, 1.0), 0.0)

    def where(self, condition: Bools, yes: Floats | float, no: Floats | float) -> Floats:
        return _typed(self._torch.where(_tensor(condition), self._float(yes), self._float(no)))

    def minimum(self, a: Floats, b: Floats | float) -> Floats:
        return _typed(self._torch.minimum(_tensor(a), self._float(b)))

    def maximum(self, a: Floats, b: Floats | float) -> Floats:
        return _typed(self._torch.maximum(_tensor(a), self._float(b)))

    def sqrt(self, value: Floats) -> Floats:
        return _typed(self._torch.sqrt(_tensor(value)))

    def _shared(self, array: Floats | Ints) -> "torch.Tensor":
        """On the processor the array's own memory, where that may be written (torch asks for it), else a copy."""
        if array.flags.writeable:
            return self._torch.as_tensor(array, device=self._device)
        return self._torch.tensor(array, device=self._device)

    def _float(self, value: Floats | float) -> "torch.Tensor":
        return self._torch.as_tensor(value, dtype=self._torch.float64, device=self._device)


def backend_for(device: str | None) -> Backend:
    """None: numpy, which imports nothing more. A device: torch on it."""
    return NumpyBackend() if device is None else TorchBackend(device)


def device_of_worker() -> str:
    """The device a worker computes on: `TOUCHSTONE_DEVICE`, else a graphics card that torch sees, else "cpu"."""
    import torch

    return os.environ.get("TOUCHSTONE_DEVICE") or ("cuda" if torch.cuda.is_available() else "cpu")


def _tensor(array: Floats | Bools | Ints) -> "torch.Tensor":
    return cast("torch.Tensor", array)


def _typed(tensor: "torch.Tensor") -> Floats:
    return cast("Floats", tensor)
