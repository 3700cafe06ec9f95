from importlib import import_module

from django.apps import AppConfig


class TouchstoneConfig(AppConfig):
    """Makes Touchstone's own commands and checks known; it has no tables."""

    name = "touchstone"

    def ready(self) -> None:
        import_module("touchstone.checks")
