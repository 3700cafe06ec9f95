"""What commands stand on: Django's classes, or ours where Django is not installed."""

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.core.management.base import (
        BaseCommand,
        CommandError,
        CommandParser,
        OutputWrapper,
        handle_default_options,
    )
    from django.core.management.base import DjangoHelpFormatter as HelpFormatter

    DATABASE_ERRORS: tuple[type[Exception], ...]

    def close_connections() -> None: ...

else:
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management.base import (
            BaseCommand,
            CommandError,
            CommandParser,
            OutputWrapper,
            handle_default_options,
        )
        from django.core.management.base import DjangoHelpFormatter as HelpFormatter
        from django.db import OperationalError, ProgrammingError, connections
    except ModuleNotFoundError:
        from annotation.kernel.commands.without_django import (
            DATABASE_ERRORS,
            BaseCommand,
            CommandError,
            CommandParser,
            HelpFormatter,
            OutputWrapper,
            close_connections,
            handle_default_options,
        )
    else:
        DATABASE_ERRORS = (OperationalError, ProgrammingError)

        def close_connections() -> None:
            with suppress(ImproperlyConfigured):  # a command without settings has none
                connections.close_all()


__all__ = [
    "DATABASE_ERRORS",
    "BaseCommand",
    "CommandError",
    "CommandParser",
    "HelpFormatter",
    "OutputWrapper",
    "close_connections",
    "handle_default_options",
]
