"""A small A/B test of the demo, made by a program: users of the almanac see larger snippets, or the old ones."""

import io

import numpy as np

from annotation.models import Collection, Import, User
from evaluation.ab_tests.read import experiment_named
from evaluation.ab_tests.steps.analysing import ask_analysis
from evaluation.engine.ab_tests.guardrails import Margin
from evaluation.engine.ab_tests.question import Question
from touchstone.demo.importing import import_file

NAME, CONTROL, TREATMENT = "larger-snippets", "old", "larger"
USERS, DAYS, SEED = 8_000, 21, 2026
FOUND, LIFT = 0.58, 0.06  # who found an answer with old snippets, and how many more on a desktop with new ones
DESCRIPTION = (
    "Made by a program, to have an experiment to look at: half of 8,000 users saw larger snippets. As made, more of "
    "them find an answer on a desktop, and none more on a phone."
)


def bring_experiment(collection: Collection, admin: User) -> None:
    """The log, and what its page shows first."""
    options = {"name": NAME, "variant_column": "arm", "unit_column": "user", "description": DESCRIPTION}
    import_file(
        collection,
        io.BytesIO(_log()),
        kind=Import.Kind.EXPERIMENT,
        filename=f"{NAME}.csv",
        admin=admin,
        **options,
    )
    experiment = experiment_named(collection, NAME)
    assert experiment is not None
    question = Question(
        control=CONTROL,
        measures=("found",),
        ratios=(("clicks", "searches"),),
        covariate="searches_before",
        guardrails=(Margin("seconds", 2.0),),
        segments=("device",),
        time="joined",
    )
    ask_analysis(experiment, question, created_by=admin)


def _log() -> bytes:
    """A row a user; the same every time."""
    rng = np.random.default_rng(SEED)
    is_new, is_desktop = rng.random(USERS) < 0.5, rng.random(USERS) < 0.6
    eager = rng.gamma(4, 0.25, USERS)  # how much somebody searches, before and after
    before, searches = rng.poisson(6 * eager), 1 + rng.poisson(5 * eager)
    success = rng.random(USERS) < np.clip(FOUND + 0.3 * (eager - 1) + LIFT * (is_new & is_desktop), 0, 1)
    clicks = rng.binomial(searches, np.where(is_new, 0.44, 0.42))
    seconds = np.round(20 + 6 * eager + rng.normal(0, 8, USERS) + 0.3 * is_new, 2).clip(min=1)
    day = rng.integers(1, DAYS + 1, USERS)
    lines = ["arm,user,joined,device,found,searches,clicks,seconds,searches_before"]
    for i in range(USERS):
        arm, device = (CONTROL, TREATMENT)[int(is_new[i])], ("phone", "desktop")[int(is_desktop[i])]
        values = f"{int(success[i])},{searches[i]},{clicks[i]},{seconds[i]},{before[i]}"
        lines.append(f"{arm},user-{i + 1:04},2026-09-{day[i]:02},{device},{values}")
    return "\n".join([*lines, ""]).encode()
