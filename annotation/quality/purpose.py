"""What is graded, and why a judgment was asked for.

The numbers are stored in frozen files: they never change, new ones are added.
"""

from enum import IntEnum

CRITERION = "relevance"  # what is graded, unless said otherwise


class Purpose(IntEnum):
    """What the slot was reserved as."""

    ORDINARY = 0
    GOLD = 1
    CHECK = 2  # an attention check: a planted pair that never enters qrels
    REPEAT = 3  # the same pair again to the same person, to see whether the answer holds
    QUALIFICATION = 4  # a test before somebody joins; says nothing about later work
    ELSEWHERE = 5  # on gold, in a batch that was not chosen: tells how accurate the person is, and nothing else
    ADDED = 6  # asked for later, because the judgments so far left the grade in doubt; counts, but not for agreement


# Asked of people about the chosen batches' own pairs: what may count for a grade. Of the others none ever does.
COUNTABLE = (Purpose.ORDINARY, Purpose.GOLD, Purpose.ADDED)
