"""Inserts calls into a C text where witnesses need them: at heads of loops, statements, decisions and calls.

The compiler then resolves scopes and the meaning of expressions there. Lines stay; ``ProbedText.back`` undoes
columns.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from unfork.program.c.c_source import Edit, apply_edits
from unfork.program.c.declarations import FunctionDefinition, definitions
from unfork.program.c.expression_reader import parse_expression
from unfork.program.c.expression_text import number_text, type_text
from unfork.program.c.expressions import (
    BinaryExpression,
    CastExpression,
    Conditional,
    Deref,
    Expression,
    Index,
    MemberExpression,
    Name,
    NumberLiteral,
    UnaryExpression,
    parts,
)
from unfork.program.c.location_calls import PASSED, SEEN
from unfork.program.c.syntax import LABELS, LOOPS, STATEMENTS, Lines, Node, is_in_list, is_statement, syntax_of

MOST_CHARACTERS = 20_000
"""Characters of the longest expression."""
_HEAD = f"extern int {PASSED}(int, int); extern void {SEEN}(int, long long);\n#line 1\n"
_DECISIONS = sorted(LOOPS | {"if_statement", "switch_statement", "conditional_expression"})
_PLACED = sorted(STATEMENTS - {"compound_statement"})
_NO_VALUE = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=|[;{}#\\\"]|//|/\*")
_OVERFLOWING = {"+": "add", "-": "sub", "*": "mul"}
_ALWAYS = "1"
_Texts: TypeAlias = tuple[str, str]
"""The text of an expression, and of the condition under which it is defined."""

_BEHIND, _BEFORE, _OPEN = range(3)
"""The order at one offset: first ends, the last one begun before others; then calls, then beginnings."""


class NothingThere(Exception):
    """A source location has nothing of the kind, or no place for a call."""


@dataclass(frozen=True, slots=True)
class ProbedText:
    """A text with calls, and the insertions: (line, column in the original, length), in order."""

    text: str
    inserted: tuple[tuple[int, int, int], ...]

    def back(self, line: int, column: int) -> int | None:
        """The column in the original text of a location in this one; None for inserted text."""
        for number, start, length in self.inserted:
            if number == line and column >= start:
                if column < start + length:
                    return None
                column -= length
        return column


def checked_expression(text: str) -> str:
    """The text of an expression of C without side effects. Raises NothingThere for other text."""
    plain = text.strip()
    if len(plain) > MOST_CHARACTERS:
        raise NothingThere(f"an expression of {len(plain)} characters is too long")
    if not plain or _NO_VALUE.search(plain):
        raise NothingThere(f"{text!r} is no expression without side effects")
    syntax = syntax_of(f"int x = ({plain});")
    whole = syntax.root.descendant_for_byte_range(8, 10 + len(plain))
    is_whole = whole is not None and (whole.start_byte, whole.end_byte) == (8, 10 + len(plain))
    if whole is None or whole.type != "parenthesized_expression" or not is_whole:
        raise NothingThere(f"{text!r} has brackets that do not match")
    if any(_may_call(cast) for cast in syntax.all_of("cast_expression")) or syntax.all_of("call_expression"):
        raise NothingThere(f"{text!r} calls a function")
    if syntax.root.has_error:
        raise NothingThere(f"{text!r} is no expression without side effects")
    return plain


def _may_call(cast: Node) -> bool:
    """Whether an apparent (type)(value) may be (function)(argument)."""
    type_node, value = cast.child_by_field_name("type"), cast.child_by_field_name("value")
    if type_node is None or value is None or value.type != "parenthesized_expression":
        return False
    return [each.type for each in type_node.children] == ["type_identifier"]


def call(number: int, text: str) -> str:
    """A call with the truth value of an expression: 0 where it has none, if that can be decided.

    It can for expressions over integers. Raises NothingThere for other text.
    """
    plain = checked_expression(text)
    try:
        guard = definedness(parse_expression(plain))
    except ValueError:
        guard = "1"
    return f"{PASSED}({number}, {f'!!({plain})' if guard == '1' else f'{guard} && ({plain})'})"


class Probes:
    """The text of one file, and the calls to insert. Locations are lines and columns of the file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._syntax = syntax_of(text)
        self._lines = Lines(text)
        self._edits: list[tuple[int, int, int, str]] = []
        """Offset, rank, number and text of insertions, to be sorted."""

    # --- insertions

    def loop(self, line: int, column: int | None, calls: Sequence[str]) -> None:
        """Calls whenever the head of a loop is reached; of a do, also where its body begins."""
        node = self._find(line, column, self._begun(*sorted(LOOPS)), "loop")
        listed = ", ".join(calls)
        if node.type == "for_statement":
            start, end = self._clause(node)
            self._put(start, f"{listed}, " if self._text[start:end].strip() else f"{listed}, 1")
            return
        if node.type == "do_statement":
            self._put_first(_field(node, "body"), f"{listed}; ")
        self._put(_field(node, "condition").start_byte + 1, f"{listed}, ")

    def statement(self, line: int, column: int | None, call: str) -> None:
        """A call before a statement or declaration, after its labels."""
        node: Node | None = self._find(line, column, self._simple_statements, "statement")
        while node is not None and node.type in LABELS:
            inner = next((each for each in node.named_children if is_statement(each)), None)
            node = node.next_named_sibling if inner is None else inner
        if node is None:
            raise NothingThere("the end of the statement cannot be found")
        self._put_first(node, f"{call}; ")

    def decision(self, line: int, column: int | None, number: int, wanted: str | None) -> None:
        """A call with the truth value of a decision: of an if, a loop, ``?``, or whether a switch takes ``wanted``."""
        node = self._find(line, column, self._deciding, "branching")
        word = node.type.split("_")[0]
        if word == "switch" and wanted is None:
            raise NothingThere("a switch is not true or false")
        if word != "switch" and wanted is not None:
            raise NothingThere(f"{'?' if word == 'conditional' else word} does not decide for {wanted}")
        if word == "for":
            start, end = self._clause(node)
            if not self._text[start:end].strip():
                self._put(start, f"{PASSED}({number}, 1)")
                return
        else:
            condition = _field(node, "condition")
            start, end = condition.start_byte, condition.end_byte
            if word != "conditional":
                start, end = start + 1, end - 1
        if word == "switch":
            self._wrap(start, end, "({ __auto_type unfork_v = (", _value_probe(number, wanted or ""))
        else:
            self._wrap(start, end, f"{PASSED}({number}, !!(", "))")

    def entered(self, line: int, column: int | None, number: int) -> None:
        """A call after the arguments of the call with its closing bracket at a location are evaluated."""
        node = self._call(line, column)
        arguments = _field(node, "arguments")
        if not arguments.named_children:
            self._wrap(node.start_byte, node.end_byte, f"({PASSED}({number}, 1), ", ")")
            return
        if "{" in self._syntax.text(arguments):
            raise NothingThere("an argument has braces")
        last = [each.end_byte for each in arguments.children if each.type in ("(", ",")][-1]
        told = f"); {PASSED}({number}, 1); unfork_v; }})"
        self._wrap(last, arguments.end_byte - 1, "({ __auto_type unfork_v = (", told)

    def returned(self, line: int, column: int | None, number: int, constraint: str) -> None:
        """A call with whether a call's result, unfork_v in the constraint, satisfies it."""
        node = self._call(line, column)
        told = f"; {PASSED}({number}, !!({constraint})); unfork_v; }})"
        self._wrap(node.start_byte, node.end_byte, "({ __auto_type unfork_v = ", told)

    def decisions(self) -> Iterator[tuple[int, int]]:
        """The locations of all true-or-false decisions, in order."""
        for offset, node in self._deciding:
            if node.type != "switch_statement":
                yield self._lines.location(offset)

    def endings(self) -> Iterator[tuple[int, int]]:
        """The locations of statements that end the program: a return of main, or a call of exit."""
        main = self._main()
        for offset, node in self._begun("return_statement", "expression_statement"):
            is_return = main is not None and main.body.start_byte < offset < main.body.end_byte
            called = node.named_children[0].child_by_field_name("function") if node.named_children else None
            is_exit = called is not None and self._syntax.text(called) == "exit"
            if is_statement(node) and (is_exit or (is_return and node.type == "return_statement")):
                yield self._lines.location(offset)

    def end_of_main(self) -> tuple[int, int] | None:
        """The location of the brace that closes main."""
        main = self._main()
        return None if main is None else self._lines.location(main.body.end_byte - 1)

    def _main(self) -> FunctionDefinition | None:
        return next((each for each in definitions(self._syntax, ()) if each.function.name == "main"), None)

    def probed(self) -> ProbedText:
        """The text with all calls."""
        inserted: list[tuple[int, int, int]] = []
        lengths: dict[int, int] = {}
        insertions = [Edit(start, start, text) for start, _, _, text in sorted(self._edits)]
        for edit in insertions:
            line, column = self._lines.location(edit.start)
            inserted.append((line, column + lengths.get(line, 0), len(edit.text)))
            lengths[line] = lengths.get(line, 0) + len(edit.text)
        # From the last on, so that the text before it is unchanged.
        return ProbedText(_HEAD + apply_edits(self._text, insertions), tuple(reversed(inserted)))

    # --- nodes at a location

    def _begun(self, *kinds: str) -> list[tuple[int, Node]]:
        """The nodes of some kinds in functions, and where they begin."""
        nodes = self._syntax.all_of(*kinds)
        return [(node.start_byte, node) for node in nodes if self._syntax.function_around(node) is not None]

    @cached_property
    def _deciding(self) -> list[tuple[int, Node]]:
        """The decisions, with the offsets of the keywords and of ``?``."""
        deciding = []
        for offset, node in self._begun(*_DECISIONS):
            marks = [each.start_byte for each in node.children if each.type == "?"]
            deciding.append((marks[0] if marks else offset, node))
        return sorted(deciding, key=lambda each: each[0])

    def _find(self, line: int, column: int | None, nodes: Sequence[tuple[int, Node]], what: str) -> Node:
        """The node at a location; without a column, the first on the line. Raises NothingThere if it is ambiguous."""
        start = self._lines.offset(line, 1 if column is None else column)
        if start is None:
            raise NothingThere("the file has no such line")
        at = bisect_left(nodes, start, key=lambda each: each[0])
        offset, node = nodes[at] if at < len(nodes) else (-1, None)
        if node is None or (self._lines.location(offset)[0] != line if column is None else offset != start):
            raise NothingThere(f"no {what} stands there")
        if not self._syntax.is_read(self._syntax.function_around(node) or node):
            raise NothingThere("it cannot be told where the statements of the function begin and end")
        return node

    def _put_first(self, node: Node, calls: str) -> None:
        """Insert calls before a statement, as its part if it is the only one somewhere."""
        if node.type == "compound_statement":
            self._put(node.start_byte + 1, f" {calls}")
        elif is_in_list(node):
            self._put(node.start_byte, calls)
        else:
            self._put(node.start_byte, f"{{ {calls}")
            self._put(node.end_byte, " }", _BEHIND)

    def _clause(self, node: Node) -> tuple[int, int]:
        """The range of the condition in the head of a for."""
        initializer = node.child_by_field_name("initializer")
        ends = [each.end_byte for each in node.children if each.type == ";"]
        if initializer is not None and initializer.type == "declaration":
            ends = [initializer.end_byte, *ends]
        if len(ends) != 2:
            raise NothingThere("the head of the loop cannot be read")
        return ends[0], ends[1] - 1

    @cached_property
    def _simple_statements(self) -> list[tuple[int, Node]]:
        """The statements and declarations other than blocks."""
        return [(offset, node) for offset, node in self._begun(*_PLACED) if is_statement(node)]

    @cached_property
    def _calls_by_end(self) -> list[tuple[int, Node]]:
        """The calls of named functions, with the offsets of their closing brackets."""
        calls = [(node.end_byte - 1, node) for _, node in self._begun("call_expression")]
        named = [(end, node) for end, node in calls if _field(node, "function").type == "identifier"]
        return sorted(named, key=lambda each: each[0])

    def _call(self, line: int, column: int | None) -> Node:
        """The call with its closing bracket at a location."""
        return self._find(line, column, self._calls_by_end, "call of a function by its name")

    # --- edits

    def _put(self, offset: int, text: str, rank: int = _BEFORE) -> None:
        number = len(self._edits)
        self._edits.append((offset, rank, -number if rank == _BEHIND else number, text))

    def _wrap(self, start: int, end: int, opening: str, closing: str) -> None:
        self._put(start, opening, _OPEN)
        self._put(end, closing, _BEHIND)


def _field(node: Node, name: str) -> Node:
    field = node.child_by_field_name(name)
    if field is None:
        raise NothingThere("the statement cannot be read")
    return field


def _value_probe(number: int, wanted: str) -> str:
    return f"); {PASSED}({number}, unfork_v == ({wanted})); unfork_v; }})"


# --- the condition for an expression to be defined, as an expression of GNU C that is defined itself


def definedness(expression: Expression) -> str:
    """The condition under which evaluating the expression is defined, except for pointer targets; "1": always.

    Raises ValueError for an expression that cannot be evaluated twice, or is not C.
    """
    order: list[Expression] = []
    waiting = [expression]
    while waiting:
        order.append(waiting.pop())
        waiting += parts(order[-1])
    texts: dict[int, _Texts] = {}
    for each in reversed(order):
        texts[id(each)] = _texts(each, [texts[id(operand)] for operand in parts(each)])
    return texts[id(expression)][1]


def _texts(expression: Expression, operands: Sequence[_Texts]) -> _Texts:
    match expression:
        case NumberLiteral():
            return number_text(expression), _ALWAYS
        case Name(name):
            return name, _ALWAYS
        case CastExpression(kind):
            [(text, guard)] = operands
            return f"(({type_text(kind)}) {text})", guard
        case UnaryExpression(op):
            [(text, guard)] = operands
            return f"({op}{text})", guard if op != "-" else _and(guard, _fits("-", "0", text))
        case Deref():
            [(text, guard)] = operands
            return f"(*{text})", guard
        case MemberExpression(_, field, arrow):
            [(text, guard)] = operands
            return f"{text}{'->' if arrow else '.'}{field}", guard
        case Index():
            (base, first), (index, second) = operands
            return f"{base}[{index}]", _and(first, second)
        case Conditional():
            (question, asked), (first, one), (second, other) = operands
            chosen = _ALWAYS if one == other == _ALWAYS else f"({question} ? {one} : {other})"
            return f"({question} ? {first} : {second})", _and(asked, chosen)
        case BinaryExpression(op):
            return _binary(op, *operands)
    raise ValueError("not of values in C")


def _binary(op: str, left: _Texts, right: _Texts) -> _Texts:
    (a, first), (b, second) = left, right
    text = f"({a} {op} {b})"
    if op in ("&&", "||"):
        reached = a if op == "&&" else f"!{a}"
        return text, first if second == _ALWAYS else _and(first, f"(!{reached} || {second})")
    guard = _and(first, second)
    if op in _OVERFLOWING:
        guard = _and(guard, _fits(op, a, b))
    elif op in ("/", "%"):
        guard = _and(guard, f"{b} != 0 && ({b} != -1 || {_fits('-', '0', a)})")
    elif op in ("<<", ">>"):
        guard = _and(guard, f"{b} >= 0 && {b} < 8 * sizeof(+{a})")
        if op == "<<":
            guard = _and(guard, f"({_is_unsigned(f'+{a}')} || ({a} >= 0 && (({a} << {b}) >> {b}) == {a}))")
    return text, guard


def _fits(op: str, a: str, b: str) -> str:
    """Whether the result of an operator is a value of its type, or that wraps."""
    kind = f"__typeof__({a} {op} {b})"
    fits = f"({{ {kind} unfork_t; !__builtin_{_OVERFLOWING[op]}_overflow({a}, {b}, &unfork_t); }})"
    return f"({_is_unsigned(f'{a} {op} {b}')} || {fits})"


def _is_unsigned(text: str) -> str:
    return f"(__typeof__({text})) -1 > 0"


def _and(first: str, second: str) -> str:
    if _ALWAYS in (first, second):
        return second if first == _ALWAYS else first
    return f"({first} && {second})"
