"""Which function of the sources may call which: enough of Python's rules to find functions that call themselves.

A name is what the function, its module or an import makes of it; a method is looked for in the class of ``self`` only,
since a part that hands a call on to another of the same kind is no recursion. What is handed on as a value counts as
called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.house.sources import parsed


@dataclass
class _Module:
    """What a module defines and imports, by name."""

    name: str
    functions: dict[str, str] = field(default_factory=dict)
    classes: dict[str, dict[str, str]] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)


class Calls:
    """The functions of all modules under a folder, by full name, with those that they may call."""

    def __init__(self, folder: Path) -> None:
        self.called: dict[str, set[str]] = {}
        self._modules: dict[str, _Module] = {}
        trees = {
            ".".join(path.relative_to(folder).with_suffix("").parts): parsed(path)
            for path in sorted(folder.rglob("*.py"))
        }
        for name, tree in trees.items():
            self._modules[name] = self._outline(name, tree)
        for name, tree in trees.items():
            self._read(self._modules[name], tree, name, "", {})

    def _outline(self, name: str, tree: ast.Module) -> _Module:
        module = _Module(name)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                module.functions[node.name] = f"{name}.{node.name}"
            elif isinstance(node, ast.ClassDef):
                methods = [part.name for part in node.body if isinstance(part, ast.FunctionDef)]
                module.classes[node.name] = {method: f"{name}.{node.name}.{method}" for method in methods}
            elif isinstance(node, ast.ImportFrom) and node.module:
                module.imports |= {part.asname or part.name: (node.module, part.name) for part in node.names}
        return module

    def _read(self, module: _Module, node: ast.AST, prefix: str, owner: str, outer: dict[str, str]) -> None:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.ClassDef):
                self._read(module, part, f"{prefix}.{part.name}", part.name, outer)
            elif isinstance(part, ast.FunctionDef):
                full = f"{prefix}.{part.name}"
                nested = [inner for inner in _inside(part) if isinstance(inner, ast.FunctionDef)]
                local = outer | {inner.name: f"{full}.{inner.name}" for inner in nested}
                self.called[full] = set(self._callees(module, part, owner, local))
                self._read(module, part, full, owner, local)
            else:
                self._read(module, part, prefix, owner, outer)

    def _callees(self, module: _Module, function: ast.FunctionDef, owner: str, local: dict[str, str]) -> Iterator[str]:
        bound = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
        nodes = list(_inside(function))
        bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in bound:
                yield from self._named(module, node.id, local)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield from self._attribute(module, node, owner)

    def _named(self, module: _Module, name: str, local: dict[str, str]) -> Iterator[str]:
        if name in local:
            yield local[name]
        elif name in module.functions:
            yield module.functions[name]
        elif name in module.classes:
            yield from _constructor(module.classes[name])
        elif name in module.imports:
            source, original = module.imports[name]
            if source in self._modules:
                yield from self._named(self._modules[source], original, {})

    def _attribute(self, module: _Module, node: ast.Attribute, owner: str) -> Iterator[str]:
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        if base == "self" and node.attr in module.classes.get(owner, {}):
            yield module.classes[owner][node.attr]
        source, original = module.imports.get(base, ("", ""))
        imported = self._modules.get(f"{source}.{original}")
        if imported is not None:
            yield from self._named(imported, node.attr, {})


def _inside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What belongs to a function and not to one within it, those that are within it included."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.AnnAssign):
            waiting += [part for part in (node.target, node.value) if part is not None]
        elif not isinstance(node, ast.FunctionDef | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _constructor(methods: dict[str, str]) -> Iterator[str]:
    if "__init__" in methods:
        yield methods["__init__"]


def circles(called: dict[str, set[str]]) -> list[set[str]]:
    """The sets of functions that call each other, directly or by way of others (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    found: list[set[str]] = []
    for root, first in called.items():
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        waiting.append(root)
        path = [(root, iter(sorted(first)))]
        while path:
            function, callees = path[-1]
            callee = next((one for one in callees if one in called), None)
            if callee is None:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[function])
                if lowest[function] == number[function]:
                    circle = set(waiting[waiting.index(function) :])
                    del waiting[waiting.index(function) :]
                    if len(circle) > 1 or function in called[function]:
                        found.append(circle)
            elif callee not in number:
                number[callee] = lowest[callee] = len(number)
                waiting.append(callee)
                path.append((callee, iter(sorted(called[callee]))))
            elif callee in waiting:
                lowest[function] = min(lowest[function], number[callee])
    return found
