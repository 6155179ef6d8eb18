"""The decisions and calls of a path in the project's functions, in the words of the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from unfork.commands.scan.siblings import RestPlace
from unfork.program.c.syntax import Lines, Node, Syntax, syntax_of, text_of
from unfork.program.facts.address_uses import is_failed_check
from unfork.program.facts.cfg import targets
from unfork.program.llvm.ir import Bits, Call, Compare, ConditionalBranch, GlobalAddress, Instruction, Register, Switch
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import Position

_PREDICATES = {"==": "eq", "!=": "ne", "<": "lt", ">=": "ge", ">": "gt", "<=": "le"}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_LONGER = frozenset(("field_expression", "subscript_expression", "call_expression"))
"""Expressions that begin with the token of their first part."""
_MOST = 100
"""The last steps of a path that are kept."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """A decision at a line of ``function``: "kind > 4 is true"; or, if ``calls`` names one, a call of a function."""

    file: str
    line: int
    what: str
    function: str = ""
    calls: str = ""


def decisions(places: Sequence[RestPlace]) -> tuple[PathStep, ...]:
    """The decisions and calls of a path. A repeated one stands where the path made it last."""
    found: dict[PathStep, None] = {}
    for place, after in pairwise(places):
        step = None
        if after.depth > place.depth:
            step = _call(place, after.function)
        elif after.function is place.function and after.depth == place.depth and not after.index:
            step = _step(place, after.block)
        if step is not None:
            found.pop(step, None)
            found[step] = None
    return tuple(found)[-_MOST:]


def _call(place: RestPlace, callee: Function) -> PathStep | None:
    """The call in a block that leads to ``callee``, maybe through a pointer; None if it has no source."""
    calls = [each for each in place.function.blocks[place.block].body[place.index :] if isinstance(each, Call)]
    direct = [each for each in calls if isinstance(each.callee, GlobalAddress) and each.callee.name == callee.name]
    at = next((each.position for each in direct or calls if each.position is not None), None)
    if at is None:
        return None
    name = callee.source_name
    return PathStep(at.file, at.line, f"calls {name}" if direct else f"leads to a call of {name}", at.function, name)


def _step(place: RestPlace, target: int) -> PathStep | None:
    """The decision at the end of a block; None if it has no choice or no source, or is a check of the compiler's."""
    blocks = place.function.blocks
    end = blocks[place.block].body[-1]
    if len(targets(end)) == 1 or target not in targets(end) or end.position is None:
        return None
    if any(is_failed_check(blocks[each]) for each in targets(end)):
        return None
    made = {each.result: each for each in blocks[place.block].body}
    what = ""
    match end:
        case ConditionalBranch(condition=Register(index)) if isinstance(compare := made.get(index), Compare):
            what = _comparison(compare, target == end.then)
            end = compare if what else end
        case Switch():
            what = _case(end, target)
    first: Sequence[Instruction] = [each for each in blocks[target].body if each.position is not None]
    where = first[0].position if first else None
    what = what or ("" if where is None else f"it goes on at line {where.line}")
    assert end.position is not None
    return PathStep(end.position.file, end.position.line, what, end.position.function) if what else None


def _comparison(compare: Compare, holds: bool) -> str:
    """A condition of the source and its truth; "" if it is unclear which one."""
    read = _read(compare.position)
    if read is None:
        return ""
    text, syntax, offset = read
    node = syntax.leaf_behind(offset)
    parent = None if node is None else node.parent
    if node is None or node.start_byte != offset or parent is None:
        return ""
    predicate = compare.predicate.lstrip("us")
    said = _PREDICATES.get(node.type)
    if said is not None and parent.type == "binary_expression":
        node = parent
        if predicate not in (said, _OPPOSITE[said]):
            return ""
        holds = holds == (predicate == said)
    elif predicate == "ne" and compare.right == Bits(0, compare.type):
        condition = parent.child_by_field_name("condition") if node.type in ("while", "for", "if", "do") else None
        node = _whole(node) if condition is None else condition
    else:
        return ""
    words = " ".join(text[node.start_byte : node.end_byte].split())
    return "" if words.partition("(")[0].isupper() else f"{words} is {'true' if holds else 'false'}"


def _whole(node: Node) -> Node:
    """The expression that a token begins, or whose operator it is."""
    while node.parent is not None and (not node.is_named or node.parent.type in _LONGER):
        if node.is_named and node.parent.start_byte != node.start_byte:
            break
        node = node.parent
    return node


def _case(switch: Switch, target: int) -> str:
    read = _read(switch.position)
    node = None if read is None else read[1].leaf_behind(read[2])
    statement = None if node is None else node.parent
    condition = None if statement is None else statement.child_by_field_name("condition")
    if read is None or condition is None:
        return ""
    words = " ".join(read[0][condition.start_byte : condition.end_byte].split()).removeprefix("(").removesuffix(")")
    values = [str(value) for value, block in switch.cases if block == target]
    return f"{words} is {' or '.join(values) if values else 'none of the cases'}"


def _read(position: Position | None) -> tuple[str, Syntax, int] | None:
    """The text of a file, its syntax tree, and the offset of a position; None if unreadable."""
    if position is None or position.is_near:
        return None
    try:
        text = text_of(Path(position.file))
    except OSError:
        return None
    offset = Lines(text).offset(position.line, position.column)
    return None if offset is None else (text, syntax_of(text), offset)
