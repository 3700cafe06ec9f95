import logging
from importlib import import_module

from django.apps import AppConfig
from django.conf import settings


class TouchstoneConfig(AppConfig):
    """Makes Touchstone's own commands and checks known; it has no tables."""

    name = "touchstone"

    def ready(self) -> None:
        import_module("touchstone.checks")
        if settings.TOUCHSTONE_LOG == "json":
            logging.captureWarnings(capture=True)  # a warning is a line like any other
