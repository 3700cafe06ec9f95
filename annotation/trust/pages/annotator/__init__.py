"""What the page of one annotator says."""

from annotation.trust.pages.annotator.report import PARTS, AnnotatorReport, annotator_report
from annotation.trust.pages.annotator.tables import PERSON_TABLES

__all__ = ["PARTS", "PERSON_TABLES", "AnnotatorReport", "annotator_report"]
