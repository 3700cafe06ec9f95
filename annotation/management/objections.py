"""What annotators object to of the gold they were told, as commands: listed, looked at, answered."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.http import Http404

from annotation.kernel.access import appeal_for
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_actor,
    add_collection,
    add_dry_run,
    admin_named,
    attempt,
    collection_named,
    require_valid,
)
from annotation.management.gold_changes import add_confirmation, effect_facts, effect_words, require_confirmed
from annotation.models import Appeal, Collection, ScaleVersion, User
from annotation.review.forms.appeals import CORRECT, DECLINE, SETTLED, WITHDRAW, AppealForm, change_of
from annotation.review.read.appeals import AppealFile, appeal_file, appeals_of
from annotation.review.steps.appeals import AnswerError, decline_appeal, settle_appeal, uphold_appeal
from annotation.trust.read.gold_effect import effect_of


class ListObjections(TouchstoneCommand):
    help = "List what people object to, the open ones first, the oldest of them on top."
    examples = ("touchstone objection list bees", "touchstone objection list bees --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        rows = [_as_facts(each) for each in appeals_of(collection_named(collection))]
        self.answer("\n".join(map(_in_words, rows)) or "no objection", rows)


class ShowObjection(TouchstoneCommand):
    help = "Show an objection with all that the answer needs."
    examples = ("touchstone objection show bees 4f1c --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_objection(parser)
        add_actor(parser)

    def handle(self, *, collection: str, token: str, actor: str | None, **_options: object) -> None:
        here = collection_named(collection)
        facts = _whole(_named(here, admin_named(here, actor), token))
        self.answer("\n".join(f"{name}: {value}" for name, value in facts.items()), facts)


class AnswerObjection(TouchstoneCommand):
    help = (
        "Answer an objection: decline it, settle it by a change made since, or uphold it: correct or withdraw gold. "
        "A change of gold that touches people is confirmed."
    )
    examples = (
        "touchstone objection answer bees 4f1c decline --answer 'The second sentence says so'",
        "touchstone objection answer bees 4f1c correct --grade 2 --answer 'You are right' --dry-run",
        "touchstone objection answer bees 4f1c correct --grade 2 --answer 'You are right' --seen 81 --all-of-pair",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "answered; with --dry-run: could be answered, and it is said whom a change of gold would touch",
            REFUSED: "refused: answered already, or a change that touches people is not confirmed",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_objection(parser)
        parser.add_argument("decision", choices=[DECLINE, CORRECT, WITHDRAW, SETTLED], help="what becomes of the gold")
        parser.add_argument("--answer", required=True, help="the person reads it beside their objection")
        parser.add_argument("--grade", help="of `correct`: what the gold is to be")
        words = "another grade that counts as right, as often as wanted"
        parser.add_argument("--accepted", action="append", default=[], metavar="GRADE", help=words)
        parser.add_argument("--explanation", default="", help="why this is the grade, for all who judged the pair")
        parser.add_argument("--all-of-pair", action="store_true", help="the same answer to all who object to the pair")
        add_confirmation(parser)
        add_actor(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, token: str, actor: str | None, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        person = admin_named(here, actor)
        appeal = _named(here, person, token)
        answers = _answers(appeal, options)
        with attempt(AnswerError, dry_run=dry_run):
            if answers["decision"] in (DECLINE, SETTLED):
                deed = decline_appeal if answers["decision"] == DECLINE else settle_appeal
                deed(appeal, answer=answers["answer"], actor=person)
            elif self._touches(appeal, answers, options, person, dry_run=dry_run):
                return
            facts = _as_facts(_named(here, person, token))
        words = _in_words(facts)
        self.answer(f"would be so: {words}" if dry_run else words, {**facts, "stored": not dry_run})

    def _touches(
        self, appeal: Appeal, answers: Mapping[str, Any], options: Mapping[str, Any], person: User, *, dry_run: bool
    ) -> bool:
        """Change the gold; on trial only say whom that would touch."""
        if appeal.is_answered:
            raise AnswerError("Somebody has answered this objection already.")
        change = change_of(appeal, answers)
        effect = effect_of(appeal.collection, change)
        if dry_run:
            self.answer(effect_words(effect), effect_facts(effect))
            return True
        seen, bring_back = options["seen"], options["bring_back"]
        require_confirmed(effect, seen, bring_back)
        whom = {"seen": seen, "bring_back": bring_back, "all_of_pair": options["all_of_pair"]}
        uphold_appeal(appeal, answer=answers["answer"], change=change, effect=effect, **whom, actor=person)
        return False


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"list": ListObjections, "show": ShowObjection, "answer": AnswerObjection}
)


def _add_objection(parser: argparse.ArgumentParser) -> None:
    add_collection(parser)
    parser.add_argument("token", help="the objection by its token, as `objection list` says")


def _named(collection: Collection, person: User, token: str) -> Appeal:
    try:
        return appeal_for(person, collection.slug, token)
    except Http404 as error:
        raise MisuseError(f"There is no objection {token} in this collection.") from error


def _answers(appeal: Appeal, options: Mapping[str, Any]) -> dict[str, Any]:
    """As the form of the page takes them; it offers `settled` where the gold has changed, else the step refuses it."""
    names = ("decision", "answer", "grade", "accepted", "explanation")
    entered = {name: options[name] for name in names}
    form = AppealForm(entered, scale=_scale(appeal), has_changed=True, n_others=0)
    require_valid(form)
    return form.cleaned_data


def _scale(appeal: Appeal) -> ScaleVersion:
    assert appeal.collection.scale is not None
    return appeal.collection.scale


def _as_facts(appeal: Appeal) -> dict[str, Any]:
    return {
        "token": appeal.token,
        "annotator": appeal.annotator.pseudonym,
        "number": appeal.topic.number,
        "docno": appeal.document.docno,
        "state": appeal.state,
        "told_grade": appeal.told_grade,
        "reason": appeal.reason,
        "answer": appeal.answer,
        "answered_by": appeal.answered_by.username if appeal.answered_by else None,
    }


def _whole(appeal: Appeal) -> dict[str, Any]:
    file: AppealFile = appeal_file(appeal, _scale(appeal))
    return {
        **_as_facts(appeal),
        "own_grade": file.own_grade,
        "comment": file.comment,
        "gold_now": file.gold.grade if file.gold else None,
        "accepted_now": list(file.gold.accepted) if file.gold else [],
        "has_changed": file.has_changed,
        "n_others": file.n_others,
    }


def _in_words(facts: Mapping[str, Any]) -> str:
    answer = f"; answer: {facts['answer']}" if facts["answer"] else ""
    pair = f"topic {facts['number']}, document {facts['docno']}"
    told_grade = f"told {facts['told_grade']}"
    return f"{facts['token']}: {facts['state']}: {facts['annotator']}, {pair}, {told_grade}: {facts['reason']}{answer}"
