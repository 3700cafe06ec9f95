"""The settings with kinds of jobs that leave marks, for worker processes of the tests."""

from touchstone import parts
from touchstone.settings import *  # noqa: F403 -- all of them, as they are
from touchstone.settings import TOUCHSTONE_APART

TOUCHSTONE_JOBS = {
    **parts.TOUCHSTONE_JOBS,
    **{kind: f"tests.soak.work.{kind}" for kind in ("mark", "mark_slowly", "mark_here", "die")},
}
TOUCHSTONE_APART = {**TOUCHSTONE_APART, **dict.fromkeys(["mark", "mark_slowly", "die"], (512, 60))}
