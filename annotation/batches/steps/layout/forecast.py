"""What a plan would mean, before anything is stored: the dry run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from annotation.batches.steps.layout.blocks import GOLD
from annotation.batches.steps.layout.chances import GoldChances, gold_chances
from annotation.batches.steps.layout.expected_stock import Stock
from annotation.batches.steps.layout.material import Kind, Material, Person
from annotation.batches.steps.layout.planning import Plan
from annotation.text.counted import counted

ENOUGH_GOLD = 10  # gold judgments without which an annotator stays unproven
SENSIBLE_GOLD_SHARE = (0.10, 0.15)
FAR_LESS = 0.5  # of the gold asked for: from here on it is said that less will come


@dataclass(frozen=True)
class PersonForecast:
    """`n_gold`: gold to expect here on average, `n_gold_low` its 5th percentile, `n_gold_bound` what there is for the
    person if they take every block; `n_gold_before`: judged in other batches. `short`: why ten are out of reach.

    Of those who get no cards now (`gets_cards`) nothing is expected.
    """

    pseudonym: str
    n_judgments: float
    n_gold: int
    n_gold_before: int
    short: str
    gets_cards: bool = True
    n_gold_low: int = 0
    n_gold_bound: int = 0


@dataclass(frozen=True)
class DryRun:
    """`n_judgments` and its parts are what is to be expected of those who get cards now, not what could be. `errors`
    forbid laying out.

    `n_gold_ready`: gold pairs of which as many judgments are to be expected as of every pair. `n_left_out`: pairs of
    the pool that are not laid out, because everybody knows them from the qualification round.
    """

    n_topics: int
    n_blocks: int
    n_items: int
    n_ordinary: int
    n_gold: int
    n_checks: int
    n_resting: int
    n_judgments: int
    n_ordinary_judgments: int
    n_gold_judgments: int
    n_gold_ready: int
    n_check_judgments: int
    n_repeat_judgments: int
    seconds: float
    seconds_known: bool
    people: tuple[PersonForecast, ...]
    warnings: tuple[str, ...]
    errors: tuple[str, ...]
    n_left_out: int = 0

    @property
    def hours(self) -> float:
        return self.n_judgments * self.seconds / 3600

    @property
    def short_of_gold(self) -> list[PersonForecast]:
        return [person for person in self.people if person.short]

    @property
    def nobody_proves(self) -> bool:
        """Whether none of those who get cards can come to ten gold judgments, which the default policy asks for."""
        return _nobody_proves(self.people)


def forecast(plan: Plan, material: Material, *, seconds: float, seconds_known: bool) -> DryRun:
    """`seconds` for a judgment: measured in this collection (`seconds_known`) or assumed."""
    kinds = Counter(item.kind for item in plan.items)
    each = _expected(plan, material)
    n_gold, n_checks, n_repeats = (round(sum(one.means[kind] for one in each)) for kind in range(3))
    people = tuple(one.forecast for one in each)
    n_judgments = plan.n_slots + n_gold + n_checks + n_repeats
    return DryRun(
        n_topics=len(material.topics),
        n_blocks=len({item.block for item in plan.items}),
        n_items=len(plan.items),
        n_ordinary=kinds[Kind.ORDINARY],
        n_gold=kinds[Kind.GOLD],
        n_checks=kinds[Kind.CHECK],
        n_resting=sum(item.strand is None and item.kind is not Kind.ORDINARY for item in plan.items),
        n_judgments=n_judgments,
        n_ordinary_judgments=plan.n_slots,
        n_gold_judgments=n_gold,
        n_gold_ready=_gold_ready(plan, n_gold),
        n_check_judgments=n_checks,
        n_repeat_judgments=n_repeats,
        seconds=seconds,
        seconds_known=seconds_known,
        people=people,
        warnings=(
            *_proof_warnings(people),
            *_warnings(material),
            *_supply_warnings(material, n_gold=n_gold, n=n_judgments),
            *_repeat_warnings(plan, material),
        ),
        errors=tuple(_errors(material)),
        n_left_out=sum(len(topic.left_out) for topic in material.topics),
    )


@dataclass(frozen=True)
class _Expected:
    """`means`: gold, checks and repeats to expect of a person."""

    forecast: PersonForecast
    means: tuple[float, float, float] = (0.0, 0.0, 0.0)


def _expected(plan: Plan, material: Material) -> list[_Expected]:
    """Of each person, where those who get cards now take equal parts of the ordinary judgments."""
    stock, cards = Stock(plan.items), plan.n_slots / max(1, sum(person.gets_cards for person in material.people))
    block_cards, topic_cards = stock.block_cards, stock.topic_cards
    chances = cache(partial(gold_chances, cards=cards, block_cards=block_cards, topic_cards=topic_cards))
    planted, wanted = material.wanted.planted_share, material.wanted
    repeats = wanted.repeat_share / (1 - planted) * stock.block_cards * stock.visits_again(cards)
    expected = []
    for person in material.people:
        gold = chances(stock.unmet(Kind.GOLD, person), share=wanted.gold_share, planted_share=planted)
        checks = chances(stock.unmet(Kind.CHECK, person), share=wanted.check_share, planted_share=planted)
        means = (gold.mean, checks.mean, repeats) if person.gets_cards else (0.0, 0.0, 0.0)
        expected.append(_Expected(_forecast_of(person, cards + sum(means), gold, material), means))
    return expected


def _forecast_of(person: Person, n_judgments: float, gold: GoldChances, material: Material) -> PersonForecast:
    nothing = not person.gets_cards
    return PersonForecast(
        pseudonym=person.pseudonym,
        n_judgments=0.0 if nothing else n_judgments,
        n_gold=0 if nothing else round(gold.mean),
        n_gold_before=person.n_gold_before,
        short="" if nothing else _why_short(person, gold, material),
        gets_cards=person.gets_cards,
        n_gold_low=0 if nothing else gold.low,
        n_gold_bound=gold.bound,
    )


def _why_short(person: Person, gold: GoldChances, material: Material) -> str:
    if person.n_gold_before + gold.mean >= ENOUGH_GOLD:
        return ""
    supply = sum((topic.topic, document) not in person.met for topic in material.topics for document in topic.gold)
    if supply + person.n_gold_before < ENOUGH_GOLD:
        return f"Supply: the chosen topics have {counted(supply, 'gold pair')} that this person has not met."
    if person.n_gold_before + gold.bound < ENOUGH_GOLD:
        return f"Stock: at this share {counted(gold.bound, 'gold pair')} that they have not met would be laid out."
    return "Share: there is gold enough, but at this share and number of judgments too little of it comes up."


def _gold_ready(plan: Plan, n_gold: int) -> int:
    """What is judged least comes first: how many pairs get as many judgments as every other pair."""
    n = sum(item.strand == GOLD for item in plan.items)
    return max(0, min(n, n_gold - n * (plan.judgments_per_item - 1)))


def _errors(material: Material) -> Iterator[str]:
    n_people, wanted = len(material.people), material.wanted
    if n_people < wanted.judgments_per_item:
        yield (
            f"{counted(wanted.judgments_per_item, 'judgment')} of every pair by different people are wanted, but there "
            f"{'is' if n_people == 1 else 'are'} {counted(n_people, 'participant')}."
        )
    if not any(topic.ordinary for topic in material.topics):
        yield "Nothing is left to judge: the pool has no pair of these topics that is not gold."


def _warnings(material: Material) -> Iterator[str]:
    low, high = SENSIBLE_GOLD_SHARE
    if not low <= material.wanted.gold_share <= high:
        yield f"The gold share is {material.wanted.gold_share * 100:g} %; 10 to 15 % is sensible."
    yield from _gold_warnings(material)
    checks_missing = [t.number for t in material.topics if t.n_checks(material.wanted) and not t.distant]
    if checks_missing:
        yield f"No documents far enough from the topic for attention checks: {_listed(checks_missing)}."
    yield from _warnings_of_absence(material)
    empty = [topic.number for topic in material.topics if not topic.pool]
    if empty:
        yield f"No pairs in the pool: {_listed(empty)}."


def _warnings_of_absence(material: Material) -> Iterator[str]:
    without_cards = [person.pseudonym for person in material.people if not person.gets_cards]
    if not without_cards:
        return
    names = _listed(without_cards)
    yield f"Paused or excluded, and without cards until they are brought back: {names}. The figures leave them out."
    n_left, wanted = len(material.people) - len(without_cards), material.wanted.judgments_per_item
    if n_left < wanted:
        yield (
            f"{wanted} judgments of every pair by different people are wanted, but only {n_left} of the "
            f"participants get{'s' if n_left == 1 else ''} cards now: bring others back, or assign more people."
        )


def _repeat_warnings(plan: Plan, material: Material) -> Iterator[str]:
    if material.wanted.repeat_share > 0 and not Stock(plan.items).has_later_blocks:
        yield "No repeats: they come in a later block of their topic, and no topic has two. Smaller blocks would help."


def _nobody_proves(people: Sequence[PersonForecast]) -> bool:
    at_work = [person for person in people if person.gets_cards]
    return bool(at_work) and all(person.short for person in at_work)


def _proof_warnings(people: Sequence[PersonForecast]) -> Iterator[str]:
    if _nobody_proves(people):
        yield (
            f"No pair will count: nobody can reach {ENOUGH_GOLD} judgments on gold, and the default policy counts "
            "nobody with fewer. Add gold to these topics or raise the gold share before you lay out, or plan to freeze "
            "with a policy that counts unproven people."
        )


def _supply_warnings(material: Material, *, n_gold: int, n: int) -> Iterator[str]:
    """Where far less gold is to be expected than its share asks for."""
    asked = material.wanted.gold_share * n
    if asked < 1 or n_gold >= FAR_LESS * asked:
        return
    yield (
        f"Gold comes to {n_gold} of {counted(n, 'judgment')} ({100 * n_gold / n:.0f} %), and "
        f"{100 * material.wanted.gold_share:g} % is asked for. Nobody meets a gold pair twice, and gold comes only "
        "among the pairs of its topic: more gold in these topics gives more."
    )


def _gold_warnings(material: Material) -> Iterator[str]:
    if material.wanted.gold_share <= 0:
        return
    without = [topic.number for topic in material.topics if topic.pool and not topic.gold]
    if without:
        yield f"Topics without gold: {_listed(without)}."
    grades = {grade for topic in material.topics for grade in topic.gold.values()}
    if len(grades) == 1:
        yield f"All gold has grade {grades.pop()}: someone who always answers that would pass."


def _listed(numbers: list[str]) -> str:
    """At most ten of them, and how many more."""
    more = f" and {len(numbers) - 10} more" if len(numbers) > 10 else ""
    return ", ".join(numbers[:10]) + more
