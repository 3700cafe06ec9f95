"""One noun a file. Fields, constraints and facts of one row; no step of the flow, no numerics."""

from annotation.models.adjudication import Adjudication, AdjudicationReading, Knew, SentPair
from annotation.models.alert import AlertEvent
from annotation.models.annotator import Annotator
from annotation.models.api_token import ApiToken
from annotation.models.appeal import Appeal
from annotation.models.assignment import Assignment, Card
from annotation.models.audit import AuditEvent
from annotation.models.batch import Batch, Participation
from annotation.models.block import Block, LeftBlock
from annotation.models.choices import USUAL_KEYS, Deed, ExtraTerms, JudgingChoices
from annotation.models.collection import Collection
from annotation.models.document import Document, DocumentCount, DocumentIndex, DocumentVersion, DocumentWords
from annotation.models.exclusion import ExclusionEvent
from annotation.models.feedback import Feedback
from annotation.models.gold import GoldEvent
from annotation.models.guideline import Case, GuidelineReading, GuidelineVersion
from annotation.models.imports import Import, Preview, PreviewTable, ReadAs
from annotation.models.information import Consent, InformationVersion
from annotation.models.installation import Installation
from annotation.models.invitation import Invitation
from annotation.models.item import Item
from annotation.models.job import Job, JobEvent
from annotation.models.judgment import Judgment
from annotation.models.kept_answer import KeptAnswer
from annotation.models.kept_columns import KeptColumns
from annotation.models.kept_result import KeptResult
from annotation.models.membership import Membership, Role
from annotation.models.notice import Notice
from annotation.models.outgoing import Delivery, Recipient
from annotation.models.pause import PauseEvent, Rule
from annotation.models.planting import Planting
from annotation.models.policy import Policy
from annotation.models.pool import Pool, PoolPair
from annotation.models.qualification import (
    Qualification,
    QualificationAnswer,
    QualificationAttempt,
    QualificationItem,
)
from annotation.models.saved_view import SavedView
from annotation.models.scale import DEFAULT_GRADES, FEWEST_GRADES, MOST_GRADES, Grade, ScaleVersion
from annotation.models.sign_in_link import SignInLink
from annotation.models.slot import Slot
from annotation.models.snapshot import Snapshot
from annotation.models.stock import StockItem
from annotation.models.topic import Topic, TopicVersion
from annotation.models.user import TableRows, TextSize, Theme, User
from annotation.models.waiting import WaitingCount
from annotation.models.work_session import WorkSession

__all__ = [
    "DEFAULT_GRADES",
    "FEWEST_GRADES",
    "MOST_GRADES",
    "USUAL_KEYS",
    "Adjudication",
    "AdjudicationReading",
    "AlertEvent",
    "Annotator",
    "ApiToken",
    "Appeal",
    "Assignment",
    "AuditEvent",
    "Batch",
    "Block",
    "Card",
    "Case",
    "Collection",
    "Consent",
    "Deed",
    "Delivery",
    "Document",
    "DocumentCount",
    "DocumentIndex",
    "DocumentVersion",
    "DocumentWords",
    "ExclusionEvent",
    "ExtraTerms",
    "Feedback",
    "GoldEvent",
    "Grade",
    "GuidelineReading",
    "GuidelineVersion",
    "Import",
    "InformationVersion",
    "Installation",
    "Invitation",
    "Item",
    "Job",
    "JobEvent",
    "JudgingChoices",
    "Judgment",
    "KeptAnswer",
    "KeptColumns",
    "KeptResult",
    "Knew",
    "LeftBlock",
    "Membership",
    "Notice",
    "Participation",
    "PauseEvent",
    "Planting",
    "Policy",
    "Pool",
    "PoolPair",
    "Preview",
    "PreviewTable",
    "Qualification",
    "QualificationAnswer",
    "QualificationAttempt",
    "QualificationItem",
    "ReadAs",
    "Recipient",
    "Role",
    "Rule",
    "SavedView",
    "ScaleVersion",
    "SentPair",
    "SignInLink",
    "Slot",
    "Snapshot",
    "StockItem",
    "TableRows",
    "TextSize",
    "Theme",
    "Topic",
    "TopicVersion",
    "User",
    "WaitingCount",
    "WorkSession",
]
