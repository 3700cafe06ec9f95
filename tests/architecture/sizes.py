"""How long files, functions and lines of templates are. Docstrings do not count: they are there to be long enough."""

import ast
from collections.abc import Iterable
from statistics import mean

from tests.architecture.tree import Module

FILE_LIMIT = 400
FUNCTION_LIMIT = 60
TEMPLATE_LINE_LIMIT = 160


def long_files(files: Iterable[tuple[str, str]]) -> list[str]:
    """Files, as pairs of path and text, that are over the limit."""
    counts = ((path, len(text.splitlines())) for path, text in files)
    return [f"{path}: {count} lines, {FILE_LIMIT} at most" for path, count in counts if count > FILE_LIMIT]


def long_lines(files: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of templates, as pairs of path and text, that are over the limit."""
    return [
        f"{path}:{number}: {len(line)} characters, {TEMPLATE_LINE_LIMIT} at most"
        for path, text in files
        for number, line in enumerate(text.splitlines(), start=1)
        if len(line) > TEMPLATE_LINE_LIMIT
    ]


def function_lengths(modules: Iterable[Module]) -> dict[str, int]:
    """Lines of every function, by `path:line name`."""
    return {
        f"{module.path}:{node.lineno} {node.name}": _length(node)
        for module in modules
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def long_functions(lengths: dict[str, int]) -> list[str]:
    return [
        f"{place}: {length} lines, {FUNCTION_LIMIT} at most"
        for place, length in lengths.items()
        if length > FUNCTION_LIMIT
    ]


def mean_length(lengths: dict[str, int]) -> float:
    return mean(lengths.values()) if lengths else 0.0


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    docstring = ast.get_docstring(node, clean=False) is not None
    n_docstring_lines = (first.end_lineno or first.lineno) - first.lineno + 1 if docstring else 0
    return (node.end_lineno or node.lineno) - node.lineno + 1 - n_docstring_lines
