"""The import laws of docs/architecture.md: who may import whom, no circles, what a web process may load."""

import ast
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter

from tests.architecture.tree import Import, Module, imports

PURE = frozenset({"quality", "formats", "text", "engine"})
# The subjects of each app, the lower first: an import between two of them points downwards.
SUBJECTS = {
    "annotation": (
        *(
            "people",
            "outgoing",
            "corpus",
            "judging",
            "gold",
            "trust",
            "batches",
            "review",
            "health",
            "exchange",
            "home",
        ),
    ),
    "evaluation": (
        "runs",
        "vectors",
        "leaderboard",
        "sensitivity",
        "pooling",
        "accounting",
        "changes",
        "reports",
        "planning",
        "beyond",
        "clicks",
        "series",
        "ab_tests",
    ),
}
# Inside a subject: pages and forms stand side by side, views and api too, but never see each other.
LAYERS = {"read": 0, "steps": 1, "pages": 2, "forms": 2, "views": 3, "api": 3, "urls": 4}
OPEN = frozenset({"read", "steps", "pages"})  # whose modules others may import, one by one, and nothing inside them
FREE = PURE | {"models", "kernel"}  # what stands below all subjects: its modules are imported one by one
AROUND = {  # what stands around the subjects of an app: what it may import beside FREE and itself
    "management": OPEN | {"forms"},
    "templatetags": frozenset[str](),
    "apps": frozenset[str](),
    "urls": frozenset[str](),
}

PARSERS_AND_NUMBERS = frozenset(
    {"numpy", "scipy", "polars", "torch", "defusedxml", "nh3", "markdown_it", "matplotlib", "fsspec", "umap", "bm25s"}
)
SLOW_TO_IMPORT = frozenset({"torch", "polars", "scipy", "matplotlib", "umap", "bm25s"})
_OTHER_APP = re.compile(r"""["'](evaluation|touchstone)\.([A-Z]\w*|[a-z_]+\.[\w.]+)["']""")


def broken_imports(modules: Sequence[Module]) -> list[str]:
    """Imports against laws 1 to 3, as `path:line: reason`."""
    known = frozenset(module.name for module in modules)
    broken = []
    for module in modules:
        if module.app in SUBJECTS and module.room and not _is_known(module.app, module.room):
            broken.append(f"{module.path}:1: there is no room {module.room!r} in the house")
            continue
        for item in imports(module, known):
            reason = _against_the_law(module, item)
            if reason:
                broken.append(f"{module.path}:{item.line}: {reason}")
    return broken


def _against_the_law(module: Module, item: Import) -> str | None:
    top = item.target.partition(".")[0]
    if top in {*SUBJECTS, "touchstone"}:
        return _against_rooms(module, item.target)
    return _against_weight(module, item, top)


def _is_known(app: str, room: str) -> bool:
    return room in {*FREE, *AROUND, *SUBJECTS[app], "migrations"}


def _against_rooms(module: Module, target: str) -> str | None:
    """`target` is a module of ours."""
    app = target.partition(".")[0]
    room, layer = _place_of(module.name)
    other, other_layer = _place_of(target)
    if module.app != app and not (app == "annotation" or module.app == "touchstone"):
        return f"{module.app} never imports {app}"
    if app == "touchstone" or not other or (module.app == "touchstone" and other in {"management", "urls"}):
        return None
    if app == module.app and room == other:
        return _against_layers(room, layer, other_layer, target) if room in SUBJECTS[app] else None
    if other in FREE:
        return None if other in _foundations(room) else f"{room} may not import {other} ({target})"
    return _against_subjects(module.app, room, target)


def _place_of(name: str) -> tuple[str, str]:
    """The room and, inside a subject, the layer."""
    parts = [*name.split("."), "", ""]
    return parts[1], parts[2]


def _against_layers(room: str, layer: str, other: str, target: str) -> str | None:
    if not other:
        return None  # the docstring of the subject
    if other not in LAYERS or layer not in {"", *LAYERS}:
        return f"there is no layer {other or layer!r} in {room}"
    if {layer, other} == {"views", "api"}:
        return f"{layer} may not import {other} ({target})"
    if layer and LAYERS[other] > LAYERS[layer]:
        return f"{layer} may not import {other}, which stands above it ({target})"
    return None


def _foundations(room: str) -> frozenset[str]:
    """What of the pure rooms, models and kernel a room may import."""
    if room in PURE:
        return PURE
    if room in {"models", "migrations", "templatetags"}:
        return PURE | {"models"}
    return FREE


def _against_subjects(app: str, room: str, target: str) -> str | None:
    """An import of another subject: of one that stands below, of a layer that is open, and not of what lies inside."""
    top, (other, layer) = target.partition(".")[0], _place_of(target)
    if other not in SUBJECTS[top]:
        return f"nobody imports {other} ({target})"
    if app in SUBJECTS and room not in SUBJECTS[app] and room not in AROUND:
        return f"{room} may not import a subject ({target})"
    if app == top and room in SUBJECTS[app] and SUBJECTS[app].index(other) > SUBJECTS[app].index(room):
        return f"{room} may not import {other}, which stands above it ({target})"
    if layer not in AROUND.get(room, OPEN):
        return f"{layer or 'the subject itself'} is not open to others ({target})"
    return f"deeper than a module of {layer} ({target})" if layer in OPEN and target.count(".") > 3 else None


def _against_weight(module: Module, item: Import, top: str) -> str | None:
    if module.room in PURE and module.app != "touchstone":
        if top not in PARSERS_AND_NUMBERS and top not in sys.stdlib_module_names:
            return f"a pure room may not import {item.target}"
    elif top in SLOW_TO_IMPORT and not item.deferred:
        return f"{top} is slow to import: inside a function, or in a pure room"
    if top == "torch":
        if not module.name.startswith("evaluation.engine"):
            return "torch belongs in evaluation/engine alone"
        if not item.deferred:
            return "torch is imported only inside functions"
    return None


def talkative_packages(modules: Iterable[Module]) -> list[str]:
    """Packages of subjects whose `__init__` holds anything but a docstring, or none; and of their layers, where the
    docstring may be missing. A package that imports makes everybody who wants one name of it load all of them."""
    return [
        module.path
        for module in modules
        if module.is_package
        and (_is_subject(module) or _is_layer(module))
        and not (_is_docstring(module.tree.body) or (_is_layer(module) and not module.tree.body))
    ]


def _is_subject(module: Module) -> bool:
    return module.name.count(".") == 1 and module.room in {"kernel", *SUBJECTS.get(module.app, ())}


def _is_layer(module: Module) -> bool:
    room, layer = _place_of(module.name)
    return module.name.count(".") == 2 and room in SUBJECTS.get(module.app, ()) and layer in LAYERS


def _is_docstring(body: Sequence[ast.stmt]) -> bool:
    return len(body) == 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)


def strings_across(modules: Iterable[Module]) -> list[str]:
    """Names of another app's models or modules in strings: a dependency that no import shows."""
    return [
        f"{module.path}:{number}: names {match[0]}"
        for module in modules
        if module.app == "annotation"
        for number, line in enumerate(module.source.splitlines(), 1)
        for match in [_OTHER_APP.search(line)]
        if match
    ]


def circles(modules: Sequence[Module]) -> list[str]:
    """Groups of modules that import each other, deferred imports included; and groups of rooms."""
    known = frozenset(module.name for module in modules)
    by_module = {module.name: {item.target for item in imports(module, known)} & known for module in modules}
    by_room: dict[str, set[str]] = {}
    for name, targets in by_module.items():
        by_room.setdefault(_place(name), set()).update({_place(target) for target in targets} - {_place(name)})
    return [" <-> ".join(group) for graph in (by_module, by_room) for group in _knots(graph)]


def _place(name: str) -> str:
    return ".".join(name.split(".")[:2])


def _knots(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected groups of more than one node, and nodes that point at themselves."""
    graph = _tangled(graph)
    reach = {node: _reachable(graph, node) for node in graph}
    groups = {frozenset(other for other in reach[node] if node in reach.get(other, ())) for node in graph}
    return sorted(sorted(group) for group in groups if group)


def _tangled(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The graph without the nodes from which no circle can be reached: sorted out in one go, and mostly all of them."""
    sorter = TopologicalSorter(graph)
    with suppress(CycleError):
        sorter.prepare()
    sound: set[str] = set()
    while ready := sorter.get_ready():
        sound.update(ready)
        sorter.done(*ready)
    return {node: targets - sound for node, targets in graph.items() if node not in sound}


def _reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    todo = list(graph[start])
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(graph.get(node, ()))
    return seen
