"""Topics by people: how far each agrees with the others."""

import numpy as np
import pytest

from annotation.quality.agreement import counts_of_votes
from annotation.quality.agreement.cells import LEAST, MOST_PEOPLE, MOST_TOPICS, Cells, telling_cells
from annotation.quality.arrays import Ints
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes
from tests.annotation.quality.agreement.tables import votes_of

SCALE = Scale((0, 1, 2))


def cells_of(ratings: list[list[int | None]], topic: list[int]) -> Cells:
    votes = votes_of(ratings, SCALE)[0]
    return telling_cells(votes, counts_of_votes(votes, SCALE, np.array(topic)), SCALE, max(topic) + 1)


def by_definition(votes: Votes, topic: Ints, which: int, who: int) -> list[float]:
    """Of each pair of the topic that the person shares with others, the share of these with the same grade."""
    shares = []
    for pair in np.flatnonzero(topic == which):
        grade_by_person = dict(
            zip(votes.annotator[votes.pair == pair].tolist(), votes.grade[votes.pair == pair].tolist(), strict=True)
        )
        others = [grade for name, grade in grade_by_person.items() if name != who]
        if who in grade_by_person and others:
            shares.append(sum(grade == grade_by_person[who] for grade in others) / len(others))
    return shares


def test_cells_by_hand() -> None:
    """On topic 0 nobody differs; on topic 1 the third differs from both others on each pair. The last pair is one
    person's alone."""
    one: list[int | None] = [0, 1, 2, 0, 1, *[0] * 5, 1]
    third: list[int | None] = [0, 1, 2, 0, 1, *[2] * 5, None]
    cells = cells_of([one, [*one[:-1], None], third], [*[0] * 5, *[1] * 6])
    assert (cells.topic.tolist(), cells.who.tolist()) == ([1, 0], [2, 0, 1])
    assert cells.n.tolist() == [[5, 5, 5], [5, 5, 5]]
    assert cells.share.tolist() == [[0, 0.5, 0.5], [1, 1, 1]]
    assert (cells.of_topics, cells.of_people) == (2, 3)


def test_topics_and_people_with_too_few_pairs_are_left_out() -> None:
    both: list[int | None] = [0] * LEAST
    cells = cells_of([[*both, 1], [*both, 1], [1, *[None] * LEAST]], [*[0] * LEAST, 1])
    assert (cells.topic.tolist(), sorted(cells.who.tolist())) == ([0], [0, 1])
    assert cells.is_sure.all()


@pytest.mark.parametrize("ratings", [[[0, 1]], [[None, 1], [1, None]], [[0, 1], [0, 1]]])
def test_nothing_where_nobody_shares_enough(ratings: list[list[int | None]]) -> None:
    cells = cells_of(ratings, [0, 1])
    assert (cells.n.shape, cells.of_topics, cells.of_people) == ((0, 0), 0, 0)


@pytest.mark.parametrize("seed", range(3))
def test_of_many_those_that_tell_most(seed: int) -> None:
    random = np.random.default_rng(seed)
    n_topics, n_people, n_pairs = 40, 30, 40 * 25
    topic = np.repeat(np.arange(n_topics), 25)
    judges = [random.choice(n_people, 6, replace=False) for _ in range(n_pairs)]
    pair = np.repeat(np.arange(n_pairs), 6)
    hard = random.random(n_topics)[topic[pair]]
    grade = np.where(random.random(len(pair)) < hard, random.integers(0, 3, len(pair)), 1)
    votes = Votes(pair, np.concatenate(judges), grade, n_pairs)
    counts = counts_of_votes(votes, SCALE, topic)
    cells = telling_cells(votes, counts, SCALE, n_topics)
    assert cells.n.shape == (MOST_TOPICS, MOST_PEOPLE)
    assert cells.of_topics > MOST_TOPICS
    for row, which in list(enumerate(cells.topic.tolist()))[::7]:
        for column, who in enumerate(cells.who.tolist()):
            shares = by_definition(votes, topic, which, who)
            assert cells.n[row, column] == len(shares)
            if shares:
                assert cells.share[row, column] == pytest.approx(np.mean(shares), abs=1e-12)
