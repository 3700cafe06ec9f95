"""Emptying the tables after a test, while a server may still be at work on them.

A page that has just been closed says farewell, and the server that hears it reads its tables in an order of its own.
PostgreSQL ends one of two that wait for each other; where that is the one that empties the tables, it is done again.
"""

from collections.abc import Callable

from django.core.management import CommandError
from django.db import OperationalError
from django.test import TransactionTestCase

TRIES = 10

Flush = Callable[[TransactionTestCase], None]


def patiently(flush: Flush) -> Flush:
    def patient(case: TransactionTestCase) -> None:
        for _ in range(TRIES - 1):
            try:
                return flush(case)
            except CommandError as failed:
                if not isinstance(failed.__cause__, OperationalError):
                    raise
        return flush(case)

    return patient
