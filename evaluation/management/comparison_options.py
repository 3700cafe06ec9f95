"""Options of the commands that set models beside a reference model."""

import argparse
from typing import get_args

from evaluation.engine.reference.comparison import DESIGN, PLAN, SEED
from evaluation.engine.significance.all_pairs import TESTS
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.vectors.exact import Similarity


def add_comparison(parser: argparse.ArgumentParser, *, similarity: str) -> None:
    """`similarity`: the default; empty stands for what the vectors are meant for."""
    parser.add_argument("--queries", type=int, default=PLAN.n_queries, metavar="N", help="queries drawn; %(default)s")
    parser.add_argument("--k", type=int, nargs="+", default=list(PLAN.cutoffs), help="cutoffs; 1 3 5 10")
    parser.add_argument(
        "--documents",
        type=int,
        default=PLAN.n_documents,
        metavar="N",
        help="documents drawn, whose similarities to each query are compared; %(default)s",
    )
    parser.add_argument(
        "--similarity",
        choices=get_args(Similarity),
        default=similarity,
        help=f"default: {similarity or 'what the vectors are meant for'}",
    )
    parser.add_argument(
        "--pairs", metavar="FILE", help="two ids and a similarity a line: what all models are compared with"
    )
    parser.add_argument("--test", choices=TESTS, default=DESIGN.test, help="of models; default: %(default)s")
    parser.add_argument(
        "--correction", choices=get_args(Correction), default=DESIGN.correction, help="default: %(default)s"
    )
    parser.add_argument("--seed", type=int, default=SEED, help="of all that is drawn; %(default)s")
