"""The lines of a backup say what the rows hold, whoever writes them."""

import json
from datetime import UTC, datetime

import pytest
from django.db import connection

from annotation.models import DocumentVersion, Judgment
from tests.annotation.worked_campaign import make_worked
from touchstone.backups.dumping import by_python, dumped
from touchstone.backups.tables import applied_migrations, tables_at

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
        lines = b"".join(dumped(model)).split(b"\n")[:-1]
        assert list(map(json.loads, lines)) == list(map(json.loads, by_python(model)))
        n_rows += len(lines)
    assert n_rows > 100
