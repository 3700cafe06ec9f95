"""Commands of runs say on a terminal how far they are, and leave nothing of it there."""

import io
from pathlib import Path

import pytest
from django.core.management import call_command

SAID = {
    "compare": ["2 of 2 runs read", "evaluating 2 runs", "comparing by RR"],
    "compare_many": ["2 of 2 runs read", "evaluating 2 runs", "comparing by RR"],
    "fuse": ["2 of 2 runs read", "fusing 2 runs"],
    "judge_next": ["2 of 2 runs read", "looking at other"],
    "report": ["2 of 2 runs read", "evaluating 2 runs by RR", "comparing by RR", "drawing: means_RR.png"],
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("command", SAID)
def test_a_bar_that_goes_away(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.commands.progress.STEP", 0)
    files = {"qrels": "{} 0 a 1\n", "me": "{0} Q0 a 1 2 me\n{0} Q0 b 2 1 me\n", "other": "{} Q0 c 1 1 other\n"}
    for name, line in files.items():
        (tmp_path / name).write_text("".join(line.format(number) for number in range(1, 21)))
    names = [str(tmp_path / name) for name in files]
    arguments = names[1:] if command == "fuse" else [*names, "-m", "RR"]
    arguments += ["-o", str(tmp_path / "report")] if command == "report" else []
    out, screen = io.StringIO(), Terminal()
    call_command(command, *arguments, stdout=out, stderr=screen, no_color=True)
    pictures = screen.getvalue().split("\r")
    assert [words for words in SAID[command] if not any(picture.rstrip().endswith(words) for picture in pictures)] == []
    assert (bool(out.getvalue()), "[" in pictures[-1]) == (True, False)
