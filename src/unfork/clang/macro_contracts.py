"""Reads contracts that are executable C, with the macros of unfork.h.

``UNFORK_REQUIRES(c);`` stands at a function's head, ``UNFORK_ENSURES(c);`` in front of its returns, and
``UNFORK_INVARIANT(c);`` first in a loop's body: `unfork run` assumes and checks them there. What c compares with must
exist when it runs, so earlier values and the result get names: ``UNFORK_OLD(type, name, value);`` at the function's
head and ``UNFORK_RESULT(type, name, value);`` in front of a return declare constants. In a contract the first stands
for the value at the function's entry, the second for what the function returns. Arithmetic is C's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from unfork.clang.c_source import Edit, Source
from unfork.clang.c_text import Statements, Token
from unfork.clang.contract_merge import gathered
from unfork.clang.contract_parts import Parts
from unfork.clang.contracts import Contracts, FunctionContract, LoopContract
from unfork.clang.declarations import declared_names
from unfork.clang.expression_cursor import EMPTY, Scope
from unfork.clang.expression_reader import ExpressionReader
from unfork.clang.expression_tokens import lexemes_of_code
from unfork.clang.expressions import Expression, Old, Result, names_in
from unfork.clang.loop_heads import Definition, definitions, loop_of_head
from unfork.clang.notations import PLAIN

WORDS = frozenset(f"UNFORK_{word}" for word in ("REQUIRES", "ENSURES", "INVARIANT", "OLD", "RESULT"))
_ASSIGNED = re.compile(r"=(?!=)|[-+*/%&|^]=|<<=|>>=")
_COUNTED = ("++", "--")
_OPERAND = re.compile(r"[\w)\]&]$")
"""What stands in front of an operator of two operands, && included."""


@dataclass(slots=True)
class _Body:
    """What was read of one function's body so far; it grows."""

    definition: Definition
    parts: Parts = field(default_factory=Parts)
    names: list[tuple[int, str, Expression]] = field(default_factory=list)
    """What UNFORK_OLD and UNFORK_RESULT name: at which token, the name, and what it stands for."""
    loops: dict[int, Parts] = field(default_factory=dict)
    """By the numbers of the loops' keywords."""
    head: int = 0
    """The token behind what stands at the function's head."""


def macro_contracts(source: Source) -> tuple[Contracts, list[Edit]]:
    """The contracts of a text, and how it becomes one without the macros. Raises InputError for what is misplaced."""
    functions: list[FunctionContract] = []
    loops: list[LoopContract] = []
    edits: list[Edit] = []
    tokens = source.scan.tokens
    waiting = [at for at, token in enumerate(tokens) if token.text in WORDS]
    if not waiting:
        return gathered((), (), ()), []
    for definition in definitions(tokens, source.types):
        inside = [at for at in waiting if definition.opening < at < definition.behind]
        if not inside:
            continue
        waiting = [at for at in waiting if at not in inside]
        body = _Body(definition, head=definition.opening + 1)
        edits += [_Statement(source, body, at).edit for at in inside]
        name = definition.function
        if body.parts.is_of_function:
            offset = tokens[name.name_at].start
            functions.append(body.parts.of_function(name.name, name.parameters, source, offset, False))
        loops += [parts.of_loop(source, tokens[at].start, False) for at, parts in body.loops.items()]
    for at in waiting:
        raise source.problem(tokens[at].start, f"{tokens[at].text} is not supported outside of a function's body")
    return gathered(functions, loops, ()), edits


class _Statement:
    """One use of a macro: reads it into the function's body, and says how the text is edited."""

    def __init__(self, source: Source, body: _Body, at: int) -> None:
        self._source = source
        self._tokens = source.scan.tokens
        self._body = body
        self._at = at
        self._word = self._tokens[at]
        behind = Statements(self._tokens).behind_group(at + 1) if self._text(at + 1) == "(" else None
        if behind is None or self._text(behind) != ";":
            raise self._problem("should be a statement: arguments in parentheses, and ';'")
        self._behind = behind
        start, end = self._tokens[at + 1].end, self._tokens[behind - 1].start
        self._reader = ExpressionReader(source, lexemes_of_code(source, start, end), end, PLAIN)
        self.edit = self._read()
        self._reader.expect_end(f"is too much in {self._word.text}")
        if at == body.head:
            body.head = behind + 1

    def _read(self) -> Edit:
        match self._word.text:
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
                self._body.loops.setdefault(self._loop(), Parts()).invariants.append(clause)
            case word:
                return self._named(word == "UNFORK_RESULT")
        removed = self._source.text[self._word.start : self._tokens[self._behind - 1].end]
        return Edit(self._word.start, self._tokens[self._behind - 1].end, re.sub(r"[^\n]", " ", removed))

    def _named(self, is_result: bool) -> Edit:
        """A declaration that gives a name to what the function returns, or to a value at its entry."""
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
        value: Expression = Result() if is_result else Old(reader.expression())
        while is_result and not reader.is_at_end:
            reader.take()
        self._body.names.append((self._at, name, reader.converted(type_name, value, value_at)))
        end = self._tokens[self._behind - 1].end
        text = self._source.text
        before = "\n" * text.count("\n", self._word.start, value_at.start)
        return Edit(self._word.start, end, f"{before}{words} const {name} = ({text[value_at.start : end]}")

    def _scope(self) -> Scope:
        """What names stand for here: those of blocks that have ended stand for nothing any more."""
        scope = EMPTY
        for at, name, value in self._body.names:
            depths = [token.depth for token in self._tokens[at : self._at]]
            if min(depths) >= depths[0]:
                scope = scope.with_names({name: value})
        return scope

    def _locals(self) -> frozenset[str]:
        definition = self._body.definition
        return declared_names(self._tokens[definition.opening : definition.behind], self._source.types)

    def _stand_at_head(self) -> None:
        if self._at != self._body.head:
            raise self._problem("is not supported after other statements: it is about the function's entry")

    def _loop(self) -> int:
        """The keyword of the loop in whose body this comes first."""
        at = self._at
        while self._text(at - 1) == ";":
            # Invariants before this one.
            opening = at - 2
            while opening > self._body.definition.opening and self._tokens[opening].text != "UNFORK_INVARIANT":
                opening -= 1
            behind = Statements(self._tokens).behind_group(opening + 1)
            if self._tokens[opening].text != "UNFORK_INVARIANT" or behind != at - 1:
                break
            at = opening
        loop = loop_of_head(self._tokens, at - 1) if self._text(at - 1) == "{" else None
        if loop is None:
            raise self._problem("is not supported here: it comes first in the braces of a loop's body")
        return loop

    def _refuse_others(self, expression: Expression) -> None:
        """In a contract, names are globals, and parameters as they were at the entry: in C they must not be others."""
        mentioned = names_in(expression)
        for name in sorted(mentioned & self._locals()):
            raise self._problem(
                f"of {name} is not supported, as it is a local variable: see UNFORK_OLD and UNFORK_RESULT"
            )
        definition = self._body.definition
        parameters = mentioned & set(definition.function.parameters)
        for at in range(definition.opening, definition.behind):
            name = self._text(at)
            if name in parameters and _is_changed(self._tokens, at):
                raise self._problem(f"of {name} is not supported, as {name} changes: name its value with UNFORK_OLD")

    def _text(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def _problem(self, message: str) -> Exception:
        return self._source.problem(self._word.start, f"{self._word.text} {message}")


def _is_changed(tokens: Sequence[Token], at: int) -> bool:
    """Whether the variable at token ``at`` may be changed there: assigned, counted, or its address taken."""
    before = "".join(token.text for token in tokens[max(at - 2, 0) : at])
    after = "".join(token.text for token in tokens[at + 1 : at + 4] if not token.text[0].isalnum())
    if before.endswith((".", "->")):
        return False
    takes_address = before.endswith("&") and not _OPERAND.search(before[:-1])
    is_pointer_written_through = before.endswith("*")
    is_assigned = _ASSIGNED.match(after) and not is_pointer_written_through
    return bool(is_assigned or takes_address or after.startswith(_COUNTED) or before in _COUNTED)
