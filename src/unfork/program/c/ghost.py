"""Ghost code of ACSL: comments that become code. It may write ghost variables only, and must not affect control.

So the program does what it did: code that could write anything else, call, jump or not end is refused, and no name
of a ghost variable may occur in the program's own code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unfork.program.c.c_source import CSource, Edit
from unfork.program.c.expression_tokens import Lexeme, lexemes_of_comments
from unfork.program.c.syntax import Node, Syntax, is_in_list, name_of

_HEAD, _TAIL = "void ghost_code(void) {", "}"
_REFUSED = {
    "call_expression": "a call",
    "return_statement": "a return",
    "goto_statement": "a goto",
    "break_statement": "a break",
    "continue_statement": "a continue",
    "labeled_statement": "a label",
    "switch_statement": "a switch",
    "while_statement": "a loop",
    "do_statement": "a loop",
    "for_statement": "a loop",
    "gnu_asm_expression": "assembly",
    "type_definition": "a type",
    "field_declaration_list": "a type",
    "enumerator_list": "a type",
    "function_definition": "a function",
    "function_declarator": "a function",
}


class Ghosts:
    """Turns the ghost code of a source into edits, in the order of the text."""

    def __init__(self, source: CSource) -> None:
        self._source = source
        self._arrays: dict[str, bool] = {}
        """The ghost variables, and whether each is an array."""

    def edits(self, region: tuple[int, int], is_in_function: bool) -> list[Edit]:
        """The edits that turn a comment into code. Raises InputError for code that may change the program."""
        source, (start, end) = self._source, region
        tokens = lexemes_of_comments(source, [region])
        first, text = tokens[0], source.text[start:end]
        at = source.text.index("ghost", start) + len("ghost")
        code = re.sub(r"(?m)^[ \t]*@", lambda match: " " * len(match[0]), text[at - start :]).replace("@", " ")
        if any(token.hidden for token in tokens):
            raise source.problem(start, "a macro in ghost code is not supported")
        after = source.syntax.statement_after(end)
        leaf = source.syntax.leaf_behind(end)
        is_last = leaf is not None and leaf.type == "}" and is_in_list(leaf)
        if is_in_function and not is_last and (after is None or not is_in_list(after)):
            raise source.problem(start, "ghost is not supported here: no statement may stand here")
        self._check(first, code)
        opening, closing = start - 3, end + 2 * (source.text[start - 2] == "*")
        blank = re.sub(r"[^\n]", " ", source.text[opening:at])
        return [Edit(opening, closing, blank + code)]

    def _check(self, first: Lexeme, code: str) -> None:
        syntax = Syntax(f"{_HEAD}{code}{_TAIL}")
        problem = self._source.problem
        if syntax.root.has_error or "#" in code:
            raise problem(first.start, f"ghost code that cannot be read: {' '.join(code.split())}")
        for node in syntax.all_of("declaration"):
            for declarator in node.children_by_field_name("declarator"):
                name = name_of(declarator.child_by_field_name("declarator") or declarator)
                if name is not None:
                    self._declare(first, syntax.text(name), declarator)
        outer = next(syntax_node for syntax_node in syntax.root.children)
        for node in _below(outer.child_by_field_name("body") or outer):
            if node.type in _REFUSED:
                raise problem(first.start, f"ghost code with {_REFUSED[node.type]} is not supported")
            written = None
            if node.type == "assignment_expression":
                written = node.child_by_field_name("left")
            elif node.type == "update_expression":
                written = node.child_by_field_name("argument")
            if written is not None and not self._is_ghost(syntax, written):
                raise problem(first.start, f"ghost code must not write {syntax.text(written)}: it is no ghost variable")

    def _declare(self, first: Lexeme, name: str, declarator: Node) -> None:
        if re.search(rf"\b{re.escape(name)}\b", self._source.layout.code):
            raise self._source.problem(first.start, f"the ghost variable {name} has a name that the program uses")
        inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
        is_array = inner is not None and inner.type == "array_declarator"
        self._arrays[name] = self._arrays.get(name, is_array) and is_array

    def _is_ghost(self, syntax: Syntax, place: Node) -> bool:
        """Whether a place is a ghost variable, or a part of one, reached without a pointer."""
        is_element = False
        while place.type in ("subscript_expression", "field_expression", "parenthesized_expression"):
            inner = place.child_by_field_name("argument") or place.named_children[0]
            if place.type == "field_expression" and (is_element or "->" in syntax.text(place)):
                return False
            is_element = is_element or place.type == "subscript_expression"
            place = inner
        name = syntax.text(place)
        return place.type == "identifier" and name in self._arrays and (self._arrays[name] or not is_element)


def _below(node: Node) -> Iterator[Node]:
    waiting = list(node.children)
    while waiting:
        each = waiting.pop()
        yield each
        waiting += each.children
