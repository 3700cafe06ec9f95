"""Whom to believe and who gets cards, as commands: excluded, reinstated, paused, let go on, marked as a machine."""

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from annotation.judging.read.pauses import current_exclusions, current_pauses
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_collection,
    add_dry_run,
    add_reason,
    attempt,
    collection_named,
    require_valid,
)
from annotation.kernel.forms import ReasonForm
from annotation.kernel.visible import visible_annotators
from annotation.models import Annotator, Collection, Rule
from annotation.people.steps.annotator_kind import KindError, set_kind
from annotation.trust.forms.pausing import PauseForm
from annotation.trust.read.proposals import proposals
from annotation.trust.steps.exclusions import ExclusionError, exclude_annotator, reinstate_annotator
from annotation.trust.steps.pausing import PauseError, pause_annotator, resume_annotator


class ListAnnotators(TouchstoneCommand):
    help = "List the annotators of a collection: who counts, who gets cards, and whom a rule would pause."
    examples = ("touchstone annotator list bees", "touchstone annotator list bees --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        here = collection_named(collection)
        proposed = {each.pseudonym: each for each in proposals(here)}
        rows = [
            {**facts, "proposed_by": each.rule if each else None, "proposed_for": each.reason if each else None}
            for facts in _standings(here)
            for each in [proposed.get(str(facts["annotator"]))]
        ]
        self.answer("\n".join(map(_in_words, rows)) or "no annotator", rows)


class AnnotatorStep(TouchstoneCommand):
    """A subclass is one change of an annotator, with its reason."""

    change: Callable[..., object]
    form: type[ReasonForm] = ReasonForm
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "done, or with --dry-run: could be done",
            REFUSED: "refused: there is nothing to change; the reason is on the standard error",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("annotator", metavar="PSEUDONYM", help="who, by pseudonym")
        add_reason(parser)
        add_dry_run(parser)

    def values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """What the change takes besides the annotator; raises `MisuseError`."""
        form = self.form({name: options.get(name) for name in self.form.base_fields})
        require_valid(form)
        return form.cleaned_data

    def handle(self, *, collection: str, annotator: str, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        person, values = annotator_named(here, annotator), self.values(options)
        with attempt(ExclusionError, KindError, PauseError, dry_run=dry_run):
            type(self).change(person, **values, actor=None)
            facts = next(facts for facts in _standings(here) if facts["annotator"] == person.pseudonym)
        words = _in_words(facts)
        self.answer(f"would be so: {words}" if dry_run else words, {**facts, "stored": not dry_run})


class ExcludeAnnotator(AnnotatorStep):
    help = "Take an annotator out of the count, with a reason. Nothing is deleted; they get no more cards."
    examples = (
        "touchstone annotator exclude bees Amber --reason 'Always the same grade' --dry-run",
        "touchstone annotator exclude bees Amber --reason 'Unreliable on gold' --rule accuracy",
    )
    change = staticmethod(exclude_annotator)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        _add_rule(parser)

    def values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().values(options), "rule": options["rule"]}


class ReinstateAnnotator(AnnotatorStep):
    help = "Bring the judgments of an excluded annotator back into the count."
    examples = ("touchstone annotator reinstate bees Amber --reason 'The gold was wrong'",)
    change = staticmethod(reinstate_annotator)


class PauseAnnotator(AnnotatorStep):
    help = "Hand an annotator no new cards, with a reason. Their judgments count as before."
    examples = (
        "touchstone annotator pause bees Amber --reason 'Much faster than before' --told 'Please write to us.'",
        "touchstone annotator pause bees Amber --reason 'Much faster' --rule speed --dry-run --json",
    )
    change = staticmethod(pause_annotator)
    form = PauseForm

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--told", default="", help="what the person reads instead of the next card")
        _add_rule(parser)

    def values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().values(options), "rule": options["rule"]}


class ResumeAnnotator(AnnotatorStep):
    help = "Let a paused annotator go on; one who is excluded gets no cards all the same."
    examples = ("touchstone annotator resume bees Amber --reason 'We have talked'",)
    change = staticmethod(resume_annotator)


class AnnotatorKind(AnnotatorStep):
    help = "Say that an annotator is a machine judge, or a person after all. Judgments are never touched."
    examples = ("touchstone annotator kind bees judge-7 machine --reason 'A language model'",)
    change = staticmethod(set_kind)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=Annotator.Kind.values, help="what it is")

    def values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().values(options), "kind": options["kind"]}


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {
        "list": ListAnnotators,
        "exclude": ExcludeAnnotator,
        "reinstate": ReinstateAnnotator,
        "pause": PauseAnnotator,
        "resume": ResumeAnnotator,
        "kind": AnnotatorKind,
    }
)


def annotator_named(collection: Collection, pseudonym: str) -> Annotator:
    annotator = visible_annotators(collection).filter(pseudonym=pseudonym).first()
    if annotator is None:
        raise MisuseError(f"There is no annotator {pseudonym} in this collection.")
    return annotator


def _add_rule(parser: argparse.ArgumentParser) -> None:
    words = "the rule that proposed it, as `annotator list` says; by hand, if none"
    parser.add_argument("--rule", choices=Rule.values, default="", help=words)


def _standings(collection: Collection) -> list[dict[str, object]]:
    """Everybody, by pseudonym. Three queries."""
    excluded, paused = current_exclusions(collection), current_pauses(collection)
    people = visible_annotators(collection).order_by("pseudonym")
    return [
        {
            "annotator": each.pseudonym,
            "is_machine": each.kind == Annotator.Kind.MACHINE,
            "gets_cards": each.gets_cards,
            "excluded_for": excluded[each.pseudonym].reason if each.pseudonym in excluded else None,
            "paused_for": paused[each.pseudonym].reason if each.pseudonym in paused else None,
        }
        for each in people
    ]


def _in_words(facts: Mapping[str, object]) -> str:
    kind = "a machine judge" if facts["is_machine"] else "gets cards" if facts["gets_cards"] else "gets no cards"
    reasons = {"excluded_for": "excluded", "paused_for": "paused", "proposed_for": "a rule would pause"}
    words = [f"{verb}: {facts[name]}" for name, verb in reasons.items() if facts.get(name)]
    return f"{facts['annotator']}: {'; '.join([kind, *words])}"
