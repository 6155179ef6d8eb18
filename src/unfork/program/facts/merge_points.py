"""Merge points: the program points at which schedules let states rest and join them.

Programs mark some by calls; annotations and assertions mark others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from unfork.errors import InputError
from unfork.program.c.annotations import Annotation, read_annotation
from unfork.program.c.location_calls import ASSERTED, BEGIN, END
from unfork.program.facts.cfg import closure, control_flow
from unfork.program.llvm.ir import Bits, ByteString, Call, GlobalAddress, Register
from unfork.program.llvm.module import Function, Program

MERGE_BEGINS = ("klee_open_merge", BEGIN)
MERGE_ENDS = ("klee_close_merge", "unfork_merge_end", END)


@dataclass(frozen=True, slots=True)
class MergePoints:
    """Where states rest: at the start of ``blocks`` (after the phis), and at ``inside``, before (block,
    instruction).

    They are joined where ``joins`` holds of block and instruction; elsewhere they only let others pass.
    """

    blocks: frozenset[int]
    inside: frozenset[tuple[int, int]]
    joins: Callable[[int, int], bool]
    calls: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """Points after calls that exclude each other, each with the last of them in topological order: one joined state
    may wait at all of these.
    """


MergePointsOf = Callable[[Function], MergePoints]


def nowhere(function: Function) -> MergePoints:
    """Only at forks."""
    return MergePoints(frozenset(), frozenset(), lambda block, index: False)


def at_instructions(function: Function) -> MergePoints:
    """Before each instruction."""
    inside = frozenset((block.index, index) for block in function.blocks for index in range(1, len(block.body)))
    return MergePoints(frozenset(range(len(function.blocks))), inside, lambda block, index: False)


def everywhere(function: Function) -> MergePoints:
    """At every join point, loop head and loop exit."""
    blocks = control_flow(function).meeting_points
    return MergePoints(blocks, frozenset(), lambda block, index: index == 0 and block in blocks)


def union(first: MergePointsOf, second: MergePointsOf) -> MergePointsOf:
    """The points of both; states are joined at those of the first."""

    def points(function: Function) -> MergePoints:
        joining, passing = first(function), second(function)
        return replace(joining, blocks=joining.blocks | passing.blocks, inside=joining.inside | passing.inside)

    return points


def after_branches(function: Function) -> MergePoints:
    """Yield at loop heads, and where all sides of a branch meet, which is where states are joined."""
    flow = control_flow(function)
    meet = frozenset(
        flow.post_dominators[block]
        for block in flow.order
        if len(flow.successors[block]) > 1 and 0 <= flow.post_dominators[block] < flow.size
    )
    # If the sides of a branch end in different returns they share no block, so any join point will do.
    stray = any(len(flow.successors[block]) > 1 and flow.post_dominators[block] >= flow.size for block in flow.order)
    if stray:
        meet |= flow.join_points
    return MergePoints(meet | flow.loop_heads, frozenset(), lambda block, index: index == 0 and block in meet)


def with_recursion(points_of: MergePointsOf) -> MergePointsOf:
    """The points of a schedule, and the entry of a function that calls itself on both sides of a branch."""

    def points(function: Function) -> MergePoints:
        plain, calls = points_of(function), _exclusive_calls(function)
        if not calls:
            return plain
        joins = plain.joins
        return MergePoints(
            plain.blocks | {0},
            plain.inside,
            lambda block, index: (block, index) == (0, 0) or joins(block, index),
            calls,
        )

    return points


def _exclusive_calls(function: Function) -> Mapping[tuple[int, int], tuple[int, int]]:
    """The points after a function's calls of itself, each with the last of those that exclude it."""
    flow, after = control_flow(function), after_calls(function, (function.name,))
    rank = flow.rank

    def onwards(block: int) -> list[int]:
        return [following for following in flow.successors[block] if rank[following] > rank[block]]

    reached = {block: closure([block], onwards) for block, _ in after}
    last = {}
    for point in after:
        others = [other for other in after if other[0] not in reached[point[0]] and point[0] not in reached[other[0]]]
        if others:
            last[point] = max((point, *others), key=lambda other: rank[other[0]])
    return last


def at_returns(function: Function) -> MergePoints:
    """Yield at every meeting point too, so that loops count; join only after a call has returned."""
    returns = _after_calls(function, lambda callee: isinstance(callee, Register | GlobalAddress))
    blocks = control_flow(function).meeting_points
    return MergePoints(blocks, returns, lambda block, index: (block, index) in returns)


def at_marks(function: Function) -> MergePoints:
    """Yield only where a marked stretch begins or ends; join at its end."""
    ends = merge_ends(function)
    return MergePoints(frozenset(), merge_begins(function) | ends, lambda block, index: (block, index) in ends)


def merge_begins(function: Function) -> frozenset[tuple[int, int]]:
    """The points where a marked stretch begins: (block, index of the instruction after the call)."""
    return after_calls(function, MERGE_BEGINS)


def merge_ends(function: Function) -> frozenset[tuple[int, int]]:
    """The points where a marked stretch ends."""
    return after_calls(function, MERGE_ENDS)


def after_calls(function: Function, names: Collection[str]) -> frozenset[tuple[int, int]]:
    """The points after calls of functions with these names."""
    return _after_calls(function, lambda callee: isinstance(callee, GlobalAddress) and callee.name in names)


def blocks_before(function: Function, ends: frozenset[tuple[int, int]]) -> frozenset[int]:
    """The blocks from which control may still reach one of the points ``ends``."""
    predecessors = control_flow(function).predecessors
    return frozenset(closure({block for block, _ in ends}, lambda block: predecessors[block]))


def with_marks(points_of: MergePointsOf) -> MergePointsOf:
    """The points of a schedule and the program's marks; a join just before a mark moves to the mark."""

    def points(function: Function) -> MergePoints:
        plain, marks = points_of(function), merge_ends(function)
        if not marks:
            return plain
        before, joins = {block for block, _ in marks}, plain.joins

        def joins_here(block: int, index: int) -> bool:
            return (block, index) in marks or (joins(block, index) and not (index == 0 and block in before))

        return MergePoints(plain.blocks, plain.inside | merge_begins(function) | marks, joins_here)

    return points


def _after_calls(function: Function, chosen: Callable[[object], bool]) -> frozenset[tuple[int, int]]:
    return frozenset(
        (block.index, index + 1)
        for block in function.blocks
        for index, instruction in enumerate(block.body)
        if isinstance(instruction, Call) and chosen(instruction.callee)
    )


# --- marks by calls ---


Mark = tuple[str, int, int]
"""The name of a function, a block, the index of the instruction after the call."""
SourceLocation = tuple[str, int, int]
"""A file, a line and a column, as an Assertion has them."""


def annotation_marks(program: Program) -> Mapping[Mark, tuple[Annotation, str]]:
    """The annotation of each mark, and its location for messages. Raises InputError for a malformed one."""
    marks: dict[Mark, tuple[Annotation, str]] = {}
    for name in program.callers(END):
        function = program.function(name)
        for block, index in after_calls(function, (END,)):
            call = function.blocks[block].body[index - 1]
            assert isinstance(call, Call)
            where = _where(call, name)
            marks[name, block, index] = _annotation(program, call, where), where
    return marks


def closing_marks(program: Program) -> list[Mark]:
    """The marks, calls or annotations, at which a marked stretch ends."""
    callers = dict.fromkeys(caller for name in MERGE_ENDS for caller in program.callers(name))
    return [(name, *point) for name in callers for point in sorted(merge_ends(program.function(name)))]


def _where(call: Call, name: str) -> str:
    line = call.arguments[2] if len(call.arguments) == 3 else None
    return f"{call.position.file}:{line.value}" if call.position and isinstance(line, Bits) else name


def _annotation(program: Program, call: Call, where: str) -> Annotation:
    text = call.arguments[0] if call.arguments else None
    known = program.globals[text.name].initializer if isinstance(text, GlobalAddress) else None
    if not isinstance(known, ByteString):
        raise InputError(f"{where}: {END} takes a string literal")
    try:
        return read_annotation(known.data.rstrip(b"\0").decode("utf-8", "replace"))
    except ValueError as problem:
        raise InputError(f"{where}: {problem}") from None


def assertion_locations(function: Function) -> Mapping[SourceLocation, tuple[int, int]]:
    """The instructions (block, index) before which the assertions of a function hold."""
    instructions: dict[SourceLocation, tuple[int, int]] = {}
    for block, index in sorted(after_calls(function, (ASSERTED,))):
        call = function.blocks[block].body[index - 1]
        match call:
            case Call(arguments=(Bits(value=line), Bits(value=column)), position=position) if position is not None:
                instructions[position.file, line, column] = (block, index)
    return instructions
