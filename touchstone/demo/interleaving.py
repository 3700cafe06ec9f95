"""Interleaving in the demo: three of its rankers in one list, shown to simulated visitors, and how many it takes."""

import io

import numpy as np

from annotation.models import Collection, Snapshot, User
from evaluation.beyond.steps.asking import Asked, ask_description, file_source, run_source, snapshot_source
from evaluation.beyond.steps.interleaving import drawn_lists
from evaluation.engine.clicks.models import model_named
from evaluation.engine.clicks.simulation import simulated_clicks
from evaluation.formats.clicks import clicks_jsonl
from evaluation.formats.interleaving import lists_jsonl
from evaluation.leaderboard.read.evaluations import load_qrels
from evaluation.models import Description, Run

SEED, LISTS, VISITS = 20, 20, 3000
USERS, TAGS = "navigational", ("bm25", "hashed-trigrams", "latent")


def interleave_rankers(collection: Collection, admin: User) -> None:
    """The worker credits their clicks."""
    runs = [Run.objects.get(collection=collection, tag=tag) for tag in TAGS]
    snapshot = Snapshot.objects.filter(collection=collection).earliest("pk")
    shown = {"method": "team_draft", "depth": 10, "seed": SEED}
    lists = drawn_lists(runs, parameters={}, lists=LISTS, **shown)  # type: ignore[arg-type]
    users, rng = model_named(USERS), np.random.default_rng(SEED)
    row, clicked = simulated_clicks(lists, load_qrels(snapshot), users, impressions=VISITS, rng=rng)
    sources = {
        "lists": file_source(io.BytesIO(b"".join(lists_jsonl(lists))), "lists.jsonl"),
        "log": file_source(io.BytesIO(b"".join(clicks_jsonl(lists, row, clicked))), "visits.jsonl"),
    }
    options = {"confidence": 0.95, "correction": "holm"}
    ask_description(collection, Asked(Description.Kind.INTERLEAVING, sources, options), created_by=admin)
    of_power = {"judgments": snapshot_source(snapshot), "first": run_source(runs[0]), "second": run_source(runs[1])}
    simulated = {"clicks": USERS, "sizes": "50,100,200,500,1000,2000,5000", "replications": 500}
    asked = {**shown, **simulated, "outcome": "clicked", "alpha": 0.05}
    ask_description(collection, Asked(Description.Kind.INTERLEAVING_POWER, of_power, asked), created_by=admin)
