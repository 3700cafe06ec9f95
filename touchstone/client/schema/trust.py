"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BlankEnum

StandingEnum = Literal["reliable", "unproven", "unreliable"]


class Annotator(TypedDict):
    """Shares lie in 0 to 1, times are seconds; null where nothing is known, or too little to tell it from."""

    accuracy: float | None
    accuracy_high: float | None
    accuracy_low: float | None  # Of Wilson's interval, 95 %.
    active_seconds: float | None
    agreement_among_others: float | None
    agreement_with_others: float | None
    annotator: str  # The pseudonym.
    believed: bool  # Under the policy.
    checks: int
    checks_passed: int
    commonest_grade: int | None
    commonest_share: float | None
    critical_errors: int
    early: float | None
    excluded: bool
    gold: int  # Gold pairs judged.
    judged: int
    leniency: float | None  # Mean steps above (+) or below the gold grade.
    longest_run: int | None
    near_copies: int | None
    paused: bool  # Gets no cards for now, and is not excluded.
    repeats: int
    repeats_same: int
    standing: StandingEnum
    wall_seconds: float | None
    watch: str
    watch_after: int | None
    within_one: float | None


class Bootstrap(TypedDict):
    high: float | None
    low: float | None
    reason: str  # Why there is no interval; empty where there is one.


PauseRule = Literal["stop", "alarm", "speed", "accuracy", "correction"]


class ByRuleRequest(TypedDict):
    reason: str  # Stays in the record.
    rule: NotRequired[PauseRule | BlankEnum]


class Coefficient(TypedDict):
    meaning: str
    name: str
    over_items: Bootstrap | None  # What other documents of these topics would give.
    over_topics: Bootstrap | None  # What other topics would give.
    reason: str  # Why it is undefined; empty where it has a value.
    value: float | None  # null where it is undefined.


class Dropped(TypedDict):
    n: int
    reason: str
    words: str


class OnGold(TypedDict):
    accuracy: float | None
    confidence: float | None  # What the policy says of them, on average.
    high: float | None
    low: float | None  # Of Wilson's interval, 95 %.
    n: int  # Gold pairs that the policy keeps, that gold hidden.
    n_right: int


class Compared(TypedDict):
    dropped: list[Dropped]
    n_as_first: int  # Judged pairs with the grade of the first row.
    n_both_keep: int  # Of so many that both keep.
    n_kept: int
    n_to_decide: int
    name: str  # `name vN`, or `trial: rule`.
    on_gold: OnGold  # Cross-fitted: gold never judges itself.
    rule: str


DealtEnum = Literal["topics", "pairs"]


class Comparison(TypedDict):
    # What was judged until then is in these figures; newer ones are being made. null: all that is there now.
    as_of: str | None
    dealt: DealtEnum
    n_gold: int  # Gold pairs that judgments could decide.
    rows: list[Compared]


class DroppedPair(TypedDict):
    docno: str
    max: int | None
    median: float | None
    min: int | None
    n_judgments: int
    number: str
    reason: str  # In words.


class ErrorRates(TypedDict):
    """What becomes of people of one true rate, exactly."""

    golds: float  # Until stopped or cleared, on average.
    golds_stopped: float | None
    paused: float  # The share stopped after clearing, within `per_golds`.
    rate: float
    stopped: float  # The share stopped before they are cleared.


class Freezing(TypedDict):
    job_url: str  # The job that freezes; its error says why it could not.
    snapshots_url: str  # Where the snapshot is, by its name, once it is done.


class Holding(TypedDict):
    action: str
    by: str  # Who did it, or which rule.
    created_at: str
    reason: str
    told: str  # What the person reads.


class Held(TypedDict):
    annotator: str
    events: list[Holding]
    is_excluded: bool
    is_paused: bool


class KeptGrade(TypedDict):
    grade: int
    n: int


class KindRequest(TypedDict):
    is_machine: bool
    reason: str  # Stays in the record.


class Share(TypedDict):
    high: float | None
    low: float | None  # Of Wilson's interval, 95 %.
    n: int
    n_yes: int
    share: float | None


class Machine(TypedDict):
    annotator: str
    bias: float | None  # Mean steps above (+) or below the grade of people.
    confusion: list[list[int]]  # Pairs by people's grade (rows) and the machine's.
    excluded: bool
    kappa: float | None
    kappa_quadratic: float | None
    n_judged: int
    reading: list[str]  # What to conclude, in sentences.
    right_on_gold: Share
    same_as_people: Share  # As the grade that people came to, gold apart.


class NewPolicyRequest(TypedDict):
    name: str
    parameters: dict[str, Any]  # Those that differ from the default policy.


class NewSnapshotRequest(TypedDict):
    """What to freeze."""

    batches: NotRequired[list[str]]  # Tokens; all judged ones if left out.
    name: str  # Cannot be changed later, nor used again.
    policy: NotRequired[str]  # `name vN`; the default policy if left out.


OriginEnum = Literal["frozen", "imported"]

RuleMode = Literal["propose", "pause"]


class PatchedChangedRulesRequest(TypedDict):
    """What is left out stays as it is."""

    accuracy: NotRequired[RuleMode]
    alarm: NotRequired[RuleMode]
    note: NotRequired[str]
    speed: NotRequired[RuleMode]
    # Timed answers before speed is looked at: And five people must have ten of them, or nobody knows what is usual.
    speed_answers: NotRequired[int]
    speed_spreads: NotRequired[float]
    stop: NotRequired[RuleMode]


class PatchedChangedWatchRequest(TypedDict):
    """What is left out stays as it is."""

    alpha: NotRequired[float]
    beta: NotRequired[float]
    # Good people stopped after clearing, at most: Share of them, within the number of gold pairs below.
    false_pauses: NotRequired[float]
    good: NotRequired[float]  # A good rate: Share of gold judged without a critical error by people who should go on.
    per_golds: NotRequired[int]  # Gold pairs after clearing: Over how many of them the share above is counted.
    poor: NotRequired[float]  # A poor rate: The same for people who should be stopped. The nearer, the longer it takes.


class PauseRequest(TypedDict):
    reason: str  # Stays in the record.
    rule: NotRequired[PauseRule | BlankEnum]
    told: NotRequired[str]  # What the person reads instead of the next card.


class PauseRules(TypedDict):
    accuracy: RuleMode
    alarm: RuleMode
    note: NotRequired[str]
    speed: RuleMode
    # Timed answers before speed is looked at: And five people must have ten of them, or nobody knows what is usual.
    speed_answers: int
    speed_spreads: float
    stop: RuleMode


class Paused(TypedDict):
    annotator: str
    excluded: bool
    gets_cards: bool  # Neither paused nor excluded.
    paused: bool


class Proposal(TypedDict):
    annotator: str
    reason: str
    reasons: dict[str, str]  # Of all rules that hold, by rule.
    rule: str  # Send it along when you pause or exclude the person for it.


class Pausing(TypedDict):
    # What was judged until then is in these figures; newer ones are being made. null: all that is there now.
    as_of: str | None
    held: list[Held]  # Who gets no cards now.
    proposed: list[Proposal]  # Whom the rules would pause.
    rules: PauseRules


class PolicyParameters(TypedDict):
    accuracy_threshold: float
    consolidation: str
    count_machines: bool
    count_not_blind: bool
    count_unproven: bool
    gold_pairs: str
    max_range: int | None
    min_gold: int
    min_judgments: int


class Policy(TypedDict):
    counts_machines: bool  # Whether machine judges count like people.
    created_at: str | None  # null for the built-in one until its first use.
    name: str
    parameters: PolicyParameters  # All of them, those left at their default, too.
    sha256: str
    version: int


class Preview(TypedDict):
    """What freezing would give now."""

    batches: list[str]  # The tokens of those that were read.
    dropped: list[Dropped]
    kept: list[KeptGrade]  # By grade.
    n_dropped: int
    n_kept: int  # Pairs that would be frozen.
    policy: str
    reading: list[str]  # What to conclude, in sentences.


class Quality(TypedDict):
    agreement: list[Coefficient]
    # What was judged until then is in these figures; newer ones are being made. null: all that is there now.
    as_of: str | None
    batches: list[str]  # The tokens of those that were read.
    counts_machines: bool  # Whether machine judges count like people.
    dropped: list[Dropped]
    exact_agreement: float | None
    machines: list[Machine]  # Machine judges, beside people and never among them.
    n_believed: int  # People whose judgments are believed.
    n_compared: int  # Pairs that two people or more judged.
    n_kept: int  # Pairs that judgments decide.
    n_people: int
    n_to_decide: int
    pairwise_agreement: float | None
    policy: str
    reading: list[str]  # What to conclude, in sentences.


class ReasonRequest(TypedDict):
    reason: str  # Stays in the record.


class Snapshot(TypedDict):
    counts_machines: bool  # Whether machine judges counted like people in its making.
    created_at: str
    criterion: str
    id: int
    n_dropped: int
    n_pairs: int
    n_topics: int
    name: str
    origin: OriginEnum
    pairs_url: str | None
    policy: str | None
    qrels_sha256: str
    qrels_url: str
    url: str


class SnapshotInFull(TypedDict):
    counts_machines: bool  # Whether machine judges counted like people in its making.
    created_at: str
    criterion: str
    id: int
    lineage: list[dict[str, str]]
    n_dropped: int
    n_pairs: int
    n_topics: int
    name: str
    origin: OriginEnum
    pairs_url: str | None
    policy: str | None
    qrels_sha256: str
    qrels_url: str
    url: str


class Standing(TypedDict):
    annotator: str
    excluded: bool
    is_machine: bool


class Verification(TypedDict):
    faults: list[str]
    rebuilt: bool  # Whether it was rebuilt from its frozen inputs.
    sound: bool


class WatchSettings(TypedDict):
    alpha: float
    beta: float
    # Good people stopped after clearing, at most: Share of them, within the number of gold pairs below.
    false_pauses: float
    good: float  # A good rate: Share of gold judged without a critical error by people who should go on.
    per_golds: int  # Gold pairs after clearing: Over how many of them the share above is counted.
    poor: float  # A poor rate: The same for people who should be stopped. The nearer, the longer it takes.


class WatchInForce(TypedDict):
    rates: list[ErrorRates]  # For people of the good rate, and of the poor one.
    settings: WatchSettings


class AnnotatorsQuery(TypedDict):
    batch: NotRequired[list[str]]  # Tokens of batches, repeated; all that are judged if left out.
    policy: NotRequired[str]  # `name vN`; the default policy if left out.


class PoliciesCompareQuery(TypedDict):
    batch: NotRequired[list[str]]  # Tokens of batches, repeated; all that are judged if left out.
    policy: NotRequired[list[str]]  # `name vN`, repeated.
    rule: NotRequired[list[str]]  # A rule on trial by itself, repeated.


class QualityQuery(TypedDict):
    batch: NotRequired[list[str]]  # Tokens of batches, repeated; all that are judged if left out.
    policy: NotRequired[str]  # `name vN`; the default policy if left out.


class SnapshotsQuery(TypedDict):
    name: NotRequired[str]  # Only the snapshot of exactly this name.


class SnapshotsDryRunQuery(TypedDict):
    batch: NotRequired[list[str]]  # Tokens of batches, repeated; all that are judged if left out.
    policy: NotRequired[str]  # `name vN`; the default policy if left out.


class SnapshotsDroppedQuery(TypedDict):
    reason: NotRequired[Literal["too_few", "too_far_apart", "gold_omitted", "tied", "no_majority", "no_weight"]]
