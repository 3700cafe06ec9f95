"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

ActionEnum = Literal["decide", "withdraw"]

DecisionEnum = Literal["decline", "correct", "withdraw", "settled"]


class AnswerRequest(TypedDict):
    accepted: NotRequired[list[int]]
    all_of_pair: NotRequired[bool]  # The same answer to all who object to the pair.
    answer: str  # The person reads it beside their objection.
    bring_back: NotRequired[list[str]]
    decision: DecisionEnum
    explanation: NotRequired[str]
    grade: NotRequired[int]  # Of `correct`: what the gold is to be.
    seen: NotRequired[int]  # Confirms a change of gold, as the effect gave it.


class BlindRequest(TypedDict):
    docno: str
    grade: int
    number: str


class Changed(TypedDict):
    accepted: list[int]
    brought_back: list[str]  # By pseudonym.
    docno: str
    grade: int | None  # null: it is gold no more.
    n_rescored: int  # Judgments that are scored anew.
    number: str


class DecisionRequest(TypedDict):
    based_on: int  # As the pair says it.
    docno: str
    grade: int
    number: str
    reason: str  # Stays in the record.


class Decisions(TypedDict):
    action: ActionEnum
    adjudicator: int  # A number, in the order of first decisions.
    blind: bool
    blind_grade: int | None
    blind_seconds: float | None
    changed: bool | None
    created_at: str
    criterion: str
    decide_seconds: float | None
    docno: str
    grade: int | None
    holds: bool  # Whether this is the decision that counts now.
    knew: str  # What kept the adjudicator from being blind; empty for nothing.
    number: str
    reason: str


class Effect(TypedDict):
    """Whom the change would touch. Nothing was done."""

    changed: list[str]  # People who would be reliable, or would be no more.
    freed: list[str]  # People held by a rule that would have no reason any more.
    n_ahead: int  # Cards of the pair, planted as gold, that people have before them.
    n_people: int  # Whose judgments these are.
    n_rescored: int  # Judgments that would be scored anew.
    n_told: int  # People who would be told of another grade.
    seen: int  # Send it back to confirm the change.


class PairDecision(TypedDict):
    action: str
    blind_grade: int | None
    created_at: str
    decided_by: str
    grade: int | None
    knew: str
    reason: str


class Said(TypedDict):
    active_seconds: float | None
    annotator: str
    comment: str
    created_at: str
    grade: int
    quote: str  # What of the text the person named as evidence; empty for nothing.


class Skip(TypedDict):
    annotator: str
    note: str
    reason: str


class File(TypedDict):
    decisions: list[PairDecision]  # The newest first: that one holds.
    judgments: list[Said]
    skips: list[Skip]


GoldChangedOrEffect = Changed | Effect


class GoldEntriesRequest(TypedDict):
    accepted: NotRequired[list[int]]
    bring_back: NotRequired[list[str]]  # Who comes back, of those that the change frees.
    docno: str
    # Why this is the grade, for annotators: shown to those who judged the pair, once results are due.
    explanation: NotRequired[str]
    grade: int
    number: str
    reason: NotRequired[str]  # Why it is gold, for admins. Not shown to annotators.
    seen: NotRequired[int]  # Confirms a change that touches people, as the dry run gave it.


UnlistedEnum = Literal["leave", "zero"]


class GoldQrelsEntriesRequest(TypedDict):
    # Without this nothing is taken where there are such pairs: they are named, and you send it again.
    correct: NotRequired[bool]
    n_unlisted: NotRequired[int | None]
    per_grade: NotRequired[int | None]  # Drawn by the seed. Empty: every listed pair becomes gold.
    pool: NotRequired[int]  # The id of the pool that unlisted pairs are drawn from.
    seed: NotRequired[int]  # Random, if left out.
    snapshot: int  # The id of imported qrels.
    unlisted: NotRequired[UnlistedEnum]


class GoldWithdrawalEntriesRequest(TypedDict):
    bring_back: NotRequired[list[str]]  # Who comes back, of those that the change frees.
    docno: str
    number: str
    reason: str
    seen: NotRequired[int]  # Confirms a change that touches people, as the dry run gave it.


class Objection(TypedDict):
    annotator: str
    answer: str  # Empty while it is open.
    answered_at: str | None
    answered_by: NotRequired[str | None]
    created_at: str
    docno: str
    number: str
    reason: str
    state: str  # `open`, `upheld` or `declined`.
    token: str
    told_grade: int  # The grade that they object to.


class PairRequest(TypedDict):
    docno: str
    number: str


StageEnum = Literal["blind", "decide", "decided", "held"]


class ReadPair(TypedDict):
    based_on: int  # To be sent with a decision: how many there are now.
    docno: str
    held_by: str  # Who else decides on it now; empty for nobody.
    number: str
    own_grade: int | None  # The grade that you gave blind.
    said: File | None  # null until you have given your own grade, or looked without one.
    stage: StageEnum
    text: str | None  # The document; null where it is not here.
    title: str


class SendRequest(TypedDict):
    pairs: list[PairRequest]
    reason: str  # Whoever decides reads it before they grade: name no grade, and nobody who gave one.


class Sent(TypedDict):
    already: int  # Sent before and waiting; they keep the reason they came with.
    decided: int  # Somebody has decided on them.
    sent: int  # Pairs that this has sent.
    unfit: int  # Gold, attention checks, or laid out in no batch.


class Taken(TypedDict):
    n_known: int  # Of those set, pairs that were gold already in another way.
    n_set: int
    n_unchanged: int
    n_unknown: int  # Left aside: the collection does not have them.
    n_unlisted: int  # Of those set, pairs that the qrels do not list.
    notes: list[str]


class Waiting(TypedDict):
    docno: str
    held_by: str  # Who else decides on it now; empty for nobody.
    left: bool  # You have left it for others.
    n_people: int  # Whose grade of the pair counts.
    number: str
    sent_at: NotRequired[str | None]
    sent_because: str  # Why; empty where nobody has sent it.
    sent_by: str  # Who has sent it here; empty for nobody.
    why: list[str]


class WholeObjection(TypedDict):
    """With what the answer needs."""

    accepted_now: list[int]
    annotator: str
    answer: str  # Empty while it is open.
    answered_at: str | None
    answered_by: NotRequired[str | None]
    comment: str
    created_at: str
    docno: str
    gold_now: int | None  # The grade that holds now; null where it is gold no more.
    has_changed: bool  # Whether gold has changed since the person objected.
    n_others: int  # Other open objections to the pair.
    number: str
    own_grade: int  # What the person gave.
    reason: str
    state: str  # `open`, `upheld` or `declined`.
    token: str
    told_grade: int  # The grade that they object to.


class WithdrawalRequest(TypedDict):
    based_on: int  # As the pair says it.
    docno: str
    number: str
    reason: str  # Stays in the record.


class ContestedQuery(TypedDict):
    batch: NotRequired[list[str]]  # Tokens of batches, repeated; all that are judged if left out.
    below: NotRequired[float]  # Unsure below so high a confidence; 0.7.
    policy: NotRequired[str]  # `name vN`; the default policy if left out.
    posterior: NotRequired[str]  # A policy with a posterior, as a second opinion.
    reason: NotRequired[str]  # `apart`, `no_grade`, `few`, `wide`, `unsure`, `cannot`, `flagged`.
    topic: NotRequired[str]  # The number of a topic.
    wide: NotRequired[int]  # Steps that make a range wide; 3.


class ContestedNextQuery(TypedDict):
    batch: NotRequired[list[str]]  # Tokens of batches, repeated; all that are judged if left out.
    below: NotRequired[float]  # Unsure below so high a confidence; 0.7.
    policy: NotRequired[str]  # `name vN`; the default policy if left out.
    posterior: NotRequired[str]  # A policy with a posterior, as a second opinion.
    reason: NotRequired[str]  # `apart`, `no_grade`, `few`, `wide`, `unsure`, `cannot`, `flagged`.
    topic: NotRequired[str]  # The number of a topic.
    wide: NotRequired[int]  # Steps that make a range wide; 3.


class ContestedPairQuery(TypedDict):
    docno: str
    number: str
