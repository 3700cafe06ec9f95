"""The import laws of DESIGN §3: who may import whom, no circles, what a web process may load."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter

from tests.architecture.tree import Import, Module, imports, room_of

PURE = frozenset({"quality", "formats", "text", "engine"})
ENDS = frozenset({"views", "api", "management"})  # where a request or a command comes in: never one from another
BELOW_WORKFLOW = PURE | {"models", "queries", "access"}

# room: the rooms it may import, beside itself
ROOMS: Mapping[str, frozenset[str]] = {
    "": frozenset(),
    **dict.fromkeys(PURE, PURE),
    "models": PURE,
    "migrations": PURE | {"models"},
    "queries": PURE | {"models"},
    "access": PURE | {"models"},
    "forms": PURE | {"models"},
    "workflow": BELOW_WORKFLOW,
    "templatetags": PURE | {"models"},
    **dict.fromkeys(ENDS, BELOW_WORKFLOW | {"forms", "workflow"}),
    "urls": frozenset({"views", "api"}),
    "apps": frozenset({"workflow"}),
    "middleware": frozenset(),
}

# Law 3: all that evaluation may use of annotation
SHARED_ROOMS = frozenset({"models", "queries", "access", "quality", "formats"})
SHARED_STEPS = ("annotation.workflow.pooling", "annotation.workflow.jobs", "annotation.workflow.audit")

PARSERS_AND_NUMBERS = frozenset({"numpy", "scipy", "polars", "torch", "defusedxml", "nh3", "markdown_it", "matplotlib"})
SLOW_TO_IMPORT = frozenset({"torch", "polars", "scipy", "matplotlib"})
_OTHER_APP = re.compile(r"""["'](evaluation|touchstone)\.([A-Z]\w*|[a-z_]+\.[\w.]+)["']""")


def broken_imports(modules: Sequence[Module]) -> list[str]:
    """Imports against laws 1 to 3, as `path:line: reason`."""
    known = frozenset(module.name for module in modules)
    found = []
    for module in modules:
        for item in imports(module, known):
            reason = _against_the_law(module, item)
            if reason:
                found.append(f"{module.path}:{item.line}: {reason}")
    return found


def _against_the_law(module: Module, item: Import) -> str | None:
    top = item.target.partition(".")[0]
    if module.app in {"annotation", "evaluation"}:
        if module.room not in ROOMS:
            return f"there is no room {module.room!r} in the house"
        if top in {"annotation", "evaluation", "touchstone"}:
            return _against_rooms(module, item)
    return _against_weight(module, item, top)


def _against_rooms(module: Module, item: Import) -> str | None:
    app, room = item.target.partition(".")[0], room_of(item.target)
    if app == "touchstone":
        return "an app never imports touchstone"
    if module.app == "annotation" and app == "evaluation":
        return "annotation never imports evaluation"
    if module.app == "evaluation" and app == "annotation" and not _is_shared(item.target, room):
        return f"evaluation may not use {item.target}"
    if (room != module.room or not room) and room not in ROOMS[module.room]:
        return f"{module.room or 'the app'} may not import {room or 'the app itself'} ({item.target})"
    return None


def _is_shared(target: str, room: str) -> bool:
    return room in SHARED_ROOMS or any(target == step or target.startswith(f"{step}.") for step in SHARED_STEPS)


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
