"""Long work gives way to people who wait: a process is given less of the processors than those it shares them with.

Linux shares the processors among sessions first, and by `nice` only within each (sched(7),
*autogroup*). Services are sessions of their own, so that the `nice` of one says nothing to another:
a session has one, too.
"""

import os
import time
from pathlib import Path

LEVEL = 10  # as `nice` counts: a ninth of what a process of 0 gets while both want all they can have
SESSION = Path("/proc/self/autogroup")
TRIES, PAUSE = 10, 0.2  # of everybody but root, Linux takes one such wish in a tenth of a second


def give_way() -> None:
    """This process and those that it begins from here on. A session is changed by the process that leads it alone: a
    terminal's has other work in it."""
    os.nice(max(0, LEVEL - os.getpriority(os.PRIO_PROCESS, 0)))
    if os.getsid(0) == os.getpid():
        _give_way_as_session()


def _give_way_as_session() -> None:
    for _ in range(TRIES):
        try:
            SESSION.write_text(str(LEVEL))
        except BlockingIOError:
            time.sleep(PAUSE)
        except OSError:  # another system, or one that shares by `nice` alone
            return
        else:
            return
