from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext


def queries_of(client: Client, address: str, n_rows: int) -> int:
    """How many queries a list of so many rows takes, the note of the token's use apart."""
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert len(answer.json()["results"]) == n_rows
    return len(queries)
