"""How far a command is, for whoever looks on."""

import time

from annotation.kernel.commands.foundation import OutputWrapper

STEP = 0.2  # seconds between two pictures of the bar
BAR = 30  # characters


class Progress:
    """A bar on the standard error, where that is a terminal; as a context it goes away at the end, whatever happens."""

    def __init__(self, stderr: OutputWrapper) -> None:
        self.stderr, self.is_shown = stderr, stderr.isatty()
        self.last, self.width = time.monotonic(), 0

    def __call__(self, done: int, total: int, message: str) -> None:
        if self.is_shown and time.monotonic() - self.last >= STEP:
            self.last = time.monotonic()
            filled = BAR * min(done, total) // total if total else 0
            self._draw(f"[{'#' * filled}{'.' * (BAR - filled)}] {message}" if total else message)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        if self.width:
            self._draw("")
            self._draw("")

    def _draw(self, text: str) -> None:
        self.stderr.write(f"\r{text.ljust(self.width)}\r{text}", style_func=str, ending="")
        self.stderr.flush()
        self.width = len(text)
