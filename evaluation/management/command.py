"""What commands that only read files stand on: Django's classes, or ours where Django is not installed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.core.management.base import BaseCommand, CommandError, OutputWrapper
else:
    try:
        from django.core.management.base import BaseCommand, CommandError, OutputWrapper
    except ModuleNotFoundError:
        from evaluation.management.light_command import BaseCommand, CommandError, OutputWrapper

__all__ = ["BaseCommand", "CommandError", "OutputWrapper"]
