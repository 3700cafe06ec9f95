"""What a plan would mean, before anything is stored: the dry run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.batches.steps.layout.material import Kind, Material, Person, PlannedSlot
from annotation.batches.steps.layout.planning import Plan, blocks_of, gold_supply
from annotation.text.counted import counted

ENOUGH_GOLD = 10  # gold judgments without which an annotator stays unproven
SENSIBLE_GOLD_SHARE = (0.10, 0.15)
FAR_LESS = 0.5  # of the gold asked for: from here on it is said that less will come


@dataclass(frozen=True)
class PersonForecast:
    """`n_gold`: gold to expect here; `n_gold_before`: judged in other batches. `short`: why ten are out of reach.

    Of those who get no cards now (`gets_cards`) nothing is expected.
    """

    pseudonym: str
    n_judgments: float
    n_gold: int
    n_gold_before: int
    short: str
    gets_cards: bool = True


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
    with_slot = {slot.item for slot in plan.slots}
    expected = _expected(plan, material)
    judged = Counter(_kind_of(plan, slot) for slot in expected)
    people = tuple(_people(plan, material, expected))
    return DryRun(
        n_topics=len(material.topics),
        n_blocks=len({item.block for item in plan.items}),
        n_items=len(plan.items),
        n_ordinary=kinds[Kind.ORDINARY],
        n_gold=kinds[Kind.GOLD],
        n_checks=kinds[Kind.CHECK],
        n_resting=len(plan.items) - len(with_slot),
        n_judgments=len(expected),
        n_ordinary_judgments=judged["ordinary"],
        n_gold_judgments=judged["gold"],
        n_gold_ready=_gold_ready(plan, material, expected),
        n_check_judgments=judged["check"],
        n_repeat_judgments=judged["repeat"],
        seconds=seconds,
        seconds_known=seconds_known,
        people=people,
        warnings=(
            *_proof_warnings(people),
            *_warnings(material),
            *_supply_warnings(material, n_gold=judged["gold"], n=len(expected)),
            *_repeat_warnings(plan, material),
        ),
        errors=tuple(_errors(material)),
        n_left_out=sum(len(topic.left_out) for topic in material.topics),
    )


def _expected(plan: Plan, material: Material) -> list[PlannedSlot]:
    """The judgments to expect of those who get cards now, who come further where others get none.

    The plan itself is for everybody, since the others may come back.
    """
    without_cards = {person.annotator for person in material.people if not person.gets_cards}
    if not without_cards:
        return plan.expected()
    blocks = blocks_of(plan.items, material.wanted, n_people=len(material.people) - len(without_cards))
    cards = {block.number: block.cards for block in blocks}
    return [
        slot
        for slot in plan.slots
        if slot.transferable
        or slot.reserved_for is None
        or (slot.reserved_for not in without_cards and (slot.likely or (slot.due or 0) < cards[slot.block]))
    ]


def _kind_of(plan: Plan, slot: PlannedSlot) -> str:
    return "repeat" if slot.reading == 2 else plan.items[slot.item].kind.value


def _gold_ready(plan: Plan, material: Material, expected: list[PlannedSlot]) -> int:
    n_of = Counter(slot.item for slot in expected if _kind_of(plan, slot) == "gold")
    return sum(n >= material.wanted.judgments_per_item for n in n_of.values())


def _people(plan: Plan, material: Material, expected: list[PlannedSlot]) -> Iterator[PersonForecast]:
    planted = Counter((s.reserved_for, _kind_of(plan, s)) for s in expected if s.reserved_for and not s.transferable)
    each = (len(expected) - planted.total()) / max(1, sum(person.gets_cards for person in material.people))
    for person in material.people:
        mine = [planted[person.annotator, kind] for kind in ("gold", "check", "repeat")]
        yield PersonForecast(
            pseudonym=person.pseudonym,
            n_judgments=each + sum(mine) if person.gets_cards else 0.0,
            n_gold=mine[0],
            n_gold_before=person.n_gold_before,
            short=_why_short(person, mine[0], material) if person.gets_cards else "",
            gets_cards=person.gets_cards,
        )


def _why_short(person: Person, n_gold: int, material: Material) -> str:
    missing = ENOUGH_GOLD - n_gold - person.n_gold_before
    if missing <= 0:
        return ""
    supply = gold_supply(material, person)
    if supply + person.n_gold_before < ENOUGH_GOLD:
        return f"Supply: the chosen topics have {counted(supply, 'gold pair')} that this person has not met."
    return "Share: there is gold enough, but at this share and number of judgments too little of it comes up."


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
    if material.wanted.repeat_share > 0 and not any(slot.reading == 2 for slot in plan.slots):
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
