"""Judgments made elsewhere: a file of them becomes a batch of its own, with the people who made them."""

from annotation.exchange.steps.importing.judgments.importer import JudgmentImporter

__all__ = ["JudgmentImporter"]
