"""The words of docs/glossary.md: what our own names may not be called. The names others give are theirs."""

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import PurePath

from tests.architecture.laws import PURE
from tests.architecture.tree import Module

REFUSED = frozenset({"label", "metric", "aggregation", "manager", "handler", "helper", "util", "common", "judgement"})
REFUSED_PAIRS = frozenset({("ground", "truth")})
PARTICIPLES = frozenset({"found", "told", "held", "given", "said", "made"})  # a noun says what a variable is
# Foreign keys own these; where there is no foreign key, an external id is `number` or `docno`.
FOREIGN_KEYS = frozenset({"topic_id", "document_id", "query_id", "doc_id"})
# What Django itself calls things: attributes and settings it reads, hooks it looks up.
DJANGOS_OWN = frozenset(
    {
        *("labels", "app_label", "app_labels", "label_suffix", "label_from_instance", "id_for_label", "label_tag"),
        *("FILE_UPLOAD_HANDLERS", "AXES_HANDLER"),
    }
)
_HOOK = re.compile(r"handler(400|403|404|500)$")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def refused_names(modules: Iterable[Module]) -> list[str]:
    """Names we chose that use a refused word, as `path:line: reason`."""
    refusals = []
    for module in modules:
        stem = PurePath(module.path).stem
        if _is_refused(stem):
            refusals.append(f"{module.path}:1: a module called {stem}")
        for name, line in chosen_names(module.nodes):
            if _is_refused(name) and not (name == "label" and stem == "apps"):  # AppConfig.label
                refusals.append(f"{module.path}:{line}: the name {name}")
            elif module.room in PURE and name in FOREIGN_KEYS:
                refusals.append(f"{module.path}:{line}: {name}: foreign keys own this name; say number or docno")
    return refusals


def participles(modules: Iterable[Module]) -> list[str]:
    """Variables and arguments that are called by a participle."""
    return [
        f"{module.path}:{line}: {name}: name it by what it is"
        for module in modules
        for name, line in _variables(module.nodes)
        if name in PARTICIPLES
    ]


def _variables(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, int]]:
    """Without the fields of classes, which may be stored or sent by name."""
    lines = [each for node in nodes if isinstance(node, ast.ClassDef) for each in node.body]
    fields = {id(name) for each in lines if isinstance(each, ast.AnnAssign | ast.Assign) for name in _targets(each)}
    for node in nodes:
        if isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            yield node.id, node.lineno


def _targets(line: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return line.targets if isinstance(line, ast.Assign) else [line.target]


def chosen_names(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """The names a module gives: classes, functions, parameters, variables, attributes and import aliases."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            if not _is_named_by_django(node):
                yield node.name, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not node.name.startswith("test_"):  # the name of a test is a sentence
                yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname, 0


@cache
def _is_refused(name: str) -> bool:
    if name in DJANGOS_OWN or _HOOK.match(name):
        return False
    words = [word.lower() for word in _WORD.findall(name)]
    singular = [word.removesuffix("s") for word in words]
    return bool(REFUSED & {*words, *singular}) or any(pair in REFUSED_PAIRS for pair in itertools.pairwise(words))


def _is_named_by_django(node: ast.ClassDef) -> bool:
    """Whether Django calls it so: its base's name has the word."""
    return any(ast.unparse(base).split("[")[0].endswith("Manager") for base in node.bases)
