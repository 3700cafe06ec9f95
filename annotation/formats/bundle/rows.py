"""The rows of a bundle, one class a member. References are by number, docno, pseudonym, name and SHA-256."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, TypeAlias

from annotation.formats.bundle.row_schema import BIGGEST, Absent, ExternalId, LanguageTag, Length, OneOf, Sha, Span
from annotation.formats.objects import Json

VERSION = 7  # of bundles; a row that gets a field makes a new one (`Absent`, with a sample in tests/unchanged)

Number: TypeAlias = Annotated[str, ExternalId("topic number")]
Docno: TypeAlias = Annotated[str, ExternalId("docno")]
Name: TypeAlias = Annotated[str, Length(100, least=1)]
Criterion: TypeAlias = Annotated[str, Length(50, least=1)]
Sha256: TypeAlias = Annotated[str, Sha()]
FileSha: TypeAlias = Annotated[str, Sha(or_none=True)]
Version: TypeAlias = Annotated[int, Span(1)]
Count: TypeAlias = Annotated[int, Span()]
Small: TypeAlias = Annotated[int, Span(0, 32767)]
Milliseconds: TypeAlias = Annotated[int, Span(0, BIGGEST)]
Grade: TypeAlias = Annotated[int, Span(-(2**31), 2**31 - 1)]
Fraction: TypeAlias = float
Cost: TypeAlias = Decimal


@dataclass(frozen=True)
class CollectionFacts:
    """What stands in `bundle.json` of the collection itself; `scale` and `guideline` are the current versions."""

    slug: Annotated[str, Length(60, least=1)]
    name: Annotated[str, Length(200, least=1)]
    description: str
    language: Annotated[str, LanguageTag(), Absent("")]
    watch: Annotated[dict[str, Json] | None, Absent(None)]
    scale: Version | None
    guideline: Version | None
    pausing: Annotated[dict[str, Json] | None, Absent(None, since=3)] = None
    pause_note: Annotated[str, Absent("", since=3)] = ""
    alerts: Annotated[dict[str, Json] | None, Absent(None, since=4)] = None
    cost_per_judgment: Annotated[Cost | None, Absent(None, since=4)] = None
    currency: Annotated[str, Length(10), Absent("", since=4)] = ""


@dataclass(frozen=True)
class ScaleRow:
    number: Version
    sha256: Sha256
    grades: list[dict[str, Json]]
    created_at: datetime


@dataclass(frozen=True)
class GuidelineRow:
    number: Version
    sha256: Sha256
    introduction: str
    examples: str
    cases: Annotated[list[dict[str, Json]], Absent(list)]
    edge_cases: str
    created_at: datetime


@dataclass(frozen=True)
class TopicRow:
    number: Number


@dataclass(frozen=True)
class TopicVersionRow:
    number: Number
    sha256: Sha256
    title: str
    description: str
    narrative: str
    is_current: bool


@dataclass(frozen=True)
class DocumentRow:
    docno: Docno


@dataclass(frozen=True)
class DocumentVersionRow:
    docno: Docno
    sha256: Sha256
    title: str
    text: str
    form: Annotated[str, OneOf(("text", "html"))]
    fields: dict[str, Json]
    is_current: bool


@dataclass(frozen=True)
class AnnotatorRow:
    """A pseudonym. No account, no name, no address."""

    pseudonym: Name
    simulated: bool
    kind: Annotated[str, OneOf(("person", "machine")), Absent("person", since=3)] = "person"


@dataclass(frozen=True)
class PoolRow:
    name: Name
    origin: dict[str, Json]
    n_pairs: Count
    created_at: datetime


@dataclass(frozen=True)
class PoolPairRow:
    pool: Name
    number: Number
    docno: Docno
    rank: Count


@dataclass(frozen=True)
class BatchRow:
    """`steering_policy` and `steering_version` name the policy that asks for more judgments, if one does."""

    name: Name
    criterion: Criterion
    state: Annotated[str, OneOf(("draft", "laid_out", "open", "paused", "closed"))]
    pool: Name | None
    scale: Version
    topics: list[Number]
    judgments_per_item: Annotated[int, Span(1, 15)]
    most_judgments: Annotated[Annotated[int, Span(2, 15)] | None, Absent(None, since=3)]
    target_probability: Annotated[Fraction | None, Absent(None, since=3)]
    steering_policy: Annotated[Name | None, Absent(None, since=3)]
    steering_version: Annotated[Version | None, Absent(None, since=3)]
    gold_share: Fraction
    check_share: Fraction
    repeat_share: Fraction
    minimum_seconds: Small
    session_minutes: Small
    break_minutes: Small
    nudge_minutes: Annotated[Small, Absent(25)]
    opening_cards: Annotated[Small, Absent(0)]
    feedback: Annotated[str, OneOf(("never", "closed", "delayed")), Absent("never")]
    feedback_hours: Annotated[Small, Absent(24)]
    information: Annotated[Version | None, Absent(None)]
    qualification: Annotated[Name | None, Absent(None)]
    block_size: Small
    coin_shares: Annotated[list[Fraction] | None, Absent(None, since=7)]
    cost_per_judgment: Annotated[Cost | None, Absent(None, since=4)]
    seed: int
    n_expected: Count
    created_at: datetime
    laid_out_at: datetime | None


@dataclass(frozen=True)
class ParticipationRow:
    batch: Name
    annotator: Name
    salt: Annotated[int, Span(1, 2**31 - 2)]
    block: Count | None
    done_in_block: Count
    n_judged: Count
    is_active: bool


@dataclass(frozen=True)
class ItemRow:
    """`purpose`: why the pair was planted, if it was. `strand`: which part of a person's coin brings it, if any."""

    batch: Name
    number: Number
    docno: Docno
    topic_sha256: Sha256 | None
    document_sha256: Sha256 | None
    scale: Version
    block: Count
    shuffle: Annotated[int, Span(0, 2**31 - 2)]
    n_judged: Count
    stratum: Annotated[Small | None, Absent(None)]
    strand: Annotated[Annotated[int, Span(0, 2)] | None, Absent(None, since=7)]
    withheld: bool
    purpose: Annotated[str, OneOf(("", "gold", "check"))]
    in_pool: bool


@dataclass(frozen=True)
class SlotRow:
    batch: Name
    number: Number
    docno: Docno
    n: Count
    block: Count
    state: Annotated[str, OneOf(("open", "judged"))]
    reserved_for: Name | None
    due: Count | None
    transferable: bool
    reading: Annotated[int, Span(1, 2)]


@dataclass(frozen=True)
class AssignmentRow:
    """`slot` is the number of the slot that a judged assignment holds."""

    batch: Name
    number: Number
    docno: Docno
    annotator: Name
    reading: Small
    state: Annotated[str, OneOf(("judged", "surplus", "skipped", "later", "expired", "brought"))]
    slot: Count | None
    guideline: Version | None
    skip_reason: Annotated[str, Length(10)]
    skip_note: str
    claimed_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class JudgmentRow:
    """In the order in which they were saved."""

    batch: Name
    number: Number
    docno: Docno
    annotator: Name
    reading: Small
    revision: Version
    criterion: Criterion
    scale: Version
    guideline: Version | None
    grade: Grade
    comment: str
    evidence_start: Count | None
    evidence_end: Count | None
    active_ms: Milliseconds | None
    wall_ms: Milliseconds | None
    early: bool
    surplus: bool
    blind: bool
    created_at: datetime


@dataclass(frozen=True)
class GoldRow:
    number: Number
    docno: Docno
    criterion: Criterion
    scale: Version
    action: Annotated[str, OneOf(("set", "withdraw"))]
    grade: Grade | None
    accepted: list[Grade]
    reason: str
    explanation: Annotated[str, Absent("")]
    created_at: datetime


@dataclass(frozen=True)
class FeedbackRow:
    """What a person was told of their first reading. `accepted` is empty where the pair was gold no more."""

    batch: Name
    number: Number
    docno: Docno
    annotator: Name
    grade: Grade
    accepted: list[Grade]
    explanation: str
    created_at: datetime


@dataclass(frozen=True)
class PolicyRow:
    name: Name
    version: Version
    sha256: Sha256
    parameters: dict[str, Json]
    created_at: datetime


@dataclass(frozen=True)
class SnapshotRow:
    """`policy` and `policy_version` name the policy of a frozen one."""

    name: Name
    criterion: Criterion
    origin: Annotated[str, OneOf(("frozen", "imported"))]
    scale: Version | None
    policy: Name | None
    policy_version: Version | None
    batches: list[Name]
    qrels_sha256: Sha256
    pairs_sha256: FileSha
    inputs_sha256: FileSha
    n_topics: Count
    n_pairs: Count
    n_dropped: Count
    created_at: datetime
