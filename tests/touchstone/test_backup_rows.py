"""The lines of a backup say what the rows hold, whoever writes them."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from annotation.models import DocumentVersion, Judgment
from tests.annotation.worked_campaign import make_worked
from touchstone.backups import dumping
from touchstone.backups.dumping import Lines, by_python, dumped
from touchstone.backups.tables import Model, applied_migrations, fields_of, tables_at

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]

ODD = '"q" \\ back \\n \n\r\t\x01\x02\x7f\u2028 é 日 \U0001f41d \',[]{}'


def test_a_line_that_the_database_writes_says_what_python_would() -> None:
    make_worked()
    DocumentVersion.objects.update(text=ODD, fields={"a": [ODD, None, 1.5e-7, True], ODD: {}})
    for n, judgment in enumerate(Judgment.objects.order_by("pk")[:3]):
        moment = datetime(2026, 11, 29, 1, 2, 3, (0, 120_000, 1)[n], tzinfo=UTC)
        Judgment.objects.filter(pk=judgment.pk).update(created_at=moment, comment=ODD)
    with connection.cursor() as cursor:  # a time as programs beside Django write it, which reads it, too
        cursor.execute("UPDATE annotation_user SET date_joined = '2026-11-29 01:02:03.120000+00:00'")
    assert DocumentVersion.objects.exists()
    n_rows = 0
    for model in tables_at(applied_migrations()).values():
        rows, in_python = _rows(dumped(model), model), _rows(by_python(model), model)
        assert rows == in_python
        n_rows += len(rows)
    assert n_rows > 100


def test_lines_come_in_blocks_and_none_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    make_worked()
    monkeypatch.setattr(dumping, "BLOCK", 300)
    monkeypatch.setattr(dumping, "CHUNK", 2)
    blocks = list(dumped(Judgment))
    assert len(blocks) > 3
    assert _rows(blocks, Judgment) == _rows(by_python(Judgment), Judgment)


def _rows(blocks: Iterable[Lines], model: Model) -> list[list[Any]]:
    """As a restore has their values, which tells apart neither .12 and .120000 of a second nor the order of keys."""
    numbers, texts = zip(*blocks, strict=True) if (blocks := list(blocks)) else ((), ())
    lines = b"".join(texts).split(b"\n")[:-1]
    assert len(lines) == sum(numbers)
    fields = fields_of(model)
    return [[field.to_python(value) for field, value in zip(fields, json.loads(line), strict=True)] for line in lines]
