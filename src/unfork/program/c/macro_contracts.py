"""Reads contracts in executable C, with the macros of unfork.h.

``UNFORK_REQUIRES(c);`` stands at a function's head, ``UNFORK_ENSURES(c);`` before its returns, and
``UNFORK_INVARIANT(c);`` first in a loop's body: `unfork run` assumes and checks them there. The condition's operands
must exist when it runs, so earlier values and the result get names: ``UNFORK_OLD(type, name, value);`` at the
function's head and ``UNFORK_RESULT(type, name, value);`` before a return declare constants. In a contract the first
means the value at the function's entry, the second the result. Arithmetic is C's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from unfork.program.c.c_source import CSource, Edit
from unfork.program.c.clause_reader import ClauseReader
from unfork.program.c.contracts import Contract, ContractClauses
from unfork.program.c.declarations import FunctionDefinition, definitions, local_names
from unfork.program.c.expression_cursor import EMPTY, Scope
from unfork.program.c.expression_tokens import lexemes_of_code
from unfork.program.c.expressions import At, Expression, ResultExpression, names_in
from unfork.program.c.notations import PLAIN
from unfork.program.c.syntax import LOOPS, Node, Syntax, after_group

WORDS = frozenset(f"UNFORK_{word}" for word in ("REQUIRES", "ENSURES", "INVARIANT", "OLD", "RESULT"))
_USE = re.compile(rf"\b(?:{'|'.join(sorted(WORDS))})\b")


@dataclass(slots=True)
class _Body:
    """The parts of a function's body read so far; it grows."""

    definition: FunctionDefinition
    parts: ContractClauses = field(default_factory=ContractClauses)
    names: list[tuple[Node, str, Expression]] = field(default_factory=list)
    """The names of UNFORK_OLD and UNFORK_RESULT: the statement, the name, and its meaning."""
    loops: dict[int, ContractClauses] = field(default_factory=dict)
    """By the offsets at which loops begin."""


def macro_contracts(source: CSource) -> tuple[list[Contract], list[Edit]]:
    """The contracts of a text, and the edits that remove the macros. Raises InputError for a misplaced macro."""
    contracts: list[Contract] = []
    edits: list[Edit] = []
    waiting = [(match[0], match.start()) for match in _USE.finditer(source.layout.code)]
    for definition in definitions(source.syntax, source.types) if waiting else ():
        inside = [each for each in waiting if definition.body.start_byte < each[1] < definition.body.end_byte]
        if not inside:
            continue
        waiting = [each for each in waiting if each not in inside]
        body = _Body(definition)
        edits += [_Statement(source, body, *each).edit for each in inside]
        if body.parts.is_of_function:
            contracts.append(body.parts.of_function(source, definition.function, False))
        contracts += [parts.of_loop(source, offset, False) for offset, parts in body.loops.items()]
    for word, offset in waiting:
        raise source.problem(offset, f"{word} is not supported outside of a function's body")
    return contracts, edits


class _Statement:
    """One use of a macro: reads it into the function's body, and gives the edit."""

    def __init__(self, source: CSource, body: _Body, word: str, offset: int) -> None:
        self._source = source
        self._body = body
        self._word, self._offset = word, offset
        code = source.layout.code
        node, end = source.syntax.statement_after(offset), after_group(code, code.find("(", offset))
        if node is None or end is None or _macro(source, node) != word or code[end : node.end_byte].strip() != ";":
            raise self._problem("should be a statement: arguments in parentheses, and ';'")
        if not source.syntax.is_read(body.definition.body):
            raise self._problem("stands where it cannot be told where statements begin and end")
        self._node, self._end = node, end
        start = code.index("(", offset) + 1
        self._reader = ClauseReader(source, lexemes_of_code(source, start, end - 1), end - 1, PLAIN)
        self.edit = self._read()
        self._reader.expect_end(f"is too much in {word}")

    def _read(self) -> Edit:
        match self._word:
            case "UNFORK_REQUIRES":
                self._stand_at_head()
                self._body.parts.requires.append(self._reader.clause())
            case "UNFORK_ENSURES":
                clause = self._reader.clause(scope=self._scope())
                self._refuse_others(clause.expression)
                if clause.expression not in [each.expression for each in self._body.parts.ensures]:
                    self._body.parts.ensures.append(clause)
            case "UNFORK_INVARIANT":
                clause = self._reader.clause(scope=self._scope())
                self._body.loops.setdefault(self._loop(), ContractClauses()).invariants.append(clause)
            case word:
                return self._name_value(word == "UNFORK_RESULT")
        return self._source.without(self._offset, self._end)

    def _name_value(self, is_result: bool) -> Edit:
        """A declaration that names the function's result, or a value at its entry."""
        reader, first = self._reader, self._reader.next
        if not is_result:
            self._stand_at_head()
        type_name = reader.type_name()
        words = reader.text_since(first)
        reader.expect(",")
        name = reader.name()
        if name in self._body.definition.function.parameters or name in self._locals():
            raise self._problem(f"of {name} is not supported: another variable has this name")
        reader.expect(",")
        value_at = reader.next
        # A result may be any expression of C: it is not part of the contract.
        value: Expression = ResultExpression() if is_result else At(reader.expression(), "Old")
        while is_result and not reader.is_at_end:
            reader.take()
        self._body.names.append((self._node, name, reader.conversion(type_name, value, value_at)))
        text = self._source.text
        before = "\n" * text.count("\n", self._offset, value_at.start)
        value_text = text[value_at.start : self._end]
        return Edit(self._offset, self._end, f"{before}{words} const {name} = ({value_text}")

    def _scope(self) -> Scope:
        """The names in scope here, without those of blocks that have ended."""
        scope = EMPTY
        for node, name, value in self._body.names:
            if node.parent is not None and node.parent.end_byte > self._offset:
                scope = scope.with_names({name: value})
        return scope

    def _locals(self) -> frozenset[str]:
        return local_names(self._source.syntax, self._body.definition.body)

    def _stand_at_head(self) -> None:
        if self._node.parent != self._body.definition.body or not self._is_after(WORDS):
            raise self._problem("is not supported after other statements: it is about the function's entry")

    def _is_after(self, words: frozenset[str]) -> bool:
        """Whether only statements with some macros precede it in this block."""
        block = self._node.parent
        before = [] if block is None else [each for each in block.named_children if each.end_byte <= self._offset]
        return all(_macro(self._source, each) in words for each in before)

    def _loop(self) -> int:
        """The beginning of the loop in whose body this comes first."""
        block = self._node.parent
        loop = None if block is None or block.type != "compound_statement" else block.parent
        if loop is None or loop.type not in LOOPS or not self._is_after(frozenset(("UNFORK_INVARIANT",))):
            raise self._problem("is not supported here: it comes first in the braces of a loop's body")
        return loop.start_byte

    def _refuse_others(self, expression: Expression) -> None:
        """In a contract, names are globals, and parameters as they were at the entry: in C they must not be others."""
        mentioned = names_in(expression)
        for name in sorted(mentioned & self._locals()):
            raise self._problem(
                f"of {name} is not supported, as it is a local variable: see UNFORK_OLD and UNFORK_RESULT"
            )
        definition = self._body.definition
        parameters = mentioned & set(definition.function.parameters)
        syntax, body = self._source.syntax, definition.body
        for node in syntax.all_of("identifier") if parameters else ():
            name = syntax.text(node)
            if body.start_byte < node.start_byte < body.end_byte and name in parameters and _is_changed(syntax, node):
                raise self._problem(f"of {name} is not supported, as {name} changes: name its value with UNFORK_OLD")

    def _problem(self, message: str) -> Exception:
        return self._source.problem(self._offset, f"{self._word} {message}")


def _macro(source: CSource, statement: Node) -> str:
    """The macro used in a statement; "" if there is none."""
    called = statement.named_children[0] if statement.type == "expression_statement" else None
    name = None if called is None else called.child_by_field_name("function")
    return "" if name is None or source.syntax.text(name) not in WORDS else source.syntax.text(name)


def _is_changed(syntax: Syntax, node: Node) -> bool:
    """Whether the variable with this name may be changed there: assigned, incremented, or its address taken."""
    parent = node.parent
    while parent is not None and (
        parent.type == "parenthesized_expression"
        or (parent.type == "field_expression" and syntax.text(parent.children[1]) == ".")
    ):
        node, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.type == "assignment_expression":
        return parent.child_by_field_name("left") == node
    if parent.type == "pointer_expression":
        return syntax.text(parent.children[0]) == "&"
    return parent.type in ("update_expression", "ERROR")
