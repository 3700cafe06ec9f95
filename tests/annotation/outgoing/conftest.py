"""What these tests share."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.annotation.outgoing.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    with receiving() as there:
        settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = [there.host]
        yield there
