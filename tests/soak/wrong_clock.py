"""The settings on a machine whose clock is wrong by so many seconds: TOUCHSTONE_SOAK_CLOCK."""

import os
import time
from datetime import datetime, timedelta

from django.utils import timezone

from touchstone.settings import *  # noqa: F403 -- all of them, as they are

_wrong_by = float(os.environ["TOUCHSTONE_SOAK_CLOCK"])
_time, _now = time.time, timezone.now


def _wrong_time() -> float:
    return _time() + _wrong_by


def _wrong_now() -> datetime:
    return _now() + timedelta(seconds=_wrong_by)


time.time, timezone.now = _wrong_time, _wrong_now
