"""Names that another person or process takes between the look whether they are free and the row."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet


class TakenError(IntegrityError):
    """The name has been taken meanwhile."""


@contextmanager
def unless_taken(rows: QuerySet[Any]) -> Iterator[None]:
    """Raises `TakenError` where a constraint refuses the row and these `rows` have its name; where they have not,
    another constraint has refused it, and its `IntegrityError` goes on."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if rows.exists():
            raise TakenError(*error.args) from error
        raise
