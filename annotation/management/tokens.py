"""API tokens of a person as commands, for whoever runs the installation."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.kernel.api_tokens import api_tokens_of, last_moment, make_api_token, revoke_api_token
from annotation.kernel.commands.base import DONE, REFUSED, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_dry_run, person_named, require_valid, trial
from annotation.models import ApiToken
from annotation.people.forms import ApiTokenForm


class ListTokens(TouchstoneCommand):
    help = "List the API tokens of a person: those that work first, the newest first."
    examples = ("touchstone token list ada", "touchstone token list ada --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("person", help="the username")

    def handle(self, *, person: str, **_options: object) -> None:
        rows = [_as_facts(token) for token in api_tokens_of(person_named(person))]
        words = (f"{row['prefix']}: {row['name']}{', revoked' if row['revoked_at'] else ''}" for row in rows)
        self.answer("\n".join(words) or "no token", rows)


class MakeToken(TouchstoneCommand):
    help = "Make an API token of a person. It is shown now and kept nowhere."
    examples = (
        "touchstone token make ada 'nightly report'",
        "touchstone token make ada 'nightly import' --scope admin --days 90",
    )
    exits: Mapping[int, str] = MappingProxyType({DONE: "the token is on the output"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("person", help="the username")
        parser.add_argument("name", help="what will use it, so that they know it again")
        parser.add_argument(
            "--scope",
            choices=ApiToken.Scope.values,
            default=ApiToken.Scope.READ.value,
            help="what it may: read, judge as well, or all that the person may (default: %(default)s)",
        )
        parser.add_argument("--days", type=int, help="days until it expires; without it, until it is revoked")
        add_dry_run(parser)

    def handle(self, *, person: str, dry_run: bool, **options: Any) -> None:
        owner, form = person_named(person), ApiTokenForm(options)
        require_valid(form)
        name, scope = form.cleaned_data["name"], form.cleaned_data["scope"]
        expires_at = last_moment(form.cleaned_data["days"])
        with trial(dry_run=dry_run):
            secret = "" if dry_run else make_api_token(owner, name=name, scope=scope, expires_at=expires_at)
        facts = {
            "person": person,
            "name": name,
            "scope": scope,
            "expires_at": expires_at.isoformat() if expires_at else None,
            "token": secret or None,
            "stored": not dry_run,
        }
        self.answer(secret or f"would be made: {name}", facts)


class RevokeToken(TouchstoneCommand):
    help = "Revoke an API token: whatever uses it is refused from now on."
    examples = ("touchstone token revoke ada 3fQx9aLm",)
    exits: Mapping[int, str] = MappingProxyType({DONE: "revoked", REFUSED: "there is no such token any more"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("person", help="the username")
        parser.add_argument("prefix", help="how the token begins, as `token list` has it")
        add_dry_run(parser)

    def handle(self, *, person: str, prefix: str, dry_run: bool, **_options: object) -> None:
        with trial(dry_run=dry_run):
            if not revoke_api_token(person_named(person), prefix=prefix):
                raise RefusedError(f"{person} has no token {prefix} any more.")
        words = f"{'would be revoked' if dry_run else 'revoked'}: {prefix}"
        self.answer(words, {"prefix": prefix, "stored": not dry_run})


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"list": ListTokens, "make": MakeToken, "revoke": RevokeToken}
)


def _as_facts(token: ApiToken) -> dict[str, object]:
    moments = {name: getattr(token, name) for name in ("created_at", "expires_at", "last_used_at", "revoked_at")}
    return {
        "prefix": token.prefix,
        "name": token.name,
        "scope": token.scope,
        **{name: moment.isoformat() if moment else None for name, moment in moments.items()},
    }
