"""The way of somebody who leads a campaign through its pages, with all that the demo holds."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.management import call_command
from django.urls import reverse

from annotation.models import Annotator, Batch, Collection, Snapshot, Topic, User
from annotation.trust.read.comparison import trials
from annotation.trust.read.policies import unsaved_default
from evaluation.accounting.steps.requests import ask_accounting, ask_policies
from evaluation.models import Accounting, Experiment, Run, Series
from tests.demo import MadeDemo
from touchstone.demo.building import SLUG
from touchstone.demo.people import ADMIN

MEASURES = ("nDCG@10", "AP")
RULES = ("majority", "dawid_skene")


@dataclass(frozen=True)
class Stop:
    """`name`: of the pictures; `words`: above them."""

    name: str
    words: str
    path: str


@dataclass(frozen=True)
class Lead:
    user: User
    collection: Collection

    def stops(self) -> Iterator[Stop]:
        """In the order in which one meets them."""
        at_work = Batch.objects.get(name="Round two")
        steered = Batch.objects.get(steered_by__isnull=False)
        yield self._stop("health", "A batch at work: how far, how well, what goes wrong", "batch_health", at_work.token)
        yield self._stop("overlap", "More judgments only where a grade is in doubt", "batch", steered.token)
        yield from self._of_people()
        yield self._stop("supply", "How much gold is left for whom", "gold_supply")
        yield self._stop("suspects", "Gold that good people miss", "gold_suspects")
        yield self._stop("contested", "Contested pairs, those first where a decision changes most", "adjudication")
        yield from self._of_policies()
        yield from self._of_texts_and_figures()

    def _of_people(self) -> Iterator[Stop]:
        batches = list(Batch.objects.order_by("pk").values_list("token", flat=True))
        chosen = urlencode({"batch": batches, "policy": str(Snapshot.objects.get().policy)}, doseq=True)
        for name, words in (
            ("quality", "What to make of it: the summary of Quality"),
            ("quality_annotators", "Whom to believe"),
            ("quality_agreement", "How far people agree"),
            ("quality_pairs", "What drops, and why"),
            ("quality_machines", "How a machine compares with people"),
        ):
            yield self._stop(name.replace("_", "-"), words, name, query=chosen)
        for name, words in (
            ("careful", "One who reads: everything about one annotator"),
            ("hasty", "One who hurries: everything about one annotator"),
            ("model", "A machine judge, beside people"),
        ):
            person = Annotator.objects.get(pseudonym=f"simulated-{name}")
            yield self._stop(f"annotator-{name}", words, "annotator", person)
        yield self._stop("couples", "Who agrees with whom", "quality_couples")
        yield self._stop("watch", "The watch on critical errors, with how often it errs", "quality_watch")
        yield self._stop("pausing", "Pausing: by hand, by rule", "quality_pausing")

    def _of_policies(self) -> Iterator[Stop]:
        done, snapshot = Batch.objects.get(name="Round one").token, Snapshot.objects.get()
        several = urlencode({"batch": done, "policy": str(snapshot.policy), "rule": RULES}, doseq=True)
        trial = urlencode({"batch": done, "policy": list(trials(RULES))[-1]})
        compared = Accounting.objects.get(snapshot=None)
        yield self._stop("policies", "Policies on the same judgments", "policies_compare", query=several)
        yield self._stop("calibration", "Whether a confidence holds", "policies_calibration", query=trial)
        yield self._stop("accounting", "What the dropped pairs could change", "accounting", snapshot)
        yield self._stop("ranking", "What policies do to the order of runs", "accounting_compared", compared)

    def _of_texts_and_figures(self) -> Iterator[Stop]:
        test = Experiment.objects.get()
        topic = self.collection.topics.order_by("pk")[0]
        yield self._stop("guideline", "What annotators read beside every document", "guideline")
        yield self._stop("gold", "Gold, and what people made of each pair", "gold")
        yield self._stop("topic", "One topic: its documents by grade", "topic", topic)
        yield self._stop("series", "A figure watched over time", "series", Series.objects.get(kind="outside"))
        yield self._stop("ab-test", "An A/B test: what it shows", "ab_test", test)

    def _stop(self, name: str, words: str, page: str, of: object = None, *, query: str = "") -> Stop:
        kwargs: dict[str, object] = {"slug": self.collection.slug}
        if isinstance(of, Annotator):
            kwargs["pseudonym"] = of.pseudonym
        elif isinstance(of, str):
            kwargs["token"] = of
        elif isinstance(of, Topic):
            kwargs["number"] = of.number
        elif isinstance(of, Experiment):
            kwargs["experiment"] = of.name
        elif isinstance(of, (Snapshot, Accounting, Series)):
            kwargs["pk"] = of.pk
        return Stop(name, words, reverse(page, kwargs=kwargs) + f"?{query}" * bool(query))


def make_lead(demo: MadeDemo) -> Lead:
    """The demo, with its runs evaluated and both kinds of accounting done."""
    demo.put()
    collection, user = Collection.objects.get(slug=SLUG), User.objects.get(username=ADMIN)
    snapshot, runs = Snapshot.objects.get(), list(Run.objects.filter(collection=collection))
    batches = list(Batch.objects.filter(name="Round one"))
    ask_accounting(snapshot, runs, k=10, measures=MEASURES, created_by=user)
    ask_policies(
        collection,
        batches=batches,
        policies=[unsaved_default(collection)],
        rules=RULES,
        runs=runs,
        k=10,
        measures=MEASURES,
        created_by=user,
    )
    call_command("worker", "--once")
    return Lead(user, collection)
