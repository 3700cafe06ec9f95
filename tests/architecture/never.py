"""What the house refuses, in Python and in templates, and law 4: nothing on an annotator's path names gold."""

import ast
import re
from collections.abc import Iterable, Iterator

from tests.architecture.tree import Module

REFUSED_NAMES = frozenset({"mark_safe", "SafeString", "csrf_exempt", "cache_page", "eval", "exec"})
REFUSED_MODULES = frozenset({"pickle", "cPickle", "marshal", "shelve", "dill", "joblib"})
REFUSED_TRUE = frozenset({"allow_pickle", "shell"})
FOLDER_OF_FILES = "TOUCHSTONE_FILES"
KNOW_THE_FOLDER = ("annotation/kernel/store/", "touchstone/settings.py", "touchstone/checks.py", "touchstone/health.py")
SIGNALS = ("django.dispatch", "django.db.models.signals", "django.core.signals")

_OUTPUT = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
_TEMPLATE_RULES = (
    (re.compile(r"\|\s*safe(seq)?\b"), "the filter safe"),
    (re.compile(r"\{%\s*autoescape\s+off"), "autoescape off"),
    (re.compile(r"\{[%{#](?:(?![%}#]\}).)*$", re.MULTILINE), "a tag that goes on in the next line is printed as it is"),
)
_MARKUP_RULES = (
    (re.compile(r"<style\b", re.IGNORECASE), "a style element"),
    (re.compile(r"\sstyle\s*=", re.IGNORECASE), "a style attribute"),
    (re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE), "an event attribute"),
    (re.compile(r"\shx-on[:=-]", re.IGNORECASE), "an hx-on attribute"),
    (re.compile(r"javascript:", re.IGNORECASE), "a javascript: address"),
    (re.compile(r"<script\b(?![^>]*\bsrc\s*=)", re.IGNORECASE), "a script without src"),
    (re.compile(r"<script\b[^>]*>\s*[^\s<]", re.IGNORECASE), "an inline script"),
    (re.compile(r"<(?!(?:a|button|label)\b)\w[^>]*\stitle\s*=", re.IGNORECASE), "a title that only a mouse finds"),
)
JUDGING = ("annotation/judging/", "templates/annotation/judging/", "static/js/judge")  # what annotators meet


def refused_calls(modules: Iterable[Module]) -> list[str]:
    """Refused functions, modules and arguments, as `path:line: reason`."""
    return [
        f"{module.path}:{getattr(node, 'lineno', 0)}: {reason}"
        for module in modules
        for node in module.nodes
        if isinstance(node, _MAY_BE_REFUSED)
        for reason in _refused(node)
    ]


_MAY_BE_REFUSED = (ast.Name, ast.alias, ast.Attribute, ast.Import, ast.ImportFrom, ast.keyword)


def _refused(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and node.id in REFUSED_NAMES:
        yield node.id
    elif isinstance(node, ast.alias) and node.name.rpartition(".")[2] in REFUSED_NAMES:
        yield node.name
    elif isinstance(node, ast.Attribute) and node.attr in REFUSED_NAMES - {"eval", "exec"}:
        yield node.attr
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in REFUSED_MODULES)
    elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in REFUSED_MODULES:
        yield node.module or ""
    elif isinstance(node, ast.keyword) and node.arg in REFUSED_TRUE and not _is_false(node.value):
        yield f"{node.arg}={ast.unparse(node.value)}"


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def reaches_past_the_store(modules: Iterable[Module]) -> list[str]:
    """Modules that look for stored files in a folder: they may lie elsewhere, which the store alone knows."""
    return [
        f"{module.path}:{node.lineno}"
        for module in modules
        if not module.path.startswith(KNOW_THE_FOLDER)
        for node in module.nodes
        if isinstance(node, ast.Attribute) and node.attr == FOLDER_OF_FILES
    ]


def signals(modules: Iterable[Module]) -> list[str]:
    """Modules that listen to signals or send them."""
    return [
        f"{module.path}:{node.lineno}: {ast.unparse(node)}"
        for module in modules
        for node in module.nodes
        if (isinstance(node, ast.ImportFrom) and (node.module or "").startswith(SIGNALS))
        or (isinstance(node, ast.ImportFrom) and any(alias.name == "signals" for alias in node.names))
        or (isinstance(node, ast.Import) and any(alias.name.startswith(SIGNALS) for alias in node.names))
    ]


def refused_markup(templates: Iterable[tuple[str, str]]) -> list[str]:
    """Templates, as pairs of path and text, that hold what the Content-Security-Policy or the house refuses."""
    refusals = []
    for path, text in templates:
        refusals += [
            f"{path}:{_line(text, match)}: {reason}"
            for rule, reason in _TEMPLATE_RULES
            for match in rule.finditer(text)
        ]
        markup = _OUTPUT.sub(_blank, text)
        refusals += [
            f"{path}:{_line(text, match)}: {reason}"
            for rule, reason in _MARKUP_RULES
            for match in rule.finditer(markup)
        ]
    return refusals


def _blank(match: re.Match[str]) -> str:
    """As long as what it replaces, with its line ends: places stay where they are, and `>` in a tag ends no element."""
    return re.sub(r"[^\n]", "_", match[0])


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


def gold_named(files: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of judging, whose files are given as pairs of path and text, that name gold; and places without a file."""
    files = list(files)
    lines = [
        f"{path}:{number}: {line.strip()}"
        for path, text in files
        if path.startswith(JUDGING)
        for number, line in enumerate(text.splitlines(), 1)
        if "gold" in line.lower()
    ]
    return lines + [f"{place}: no file" for place in JUDGING if not any(path.startswith(place) for path, _ in files)]
