"""Functions in the tree of a C text: their names, parameters and bodies, and the variables declared in these."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from unfork.program.c.syntax import LOOPS, Node, Syntax, inner_declarator, name_of, outermost

_DECLARATIONS = frozenset(("declaration", "function_definition"))


@dataclass(frozen=True, slots=True)
class Declared:
    """A function, with the names of its parameters ("" for none). Its own name stands at ``offset``."""

    name: str
    parameters: tuple[str, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    """A function with its definition and body, in braces."""

    function: Declared
    node: Node
    body: Node


def function_after(syntax: Syntax, offset: int, types: Container[str]) -> Declared | None:
    """The function declared next, outside of all functions. ``types`` are names of types."""
    leaf = syntax.leaf_behind(offset)
    return None if leaf is None else function_of(syntax, outermost(leaf), types)


def function_of(syntax: Syntax, node: Node, types: Container[str]) -> Declared | None:
    """The function that a node declares or defines; None if it does not."""
    declarator = node.child_by_field_name("declarator") if node.type in _DECLARATIONS else None
    function: Node | None = None
    while declarator is not None and declarator.type != "identifier":
        if declarator.type == "function_declarator":
            function = declarator
        elif declarator.type not in ("parenthesized_declarator", "attributed_declarator"):
            # The declarator is a pointer or an array, unless a function is nearer to the name.
            function = None
        declarator = inner_declarator(declarator)
    parameters = None if function is None else function.child_by_field_name("parameters")
    if declarator is None or parameters is None:
        return None
    names = [
        _parameter(syntax, each, types)
        for each in parameters.named_children
        if each.type in ("identifier", "parameter_declaration")
    ]
    is_void = len(names) == 1 and syntax.text(parameters).strip("() \t\n") == "void"
    return Declared(syntax.text(declarator), () if is_void else tuple(names), declarator.start_byte)


def _parameter(syntax: Syntax, node: Node, types: Container[str]) -> str:
    """The name of a parameter; "" if it has none."""
    name = node if node.type == "identifier" else name_of(node.child_by_field_name("declarator"))
    words = syntax.text(node).strip()
    if name is None and node.named_child_count == 1 and words.isidentifier():
        # A lone word is a type or, in an old-style function, a name.
        type_node = node.named_children[0]
        return words if type_node.type == "type_identifier" and words not in types else ""
    return "" if name is None else syntax.text(name)


def definitions(syntax: Syntax, types: Container[str]) -> Iterator[FunctionDefinition]:
    """The functions with a body."""
    for node in syntax.functions:
        function, body = function_of(syntax, node, types), node.child_by_field_name("body")
        if function is not None and body is not None:
            yield FunctionDefinition(function, node, body)


def local_names(syntax: Syntax, body: Node) -> frozenset[str]:
    """The names that declarations in a body give to variables."""
    names = set()
    for node in syntax.all_of("declaration"):
        if body.start_byte < node.start_byte < body.end_byte:
            names |= {name_of(each) for each in node.children_by_field_name("declarator")}
    return frozenset(syntax.text(name) for name in names if name is not None)


def owner_of_clauses(syntax: Syntax, start: int, end: int) -> Node | None:
    """The loop, or the function's declaration, with only clauses between its head and body, or end."""
    node = syntax.around(start, end)
    if node is None or (node.type not in LOOPS and node.type not in _DECLARATIONS):
        return None
    return None if node.type == "declaration" and syntax.function_around(node) is not None else node
