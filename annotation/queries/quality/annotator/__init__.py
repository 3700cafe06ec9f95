"""What the page of one annotator says."""

from annotation.queries.quality.annotator.report import AnnotatorReport, annotator_report

__all__ = ["AnnotatorReport", "annotator_report"]
