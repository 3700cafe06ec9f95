"""The process of benchmarks/leaderboard.py: `runs.py N`."""

import gc
import os
import resource
import statistics
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

import django
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
os.environ["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"
django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from annotation.kernel.bulk_rows import tell_planner  # noqa: E402
from annotation.kernel.jobs import claim_job, run_job  # noqa: E402
from annotation.kernel.store import put  # noqa: E402
from annotation.models import Snapshot  # noqa: E402
from evaluation.engine.scorer import MeasureValues  # noqa: E402
from evaluation.engine.values import pack_values  # noqa: E402
from evaluation.leaderboard.read.evaluations import CONFIDENCE, MEANS_FORM, means_of  # noqa: E402
from evaluation.models import Evaluation, Run  # noqa: E402
from tests.factories import make_collection, make_snapshot, make_user  # noqa: E402

SEED, N_TOPICS, AIM = 16, 250, 300
MEASURES = ("nDCG@10", "nDCG", "AP", "RR", "P@10", "R@100", "bpref", "Judged@10", "nDCG@5", "P@5")
ALL = urlencode({"measure": MEASURES}, doseq=True)
PAGES = {
    "at first": "",
    "all columns": f"?{ALL}",
    "one measure": "?measure=nDCG@10",
    "against a baseline": f"?{ALL}&baseline=run-150",
    "intervals of 90 %": f"?{ALL}&confidence=0.9",
    "as CSV": "?form=csv",
    "plots": "plots",
    "all pairs": "compare-many?measure=nDCG@10",
}


def main(n_runs: int) -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    person = make_user()
    snapshot = make_snapshot(make_collection(admin=person, slug="bench"), "1 0 d1 1\n", name="first")
    store(snapshot, n_runs)
    gc.freeze()  # as touchstone/wsgi.py does
    client, board = Client(headers={"host": "localhost"}), "/c/bench/leaderboard/"
    client.force_login(person)
    client.post(board)
    begin = time.perf_counter()
    while job := claim_job():
        run_job(job)
    print(
        f"{n_runs} runs, {N_TOPICS} topics, {len(MEASURES)} measures; ranks, once: {time.perf_counter() - begin:.1f} s"
    )
    for name, page in PAGES.items():
        seconds, cpu, size = asked(client, board + page)
        words = f"{1000 * seconds:6.0f} ms (aim {AIM}), {1000 * cpu:.0f} ms of the processors, {size / 1000:.0f} kB"
        print(f"{name:20}{words}", flush=True)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def asked(client: Client, path: str) -> tuple[float, float, int]:
    took, cpu = [], []
    for _ in range(5):
        begin, processors = time.perf_counter(), time.process_time()
        answer = client.get(path)
        took.append(time.perf_counter() - begin)
        cpu.append(time.process_time() - processors)
        if answer.status_code != 200:
            sys.exit(f"{path}: {answer.status_code}")
    return statistics.median(took[1:]), statistics.median(cpu[1:]), len(answer.content)


def store(snapshot: Snapshot, n_runs: int) -> None:
    """Each run has a mean of its own; topics are hard or easy for all."""
    rng = np.random.default_rng(SEED)
    hard, numbers = rng.beta(2, 2, (N_TOPICS, 1)), tuple(sorted(map(str, range(N_TOPICS))))
    for at in range(n_runs):
        value = np.clip(hard + rng.normal(at / n_runs / 4, 0.15, (N_TOPICS, len(MEASURES))), 0, 1)
        tag, nothing = f"run-{at:03}", dict.fromkeys(("missing", "without_relevant", "unknown"), ())
        values = MeasureValues(
            tag=tag, averaging="complete", measures=MEASURES, numbers=numbers, value=value, mean=value.mean(axis=0),
            n_judged_rows=0, n_tied_judged_rows=0, top_grade=1, **nothing,
        )  # fmt: skip
        run = Run.objects.create(collection=snapshot.collection, tag=tag, sha256="0" * 64, n_topics=N_TOPICS, n_rows=0)
        means, sha = means_of(values, CONFIDENCE), put(pack_values(values))
        same = {
            "measures": list(MEASURES),
            "means": means,
            "means_form": MEANS_FORM,
            "n_topics": N_TOPICS,
            "sha256": sha,
        }
        Evaluation.objects.create(snapshot=snapshot, run=run, averaging="complete", **same)
    tell_planner(Run, Evaluation)


if __name__ == "__main__":
    main(int(sys.argv[1]))
