"""Our own source as parsed modules, and what each of them imports."""

import ast
import gc
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

APPS = ("annotation", "evaluation", "touchstone")


@dataclass(frozen=True)
class Module:
    """One Python file. `name` is dotted; a package has its own name, without `__init__`."""

    name: str
    path: str
    source: str
    is_package: bool = False

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source, self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of the tree, as `ast.walk` gives it but for Load and Store, which names and attributes have as `ctx`."""
        return tuple(node for node in ast.walk(self.tree) if not isinstance(node, ast.expr_context))

    @property
    def app(self) -> str:
        return self.name.partition(".")[0]

    @property
    def room(self) -> str:
        """The folder or file under the app that holds it; empty for the app's own `__init__`."""
        return room_of(self.name)


@dataclass(frozen=True)
class Import:
    """`deferred`: inside a function, or for the type checker alone, so that loading the module does not load it."""

    target: str
    line: int
    deferred: bool


def room_of(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def module_of(path: str, source: str) -> Module:
    """A module from a path relative to the root, such as annotation/models/topic.py."""
    parts = list(Path(path).with_suffix("").parts)
    is_package = parts[-1] == "__init__"
    return Module(".".join(parts[:-1] if is_package else parts), path, source, is_package)


def modules(root: Path, folders: Iterable[str] = APPS) -> list[Module]:
    """Every module under the folders, sorted by path, parsed and walked once for all who look at it."""
    files = sorted(file for folder in folders for file in (root / folder).rglob("*.py"))
    read = [module_of(file.relative_to(root).as_posix(), file.read_text("utf-8")) for file in files]
    with _collector_paused():
        for module in read:
            _ = module.nodes
    return read


@contextmanager
def _collector_paused() -> Generator[None, None, None]:
    """A million nodes are made and all stay: looking for garbage among them takes longer than making them."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def imports(module: Module, known: frozenset[str] = frozenset()) -> list[Import]:
    """What a module imports. `from a import b` is an import of a.b where that is a known module, else of a."""
    return list(_imports(module, module.tree, known, deferred=False))


def _imports(module: Module, node: ast.AST, known: frozenset[str], *, deferred: bool) -> Iterator[Import]:
    for child in _statements(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, deferred) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            base = _base(module, child)
            for alias in child.names:
                full = f"{base}.{alias.name}"
                yield Import(full if full in known else base, child.lineno, deferred)
        else:
            later = deferred or _is_deferred(child)
            yield from _imports(module, child, known, deferred=later)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """What stands directly in a statement and may be or hold another: an expression cannot."""
    return (
        child
        for child in ast.iter_child_nodes(node)
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
    )


def _base(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    here = module.name.split(".")
    drop = node.level - 1 if module.is_package else node.level
    return ".".join([*here[: len(here) - drop], *([node.module] if node.module else [])])


def _is_deferred(node: ast.AST) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
