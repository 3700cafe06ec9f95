"""How faults are collected and told."""

import pytest

from annotation.formats.problems import FormatError, Problems


def test_faults_come_in_the_order_of_the_file() -> None:
    problems = Problems("pairs.txt")
    for line, reason in ((4, "too short"), (2, "no number"), (2, "twice"), (0, "cut short")):
        problems.add(line, reason)
    messages = ["pairs.txt: cut short", "pairs.txt:2: no number", "pairs.txt:2: twice", "pairs.txt:4: too short"]
    assert [str(problem) for problem in problems] == messages
    with pytest.raises(FormatError) as refused:
        problems.check()
    assert [str(problem) for problem in refused.value.problems] == messages
    assert [str(problem) for problem in problems.stop(3, "no more").problems] == [
        *messages[:3],
        "pairs.txt:3: no more",
        messages[3],
    ]
