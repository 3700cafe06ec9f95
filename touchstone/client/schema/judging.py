"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BatchState, NamedGrade


class AheadRequest(TypedDict):
    ahead: NotRequired[int]  # Also so many cards after it, or as many as there may be now, to show at once later.
    page: NotRequired[str]  # The name of who holds it; for `release`.


class ScaleStep(TypedDict):
    """A grade of the scale, as people read it."""

    definition: str
    example: str
    grade: int
    name: str


class BatchFacts(TypedDict):
    """A batch in which you judge, and what holds for all its cards."""

    collection: str
    collection_name: str
    language: str
    minimum_seconds: int
    n_judged: int  # By you.
    name: str
    scale: list[ScaleStep]
    skip_reasons: dict[str, str]  # By the name to send: how people read them.
    state: BatchState
    token: str
    url: str


class CardDocument(TypedDict):
    """Offsets are counted in characters of the document's text."""

    direction: str  # `ltr` or `rtl`.
    end: int
    evidence: list[int] | None  # What you named before.
    first: int
    html: str  # The same, made safe, with the words to look for marked.
    is_blank: bool
    is_html: bool
    is_long: bool  # Whether the best passage alone is here; ask for the whole document.
    last: int
    length: int  # Characters of the whole text.
    start: int  # Where the passage to read first begins.
    text: str  # From `first` to `last`, without markup.
    title: str
    words: list[str]  # Your own, marked for this topic.


class CardTopic(TypedDict):
    description: str
    narrative: str
    number: str
    title: str


class Card(TypedDict):
    comment: str
    document: CardDocument
    floor_ms: int  # What is left of the minimum time before a grade is given.
    grade: int | None  # Of a revision: the grade that stands.
    guideline: str  # Names the guideline of this card; another name, another guideline.
    is_revision: bool  # Judged before, and open again.
    more: int | None
    token: str  # Goes with every deed on this card.
    topic: CardTopic
    waited_ms: int  # How long the card has been in front of you.


class TextChange(TypedDict):
    kind: str  # `same`, `removed` or `added`.
    text: str


class ChangedSection(TypedDict):
    changes: list[TextChange]
    title: str


OutcomeEnum = Literal["saved", "replayed", "refused", "moved"]


class DeedResult(TypedDict):
    """What became of the deed."""

    about: str  # The token of its card, or empty.
    outcome: OutcomeEnum
    saved: NamedGrade | None  # The grade that stands.
    text: str  # As a person reads it.


class DeskProgress(TypedDict):
    batch_done: int
    batch_total: int
    mine: int
    mine_session: int
    undo_available: bool


class DeskSession(TypedDict):
    limit_minutes: int  # When a break is enforced; 0: never.
    minutes: int
    nudge: bool  # Whether a short rest would do good by now.
    nudge_minutes: int
    resumes_at: str | None  # When the break ends, during one.


DeskState = Literal[
    "card", "start", "break", "information", "qualification", "guideline", "waiting", "paused", "held", "closed", "done"
]


class PauseNote(TypedDict):
    pause_message: str  # What was written about this pause.
    pause_note: str  # What everybody reads who is paused here.


class Desk(TypedDict):
    """What lies in front of you. Without a card, `state` says why."""

    cards: list[Card]  # The one in front of you, then those that were asked for ahead.
    pause: PauseNote | None  # Of `held`: you get no cards for now.
    progress: DeskProgress
    result: DeedResult | None  # null where nothing was done.
    session: DeskSession
    state: DeskState


class GivenAnswer(TypedDict):
    """An answer, and what is right and why."""

    accepted: list[int]
    explanation: str
    grade: int
    is_right: bool
    item: str


class GradeResult(TypedDict):
    accepted: list[int]
    n: int
    n_right: int


class GradedCardRequest(TypedDict):
    active_ms: NotRequired[int | None]
    ahead: NotRequired[int]  # Also so many cards after it, or as many as there may be now, to show at once later.
    comment: NotRequired[str]
    evidence_end: NotRequired[int | None]
    evidence_start: NotRequired[int | None]
    grade: int
    page: NotRequired[str]  # The name of who holds it; for `release`.
    token: str
    wall_ms: NotRequired[int | None]


class HeldCardRequest(TypedDict):
    token: str


class InformationToRead(TypedDict):
    agreed_before: NotRequired[int | None]  # The version you agreed to last, or null.
    changed: list[TextChange]  # Since that version.
    html: str
    number: int  # Send it back to agree.
    text: str  # Markdown.


ReadingEnum = Literal["excerpt", "whole"]


class JudgingChoices(TypedDict):
    keys: dict[str, str]  # Deed: letter.
    marks: bool  # Whether the words to look for are marked.
    reading: ReadingEnum  # What of a long document comes first. * `excerpt` - Excerpt first * `whole` - Whole document


class LaterCardRequest(TypedDict):
    ahead: NotRequired[int]  # Also so many cards after it, or as many as there may be now, to show at once later.
    page: NotRequired[str]  # The name of who holds it; for `release`.
    token: str


class MarkedWordsRequest(TypedDict):
    token: str  # Of a card: its topic is meant.
    words: list[str]  # None takes all away.


class OwnBatch(TypedDict):
    """A batch in which you judge, and what holds for all its cards."""

    collection: str
    collection_name: str
    has_cards: bool  # Whether anything is left for you there, be it with others now.
    language: str
    minimum_seconds: int
    n_judged: int  # By you.
    name: str
    scale: list[ScaleStep]
    skip_reasons: dict[str, str]  # By the name to send: how people read them.
    state: BatchState
    token: str
    url: str


class TriedRound(TypedDict):
    n_answered: int
    n_right: int
    number: int
    passed: bool | None  # null while it is under way.


class OwnRoundProgress(TypedDict):
    has_passed: bool
    is_open: bool
    is_running: bool
    may_begin: bool
    n_needed: int  # First answers that have to be right.
    n_pairs: int
    tries: list[TriedRound]
    tries_left: int | None  # null: as often as you like.


class TrainingPair(TypedDict):
    document: CardDocument
    hint: str
    item: str  # Goes with the answer.
    topic_description: str
    topic_narrative: str
    topic_number: str
    topic_title: str


class OwnRound(TypedDict):
    answers: list[GivenAnswer]  # Of the last attempt, so far.
    by_grade: list[GradeResult]  # Of an attempt that is over: by the grades that are right.
    name: str
    pair: TrainingPair | None  # The next one, of an attempt under way.
    progress: OwnRoundProgress
    scale: list[ScaleStep]


class PairGradeRequest(TypedDict):
    grade: int


class PatchedChangedJudgingChoicesRequest(TypedDict):
    """What is left out stays as it is."""

    keys: NotRequired[dict[str, str] | None]  # Deed: letter, or empty for none. null brings the usual keys back.
    marks: NotRequired[bool]
    reading: NotRequired[ReadingEnum]


class WorkedCase(TypedDict):
    document: str
    grade: int
    name: str
    reason: str
    topic: str


class ReadGuideline(TypedDict):
    cases: list[WorkedCase]  # Worked examples to read first.
    edge_cases_html: str
    examples_html: str
    further: list[WorkedCase]
    introduction_html: str
    number: int  # Send it back to acknowledge it.


ReasonEnum = Literal["broken", "language", "unclear", "conflict", "other"]


class Recent(TypedDict):
    grade: int
    grade_name: str
    may_change: bool
    title: str
    token: str  # Of the card; with it, `undo` opens it again.
    topic_number: str
    topic_title: str


class ReleasedCardRequest(TypedDict):
    page: NotRequired[str]
    token: str  # Of one card, or of several with commas between.


class ShownGuideline(TypedDict):
    changed: list[ChangedSection]  # Before a card, if it changed since the version you know: what did.
    guideline: ReadGuideline | None  # null where the collection has none.


class ShownVersionRequest(TypedDict):
    number: int  # Of the version read.


class SkippedCardRequest(TypedDict):
    ahead: NotRequired[int]  # Also so many cards after it, or as many as there may be now, to show at once later.
    note: NotRequired[str]
    page: NotRequired[str]  # The name of who holds it; for `release`.
    reason: ReasonEnum
    token: str


class UndoneCardRequest(TypedDict):
    token: NotRequired[str]


class WholeDesk(TypedDict):
    """What lies in front of you. Without a card, `state` says why."""

    batch: BatchFacts
    cards: list[Card]  # The one in front of you, then those that were asked for ahead.
    pause: PauseNote | None  # Of `held`: you get no cards for now.
    progress: DeskProgress
    result: DeedResult | None  # null where nothing was done.
    session: DeskSession
    state: DeskState


class JudgingDocumentQuery(TypedDict):
    token: str
    view: NotRequired[Literal["excerpt", "whole", ""]]


class JudgingGuidelineQuery(TypedDict):
    token: NotRequired[str]  # Of a card: the guideline that a grade of it will carry.
