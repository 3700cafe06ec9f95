"""What gunicorn itself says, in the form of every other line."""

from django.conf import settings
from gunicorn.config import Config
from gunicorn.glogging import Logger

from touchstone.logs import JsonLine


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn ships no types
    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        if settings.TOUCHSTONE_LOG == "json":
            for output in self.error_log.handlers:
                output.setFormatter(JsonLine())
