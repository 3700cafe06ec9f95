"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BatchState


class Additions(TypedDict):
    batch: str
    can_be_withdrawn: bool
    n_added: int  # Slots that the batch was given after its layout.
    n_beyond: int  # Judgments beyond what the batch asks for.
    n_judged: int
    n_spare: int  # Open slots not needed any more.
    name: str


FeedbackEnum = Literal["never", "closed", "delayed"]


class Settings(TypedDict):
    """What an admin has decided about a batch. Shares are parts of all cards of a person."""

    block_size: int
    break_minutes: int
    check_share: float  # Attention checks.
    feedback: FeedbackEnum
    feedback_hours: int  # Hours after a judgment, for `delayed`.
    gold_share: float
    information: NotRequired[int | None]  # The version of the text to agree to, or null.
    minimum_seconds: int
    most_judgments: int | None  # Judgments a pair, at most, where a policy asks for more; or null.
    nudge_minutes: int  # When the page suggests a rest; 0: never.
    opening_cards: int  # Pairs from different heights of the pool that open each topic; 0: none.
    qualification: NotRequired[str | None]  # The round to pass before the first card, or null.
    repeat_share: float
    seed: int  # The layout follows from it.
    session_minutes: int  # When a break is enforced.
    steered_by: NotRequired[str | None]  # The policy that asks for more judgments, or null.
    target_probability: float | None  # Of a pair’s grade, from which no more is asked for; or null.


class Batch(TypedDict):
    brought_from: NotRequired[str | None]  # The file of judgments made elsewhere, or null.
    created_at: str
    criterion: str
    judgments_per_item: int | None  # Null for judgments made elsewhere.
    laid_out_at: str | None
    n_expected: int  # Judgments wanted.
    n_items: int  # 0 until the batch is laid out.
    n_judged: int  # Judgments that hold a slot or were made elsewhere.
    n_people: int  # Annotators taking part now.
    name: str
    pool: NotRequired[str | None]  # Null for judgments made elsewhere.
    settings: Settings  # As they were set; they mean nothing for judgments made elsewhere.
    state: BatchState
    token: str
    url: str


class BatchFeedbackRequest(TypedDict):
    feedback: FeedbackEnum
    feedback_hours: int  # Results after (hours): For the delayed kind.


class Counting(TypedDict):
    counts_unproven: bool  # Whether it counts people with fewer, too.
    min_gold: int  # Judgments on gold that it asks of everybody.
    n_people: int  # Who get cards.
    n_reach: int  # Of these, who can expect as many judgments on gold.
    policy: str  # The default policy as it is now.
    verdict: str
    why: str


class DayOfWork(TypedDict):
    active_hours: float  # While the page was used.
    annotator: str
    day: str  # In UTC.
    judgments: int
    wall_hours: float  # From opening to saving.


class Layout(TypedDict):
    job_url: str  # The job that lays the batch out; its error says why it could not.


class LayoutCounts(TypedDict):
    """What is laid out, and the judgments to be expected of those who get cards now."""

    hours: float
    n_blocks: int
    n_check_judgments: int
    n_checks: int
    n_gold: int
    n_gold_judgments: int
    n_gold_ready: int
    n_items: int
    n_judgments: int
    n_left_out: int
    n_ordinary: int
    n_ordinary_judgments: int
    n_repeat_judgments: int
    n_resting: int
    n_topics: int
    seconds: float  # For a judgment.
    seconds_known: bool  # Measured in this collection; else assumed.


class Missing(TypedDict):
    batch: str
    can_be_added: bool  # Not while the batch is closed.
    cost: str | None
    hours: float  # That replacing them takes.
    judgments_of: list[str]  # Excluded people.
    n: int  # Judgments missing. Send it back to add as many slots.
    n_pairs: int
    n_stuck: int  # Of these, slots that nobody who gets cards could take.
    name: str
    unchecked: list[str]  # Who would meet no gold among them.


PresetEnum = Literal["careful", "quick", "crowd"]


class NewBatchRequest(TypedDict):
    """What is left out is as the page begins with it. Shares are parts of 1, together at most 0.6."""

    annotators: NotRequired[list[str]]  # By pseudonym.
    # Block size: Pairs of a topic in a row, 15 or more; longer topics come back in several blocks.
    block_size: NotRequired[int]
    break_minutes: NotRequired[int]  # Break after it (minutes)
    check_share: NotRequired[float]
    everybody: NotRequired[bool]  # Everybody: All annotators whom the collection has now, whoever is ticked below.
    feedback: NotRequired[FeedbackEnum]
    feedback_hours: NotRequired[int]  # Results after (hours): For the delayed kind.
    gold_share: NotRequired[float]
    information: NotRequired[int | None]  # The version of the text to agree to.
    judgments_per_item: NotRequired[int]  # Judgments per pair: By as many different people.
    minimum_seconds: NotRequired[int]  # Minimum time (seconds): The page holds a grade until so much time has passed.
    most_judgments: NotRequired[int | None]
    name: str
    # Nudge after (minutes): The page then suggests a short rest, once a session; judging goes on. 0: never.
    nudge_minutes: NotRequired[int]
    opening_cards: NotRequired[int]
    pool: str
    preset: NotRequired[PresetEnum]
    # Qualification round: What people pass before their first card. Its pairs are left out of the batch.
    qualification: NotRequired[str | None]
    repeat_share: NotRequired[float]
    seed: NotRequired[int]  # The layout follows from it; drawn if left out.
    session_minutes: NotRequired[int]  # Session (minutes): After it there are no new cards until the break is over.
    steered_by: NotRequired[str | None]  # The policy (`name vN`) that asks for more.
    target_probability: NotRequired[float | None]  # Of a pair’s grade, from which no more is asked for.
    topics: NotRequired[list[str] | None]  # Numbers; null: all of the pool.


class OverlapForecast(TypedDict):
    enough_gold: int
    further_hours: float
    n_further: int  # Judgments that may come on top, at most.
    n_gold_ready: int  # Gold pairs to be expected to get as many judgments as all.
    n_judgments: int  # Of ordinary pairs, as they are laid out.
    n_pairs: int
    policy: str
    too_few_people: bool
    too_little_gold: bool


class OverlapPath(TypedDict):
    """Pairs that have so many judgments."""

    gold_pairs: int
    in_doubt_at_the_end: int
    judgments: int
    learned_on: int
    one_more_asked_for: int
    right: float | None
    right_high: float | None
    right_low: float | None
    said: float | None
    sure_enough: int


class PatchedChangedBatchRequest(TypedDict):
    """What is left out stays as it is."""

    annotators: NotRequired[list[str]]  # By pseudonym.
    # Block size: Pairs of a topic in a row, 15 or more; longer topics come back in several blocks.
    block_size: NotRequired[int]
    break_minutes: NotRequired[int]  # Break after it (minutes)
    check_share: NotRequired[float]
    everybody: NotRequired[bool]  # Everybody: All annotators whom the collection has now, whoever is ticked below.
    feedback: NotRequired[FeedbackEnum]
    feedback_hours: NotRequired[int]  # Results after (hours): For the delayed kind.
    gold_share: NotRequired[float]
    information: NotRequired[int | None]  # The version of the text to agree to.
    judgments_per_item: NotRequired[int]  # Judgments per pair: By as many different people.
    minimum_seconds: NotRequired[int]  # Minimum time (seconds): The page holds a grade until so much time has passed.
    most_judgments: NotRequired[int | None]
    name: NotRequired[str]
    # Nudge after (minutes): The page then suggests a short rest, once a session; judging goes on. 0: never.
    nudge_minutes: NotRequired[int]
    opening_cards: NotRequired[int]
    pool: NotRequired[str]
    # Qualification round: What people pass before their first card. Its pairs are left out of the batch.
    qualification: NotRequired[str | None]
    repeat_share: NotRequired[float]
    seed: NotRequired[int]  # The layout follows from it; drawn if left out.
    session_minutes: NotRequired[int]  # Session (minutes): After it there are no new cards until the break is over.
    steered_by: NotRequired[str | None]  # The policy (`name vN`) that asks for more.
    target_probability: NotRequired[float | None]  # Of a pair’s grade, from which no more is asked for.
    topics: NotRequired[list[str] | None]  # Numbers; null: all of the pool.


class PeopleRequest(TypedDict):
    """Who: by name, or everybody."""

    annotators: NotRequired[list[str]]  # By pseudonym.
    everybody: NotRequired[bool]  # All annotators whom the collection has now.


class PersonForecast(TypedDict):
    annotator: str
    gets_cards: bool
    n_gold: int  # To be expected on average.
    n_gold_before: int  # Judged in other batches.
    n_gold_bound: int  # What there is for them, if they take every block.
    n_gold_low: int  # Its 5th percentile: coins decide at which cards gold comes.
    n_judgments: float  # To be expected, if everybody does an equal part.
    short: str  # Why ten gold judgments are out of reach; empty where they are not.


class PersonProgress(TypedDict):
    active_hours: float
    annotator: str
    is_active: bool
    last_seen: str | None
    n_judged: int
    n_skipped: int
    wall_hours: float


class PersonRequest(TypedDict):
    annotator: str  # The pseudonym.


class Plan(TypedDict):
    job_url: str  # The job that plans the draft; read the dry run once it is done.


class TopicProgress(TypedDict):
    n_items: int
    n_judged: int
    n_wanted: int  # Slots that anyone may hold.
    n_withheld: int  # Items that people could not judge.
    number: str


class Progress(TypedDict):
    brought_from: NotRequired[str | None]  # The file of judgments made elsewhere, or null.
    chosen_topics: list[str]  # The numbers of the topics that were chosen, laid out or not.
    created_at: str
    criterion: str
    judgments_per_item: int | None  # Null for judgments made elsewhere.
    laid_out_at: str | None
    n_expected: int  # Judgments wanted.
    n_items: int  # 0 until the batch is laid out.
    n_judged: int  # Judgments that hold a slot or were made elsewhere.
    n_people: int  # Annotators taking part now.
    name: str
    people: list[PersonProgress]  # By pseudonym.
    pool: NotRequired[str | None]  # Null for judgments made elsewhere.
    settings: Settings  # As they were set; they mean nothing for judgments made elsewhere.
    state: BatchState
    token: str
    topics: list[TopicProgress]
    url: str


class Rehearsal(TypedDict):
    """What laying the draft out would give; `refusals` forbid it."""

    counting: Counting  # What will count under the default policy.
    counts: LayoutCounts
    overlap: OverlapForecast | None  # null where no policy asks for more judgments.
    people: list[PersonForecast]
    refusals: list[str]
    warnings: list[str]


class ReplaceRequest(TypedDict):
    n: int  # As many as are missing, as you have read it.


class Replacements(TypedDict):
    added: list[Additions]
    missing: list[Missing]


class SlotCounts(TypedDict):
    n_items: int  # Of so many pairs.
    n_slots: int


class Withheld(TypedDict):
    decided: int | None  # The grade that was decided on meanwhile, or null.
    docno: str
    item: str
    number: str
    skips: list[str]  # Who could not judge it, and why.
