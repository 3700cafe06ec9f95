"""Answers that a process keeps, as many as have room: the latest ones."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def kept(*, most: int, cells: Callable[[Answer], int]) -> Callable[[Callable[Asked, Answer]], Callable[Asked, Answer]]:
    """Of a function of hashable arguments, answers of at most `most` cells in all; those that were asked for longest
    ago go first. A larger one is not kept. All who ask are given the same answer: it must be none that can be written.
    `lru_cache` counts answers, however large they are."""

    def keeping(ask: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
        answers, lock = _Answers[Answer](most), Lock()

        @wraps(ask)
        def kept_or_asked(*args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
            key = (args, *sorted(kwargs.items()))
            with lock:
                answer = answers.latest(key)
            if answer is None:
                answer = ask(*args, **kwargs)
                with lock:
                    answers.keep(key, answer, cells(answer))
            return answer

        return kept_or_asked

    return keeping


class _Answers(Generic[Answer]):
    def __init__(self, most: int) -> None:
        self.most, self.n_cells = most, 0
        self._kept = OrderedDict[Hashable, tuple[Answer, int]]()

    def latest(self, key: Hashable) -> Answer | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def keep(self, key: Hashable, answer: Answer, n_cells: int) -> None:
        if key in self._kept or n_cells > self.most:
            return
        self._kept[key] = answer, n_cells
        self.n_cells += n_cells
        while self.n_cells > self.most:
            _, (_, n_gone) = self._kept.popitem(last=False)
            self.n_cells -= n_gone
