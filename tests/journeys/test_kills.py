"""An import whose workers are killed ends in the same rows as one left alone. In full: `make soak`."""

import random
import sys
from pathlib import Path

import pytest

from tests.soak.kills import Soak

pytestmark = pytest.mark.both("locks")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(sys.platform != "linux", reason="a child that dies with its parent is Linux's doing")
def test_an_import_under_kills_ends_as_one_left_alone(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(10**6)
    lines = [f"seed {seed}"]
    findings = Soak(tmp_path, n=2000, kills=3, seed=seed, say=lines.append).run()
    assert (findings.kills, findings.broken) == (3, []), "\n".join(lines)
    assert findings.looks > 10
