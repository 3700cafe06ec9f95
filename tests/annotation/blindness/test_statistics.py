"""A classifier gets all that a person could observe of 1,000 planted and 1,000 ordinary cards, and finds nothing.

Gold is set for documents drawn at random, so that texts say nothing; what is left to learn from is what the program
adds: order, place in topic and block, bytes, headers, counters, tokens.
"""

import secrets
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.judging.steps import tally
from annotation.models import Batch, DocumentVersion
from tests.annotation.blindness.classifier import Array, held_out_auc
from tests.annotation.blindness.observer import Observer, ProgramObserver, judged_in_turns, truth_of
from tests.annotation.campaign import make_campaign

N_EACH = 1000
TYPES = (Observer, ProgramObserver)
MARGIN = 0.04


@pytest.mark.django_db
def test_gold_cannot_be_told_by_anything_that_is_observable(monkeypatch: pytest.MonkeyPatch) -> None:
    """By page or by program: each person has both at work on the same cards, by turns."""
    chance = Random(11)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda n=16: f"{chance.getrandbits(128):032x}"[:22])
    monkeypatch.setattr(tally, "RECOUNT_AFTER", -1.0)  # how many cards come at once would follow the clock
    batch = laid_out(seed=17)
    by_type = judged_in_turns(batch, chance, observer_types=TYPES)
    areas = {each.__name__: observable_auc(batch, observers) for each, observers in zip(TYPES, by_type, strict=True)}
    assert {name: area for name, area in areas.items() if abs(area - 0.5) > MARGIN} == {}


def test_the_classifier_finds_a_weak_leak() -> None:
    """Were gold never among the first three cards of a block, it would be found."""
    rng = np.random.default_rng(5)
    place = rng.integers(0, 25, size=2 * N_EACH).astype(float)
    noise = rng.normal(size=(2 * N_EACH, 5))
    truth = (rng.random(2 * N_EACH) < np.where(place < 3, 0.0, 0.5)).astype(int)
    people = list(range(20)) * (N_EACH // 10)
    assert held_out_auc(np.column_stack([place, noise]), truth, people) > 0.5 + MARGIN
    assert abs(held_out_auc(noise, truth, people) - 0.5) <= MARGIN


def observable_auc(batch: Batch, observers: Sequence[Observer]) -> float:
    """The area under the curve of what the classifier makes of every card that anybody was brought."""
    seen = [card for observer in observers for card in observer.seen]
    truth = truth_of(seen, batch)
    kept = balanced(truth, np.random.default_rng(3))
    features = np.array([seen[at].features for at in kept])
    return held_out_auc(features, truth[kept], [seen[at].person for at in kept])


def laid_out(*, seed: int) -> Batch:
    """An open batch of 22 topics with 46 documents each, half of them gold; texts differ by their number alone."""
    campaign = make_campaign(n_topics=22, n_pairs=46, n_gold=0, n_people=5)
    rng = np.random.default_rng(seed)
    gold = [(topic, int(document)) for topic in range(22) for document in rng.permutation(46)[:23]]
    campaign.set_golds({pair: int(rng.integers(0, 5)) for pair in gold})
    versions = list(DocumentVersion.objects.select_related("document"))
    for version in versions:
        version.title = f"Document {version.document.pk:08}"
    DocumentVersion.objects.bulk_update(versions, ["title"])
    settings: dict[str, Any] = {"judgments_per_item": 2, "minimum_seconds": 0, "session_minutes": 0, "block_size": 25}
    batch = campaign.draft(gold_share=0.5, seed=seed, **settings)
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    return batch


def balanced(truth: Array, rng: np.random.Generator, n_each: int = N_EACH) -> Array:
    """The places of `n_each` gold cards and as many ordinary ones, by chance."""
    return np.concatenate([rng.choice(np.flatnonzero(truth == kind), n_each, replace=False) for kind in (0, 1)])
