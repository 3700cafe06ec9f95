"""Whom the rules would pause, as a task."""

from annotation.trust.pages.proposed import proposed_task
from annotation.trust.read.proposals import Proposal

ROOK = Proposal("Rook", {"stop": "8 critical errors in 14 gold pairs.", "accuracy": "Unreliable."})
SWIFT = Proposal("Swift", {"accuracy": "Unreliable."})


def test_the_first_is_paused_in_place_with_the_reason_of_the_first_rule() -> None:
    task = proposed_task([ROOK, SWIFT], "bees", may_pause=True)
    assert task.text == "The rules would pause Rook and 1 other."
    assert (task.address, task.confirm) == ("/c/bees/annotators/Rook/pause?rule=stop", "Pause Rook")
    assert task.form is not None
    assert task.form["reason"].value() == "8 critical errors in 14 gold pairs."


def test_who_may_not_pause_is_led_to_the_person() -> None:
    task = proposed_task([ROOK], "bees", may_pause=False)
    assert (task.deed, task.address, task.form) == ("See more", "/c/bees/quality/annotators/Rook/", None)


def test_nobody_is_no_deed() -> None:
    assert proposed_task([], "bees", may_pause=True).deed == ""
