"""The campaign from an empty database to the leaderboard. Each step says what must have come of it."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from annotation.models import Batch, GoldEvent, Item, Judgment, Planting, Slot, User
from tests.journeys.campaign.annotators import EVERYBODY, Annotator, judge_all
from tests.journeys.campaign.browser import Page
from tests.journeys.campaign.expected import Sent, kendall_tau, read_qrels, wilson_interval
from tests.journeys.campaign.lead import HOME, Lead
from tests.journeys.campaign.material import Material, Pair
from tests.journeys.clock import Clock
from tests.journeys.invariants import broken_invariants
from touchstone.demo.annotators import BAD, GOOD

FEWEST_ITEMS = 300
ENOUGH_GOLD = 10
MOST_ASIDE = 1.5  # seconds a card: a busy machine may keep a page from being active, a person would for longer
CARDS_OF_BAD = 90  # the three who are not good stop after so many, the others go on to the end
DISCERNIBLE = 0.01  # runs that the true qrels hold closer have no order that could be found again
COLUMNS = ("standing", "judged", "gold", "accuracy", "active_seconds", "wall_seconds", "early")  # of annotators

TakeGold = Callable[[Lead, Material], None]


@dataclass
class Campaign:
    material: Material
    clock: Clock
    seed: int
    gold_share: int
    lead: Lead = field(default_factory=Lead)
    people: list[Annotator] = field(default_factory=list)
    pseudonyms: dict[str, str] = field(default_factory=dict)

    @property
    def batch(self) -> Batch:
        return Batch.objects.get()

    def prepare(self) -> None:
        """An empty database, then a collection with topics, documents and runs."""
        assert not User.objects.exists()
        self.lead.come_in()
        self.lead.create_collection(self.material.name)
        self.lead.bring("topics", self.material.topics)
        self.lead.bring("documents", self.material.documents)
        runs = self.lead.bring_runs(self.material.runs)
        assert len(runs) == len(self.material.runs)
        overview = self.lead.browser.open(HOME).figures()
        assert overview["Documents"] == f"{len(self.material.shown):,}"

    def gather(self) -> None:
        """Eight links at once, used by eight new people."""
        links = self.lead.invite([f"for {behaviour.name}" for behaviour in EVERYBODY])
        docnos = self.material.docno_by_look()
        start = self.clock.now()
        for place, behaviour in enumerate(EVERYBODY):
            person = Annotator(start + timedelta(seconds=place), place, behaviour, self.material, docnos, self.seed)
            person.join(links[f"for {behaviour.name}"])
            self.people.append(person)
        self.pseudonyms = self.lead.pseudonyms()
        assert len({self.pseudonyms[behaviour.name] for behaviour in EVERYBODY}) == 8

    def pool(self) -> None:
        pool = self.lead.pool(self.material)
        assert int(pool.figures()["Pairs"]) == len(self.material.pool())
        assert pool.figures()["Topics"] == str(len(self.material.numbers))

    def lay_out(self) -> None:
        """The dry run says what will be, and so it is."""
        names = [self.pseudonyms[person.behaviour.name] for person in self.people]
        dry_run = self.lead.browser.open(
            self.lead.draft_batch(annotators=names, gold_share=self.gold_share, seed=self.seed).address
        )
        figures = dry_run.figures()
        kinds = {row["Kind"]: row for row in dry_run.table("Kind", "Pairs", "Judgments")}
        parts = {row["Annotator"]: row for row in dry_run.table("Annotator", "Judgments", "Ten gold")}
        assert [parts[name]["Ten gold"] for name in names] == ["in reach"] * 8
        assert not Item.objects.exists()
        done, laid_out = self.lead.lay_out(dry_run)
        items = Item.objects.filter(batch=self.batch)
        ordinary = items.filter(planting__isnull=True)
        assert f"{figures['Pairs laid out']} pairs laid out." in done.words
        assert items.count() == int(figures["Pairs laid out"]) >= FEWEST_ITEMS
        assert ordinary.count() == int(kinds["To be judged"]["Pairs"])
        assert items.filter(planting__purpose=Planting.Purpose.GOLD).count() == int(kinds["Gold"]["Pairs"])
        assert int(kinds["To be judged"]["Judgments"]) == 3 * ordinary.count()
        assert Counter(Slot.objects.filter(item__in=ordinary).values_list("item")) == Counter(
            dict.fromkeys(ordinary.values_list("pk"), 3)
        )
        opened = self.lead.browser.press(laid_out, "Open")
        assert f"0 of {figures['Judgments']} judgments expected" in opened.words

    def judge(self) -> None:
        for person in self.people:
            person.moment = self.clock.now()
            person.left = CARDS_OF_BAD if person.behaviour in BAD else None
            person.begin()
        judge_all(self.people, self.clock)
        self._check_judged()

    def _check_judged(self) -> None:
        """Every judgment said to be saved is there once; no pair has more or fewer than three; the page agrees."""
        sent = self.sent()
        tokens = {token: grade for person in self.people for token, grade in person.tokens.items()}
        assert broken_invariants(self.batch, tokens) == []
        assert Judgment.objects.count() == len(tokens) == sum(map(len, sent.grades.values()))
        ordinary = sent.laid - sent.gold.keys()
        assert Counter(map(len, sent.of_pairs(sent.grades).values())) == {3: len(ordinary)}
        page = self.lead.browser.open(f"{HOME}batches/{self.batch.token}/")
        rows = {row["Annotator"]: row for row in page.table("Annotator", "Judged")}
        for person in self.people:
            assert rows[self.pseudonyms[person.behaviour.name]]["Judged"] == str(len(person.grades))
        expected, planted = self.batch.n_expected, len(tokens) - 3 * len(ordinary)
        assert len(tokens) == pytest.approx(expected, rel=0.1)
        assert planted == sum(len(sent.gold_answers(name)) for name in sent.grades)
        assert any(person.n_breaks for person in self.people), "somebody judged long enough for a break"

    def sent(self) -> Sent:
        rows = GoldEvent.objects.values_list("topic__number", "document__docno", "grade")
        gold = {(number, docno): grade for number, docno, grade in rows if grade is not None}
        laid = frozenset(self.batch.items.values_list("topic__number", "document__docno"))
        grades = {person.behaviour.name: person.grades for person in self.people}
        return Sent(grades, gold, laid)

    def look_at_quality(self) -> None:
        """The page names the three who are not to be believed, and nobody else."""
        sent = self.sent()
        page = self.lead.browser.open(f"{HOME}quality/")
        columns = "&".join(f"columns={name}" for name in COLUMNS)
        annotators = self.lead.browser.open(f"{HOME}quality/annotators?{columns}")
        rows = {row["Pseudonym"]: row for row in annotators.table("Pseudonym", "Standing")}
        mine = {person.behaviour.name: rows[self.pseudonyms[person.behaviour.name]] for person in self.people}
        believed = {name for name, row in mine.items() if row["Standing"].startswith("reliable")}
        assert {name: re.split("[^a-z]", row["Standing"])[0] for name, row in mine.items()} == {
            **{behaviour.name: "reliable" for behaviour in GOOD},
            **{behaviour.name: "unreliable" for behaviour in BAD},
        }, {name: mine[name]["Accuracy"] for name in mine}
        assert page.figures()["Annotators believed"].startswith(f"{len(believed)} of 8")
        for name, row in mine.items():
            answers = sent.gold_answers(name)
            assert row["Judged"] == str(len(sent.grades[name]))
            assert row["Gold"] == str(len(answers))
            assert len(answers) >= ENOUGH_GOLD
            shown = [int(number) / 100 for number in re.findall(r"\d+", row["Accuracy"])]
            assert shown == pytest.approx([sum(answers) / len(answers), *wilson_interval(answers)], abs=0.006)
        self._check_paces(mine)
        for name, agreement in (("Exact", sent.exact_agreement()), ("Pairwise", sent.pairwise_agreement())):
            percent = page.figures()[f"{name} agreement"].removesuffix(" %")
            assert float(percent) / 100 == pytest.approx(agreement, abs=0.006)
        assert 0.1 < float(page.figures()["Krippendorff’s α"]) < 0.9, "three of eight are not good"
        self._check_grades_given(annotators)

    def _check_paces(self, mine: Mapping[str, Mapping[str, str]]) -> None:
        """The hasty one stands out by the clock: not half as long a card as anybody else."""
        active_of = {name: float(row["Active s"]) for name, row in mine.items()}
        assert active_of["hasty"] < min(active for name, active in active_of.items() if name != "hasty") / 2
        for person in self.people:
            row = mine[person.behaviour.name]
            assert -0.1 < float(row["Wall s"]) - active_of[person.behaviour.name] < MOST_ASIDE, "nobody looked away"
            assert row["Early"] == "0 %", "there is no minimum time"

    def _check_grades_given(self, page: Page) -> None:
        """Who always answers 2 is seen at a glance."""
        rows = {row["Pseudonym"]: row for row in page.table("Pseudonym", "0", "4", "Answers")}
        assert rows[self.pseudonyms["constant"]]["2"] == "100"
        assert max(int(rows[self.pseudonyms[good.name]]["2"]) for good in GOOD) < 50

    def freeze(self) -> None:
        """The qrels are what the five believed people say, reckoned here anew, and near the truth."""
        sent = self.sent()
        expected = sent.kept(good.name for good in GOOD)
        preview, snapshot = self.lead.freeze("first-round")
        assert f"Freeze {len(expected)} pairs" in preview.words
        assert snapshot.figures()["Pairs"] == str(len(expected))
        qrels = read_qrels(self.lead.browser.download(snapshot.link("Qrels")))
        assert qrels == expected
        assert len(qrels) > len(sent.laid) / 2
        self._check_truth({pair: grade for pair, grade in qrels.items() if pair not in sent.gold})
        verified = self.lead.browser.press(snapshot, "Verify")
        assert "rebuilding from the frozen inputs gives the same bytes" in verified.words

    def _check_truth(self, judged: Mapping[Pair, int]) -> None:
        apart = Counter(abs(grade - self.material.grade(pair)) for pair, grade in judged.items())
        assert apart[0] / apart.total() > 0.8, apart
        assert (apart[0] + apart[1]) / apart.total() > 0.97, apart

    def rank(self) -> None:
        """The judged qrels order the runs nearly as the true ones do."""
        judged = self.lead.evaluate("first-round")
        true = self.lead.evaluate("truth")
        assert judged.keys() == true.keys()
        assert kendall_tau(judged, true, apart=DISCERNIBLE) >= 0.6, (judged, true)
        order = sorted(true, key=true.__getitem__)
        assert judged[order[-1]] > judged[order[0]], (judged, true)


def walk(material: Material, *, clock: Clock, take_gold: TakeGold, seed: int, gold_share: int = 18) -> Campaign:
    """`gold_share`: per cent of the cards."""
    campaign = Campaign(material, clock, seed, gold_share)
    campaign.prepare()
    campaign.gather()
    campaign.lead.bring("qrels", material.true_qrels(), name="truth")
    campaign.pool()
    take_gold(campaign.lead, material)
    campaign.lay_out()
    campaign.judge()
    campaign.look_at_quality()
    campaign.freeze()
    campaign.rank()
    return campaign
