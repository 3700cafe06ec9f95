"""Options of commands that analyse an A/B test: what is asked of a log."""

import argparse

from evaluation.engine.ab_tests.always_valid import EVENTS, NARROWEST_AT, START
from evaluation.engine.ab_tests.bootstrap import REPLICATES, SEED
from evaluation.engine.ab_tests.sample_ratio import THRESHOLD
from evaluation.engine.significance.corrections import CORRECTIONS


def add_question(parser: argparse.ArgumentParser) -> None:
    """`formats.experiment_question.question_of` reads them."""
    parser.add_argument("--control", required=True, metavar="NAME", help="the variant beside which others are set")
    parser.add_argument(
        "--measure", dest="measures", action="append", default=[], metavar="COLUMN", help="a mean over units"
    )
    parser.add_argument("--ratio", action="append", default=[], metavar="NUM/DEN", help="a ratio of two sums")
    parser.add_argument("--covariate", metavar="COLUMN", help="measured before assignment; saves variance (CUPED)")
    parser.add_argument(
        "--guardrail",
        action="append",
        default=[],
        metavar="COLUMN=MARGIN",
        help="the change that is too much: -0.01 a fall, 20 a rise, -1%% by the control's value",
    )
    parser.add_argument(
        "--share", action="append", default=[], metavar="VARIANT=SHARE", help="of units; default: equal"
    )
    _add_parts(parser)
    _add_levels(parser)


def _add_parts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--segment",
        dest="segments",
        action="append",
        default=[],
        metavar="COLUMN",
        help="the difference in each of its values, and whether they differ",
    )
    parser.add_argument("--time", metavar="COLUMN", help="when a unit came: looks over time, where it could have ended")
    parser.add_argument(
        "--every",
        metavar="LENGTH",
        help="between two looks: hour, day (default for dates), week, or a number of seconds or of the times' unit",
    )
    parser.add_argument(
        "--cluster", metavar="COLUMN", help="what was assigned, where rows are parts of it: cluster bootstrap"
    )
    parser.add_argument("--replicates", type=int, default=REPLICATES, metavar="N", help="of it; default: %(default)s")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help="of it; default: %(default)s")


def _add_levels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--alpha", type=float, default=0.05, help="of tests and intervals; default: %(default)s")
    parser.add_argument("--correction", choices=CORRECTIONS, default="holm", help="default: %(default)s")
    parser.add_argument(
        "--threshold", type=float, default=THRESHOLD, help="of the sample ratio's p; default: %(default)s"
    )
    parser.add_argument(
        "--start",
        type=int,
        default=START,
        metavar="N",
        help="units a group from which looks begin; default: %(default)s",
    )
    parser.add_argument(
        "--events", type=int, default=EVENTS, metavar="N", help="the same of events; default: %(default)s"
    )
    parser.add_argument(
        "--narrowest-at",
        type=int,
        default=NARROWEST_AT,
        metavar="N",
        help="units of both groups at which always-valid intervals are narrowest; default: %(default)s",
    )
