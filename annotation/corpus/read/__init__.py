"""Queries of this subject: the only place where its rows are read for others."""

from annotation.corpus.read.guideline_versions import Section, changes_to_read, text_changes
from annotation.corpus.read.guidelines import GuidelineContent, guideline_content, turn_of
from annotation.corpus.read.pairs import FoundPairs, found_pairs
from annotation.corpus.read.texts import (
    current_document_versions,
    current_topic_versions,
    documents_with_text,
    topics_with_text,
    visible_documents,
    visible_topics,
    with_current_text,
)

__all__ = [
    "FoundPairs",
    "GuidelineContent",
    "Section",
    "changes_to_read",
    "current_document_versions",
    "current_topic_versions",
    "documents_with_text",
    "found_pairs",
    "guideline_content",
    "text_changes",
    "topics_with_text",
    "turn_of",
    "visible_documents",
    "visible_topics",
    "with_current_text",
]
