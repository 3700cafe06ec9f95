"""One line an event, for people or as JSON; what must not stand in a log; which request or job an event belongs to."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime

from annotation.kernel.log_context import job_id

_LINKS = re.compile(r"(/(?:password|sign-in|invitation)/)[^\s/?#'\"]+")
# What a record of a request or a job carries besides its message.
FIELDS = ("user_id", "method", "path", "status", "duration_ms", "job_id", "job_kind")

request_id: ContextVar[str] = ContextVar("request_id", default="")
ANSWERED = "touchstone.request_id"  # in META: Django says of an answer from 400 on what it was once all is done


def hidden(text: str) -> str:
    """Without the secrets of one-time links."""
    return _LINKS.sub(r"\1…", text)


def _request_of(record: logging.LogRecord) -> str:
    meta: dict[str, str] = getattr(getattr(record, "request", None), "META", {})
    return request_id.get() or meta.get(ANSWERED, "")


class HideSecrets(logging.Filter):
    """Leaves out the secrets of one-time links: Django logs the path of every answer from 400 on, and a link that was
    pasted with one character too many still holds the whole secret."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        safe = hidden(message)
        if safe != message:
            record.msg, record.args = safe, ()
        return True


class Line(logging.Formatter):
    """For people: one line, and the request or job at its end where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        first, *trace = super().format(record).split("\n")
        of = {"request": _request_of(record), "job": job_id.get()}
        ends = [f" {name}={value}" for name, value in of.items() if value]
        return hidden("\n".join(["".join([first, *ends]), *trace]))


class JsonLine(logging.Formatter):
    """One JSON object a line, whatever the message holds; a traceback is a string in it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": hidden(record.getMessage()),
            "process": record.process,
        }
        if job_id.get():
            line["job_id"] = job_id.get()
        if own := _request_of(record):
            line["request_id"] = own
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["exception"] = hidden(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
