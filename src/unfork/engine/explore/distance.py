"""The distance of a state from wanted code: instructions over the control flow, into callees and back to callers."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from unfork.engine.state.state import State
from unfork.program.facts.cfg import targets
from unfork.program.llvm.ir import (
    Call,
    ConditionalBranch,
    GlobalAddress,
    IndirectBranch,
    Instruction,
    Register,
    Return,
    Switch,
)
from unfork.program.llvm.module import Block, Function, Program
from unfork.program.llvm.types import Position
from unfork.program.llvm.uses import operands_of

FAR = 1 << 40
_FRAMES = 32
"""Callers to consider: deeper ones add little, and stacks may be thousands of frames deep."""

_TABLES = 256
"""Keep the distances towards so many sets of blocks: each takes memory in proportion to the program."""

BlockId = tuple[str, int]
"""A block: function name and block index."""
CallStack = tuple[BlockId, ...]
"""Where each active function of the program's own is, innermost first; ("", 0) stands for a library's functions on top.
"""
Node = TypeVar("Node", int, BlockId)


@dataclass(frozen=True, slots=True)
class FunctionShape:
    """Facts about a function, per block."""

    sizes: tuple[int, ...]
    successors: tuple[tuple[int, ...], ...]
    callees: tuple[tuple[str, ...], ...]
    returns: tuple[bool, ...]
    indirect: tuple[tuple[int, ...], ...]
    """The numbers of arguments of calls through pointers."""
    arguments: int
    """The function's own number of arguments."""
    taken: frozenset[str]
    """Functions and variables whose addresses it uses other than in a call or an access."""


class Distances:
    """Distances of blocks and states from a changing set of wanted blocks.

    A call through a pointer may lead to every function with as many arguments whose address is taken, in the
    program's data or in a known function. A library's functions count as one instruction: nothing in them is wanted,
    and their callbacks count as far until a state runs one. Calls are followed only where ``follows`` holds: others
    lead to unknown code.
    """

    def __init__(self, program: Program, entry: str, follows: Callable[[str], bool] = lambda name: True) -> None:
        self._program = program
        self._follows = follows
        self._own = frozenset(program.own)
        self._taken = dict.fromkeys(sorted(program.mentioned(()) & self._own))
        """The program's functions whose addresses are taken."""
        self._shapes: dict[str, FunctionShape] = {}
        self._to_return: dict[str, list[int]] = {}
        self._distance: dict[str, list[tuple[int, BlockId | None]]] = {}
        """For each block, the distance to the nearest wanted one, and that block."""
        self._wanted: dict[BlockId, int] = {}
        self._known = False
        self._before: dict[BlockId, list[tuple[int, BlockId]]] | None = None
        """For each block, its predecessors with their costs; None after a change of what is known."""
        self._towards: dict[frozenset[BlockId], dict[BlockId, int]] = {}
        self._learn(entry)

    def functions(self) -> Iterable[Function]:
        """The functions known to be reachable, in the order of discovery."""
        return (self._program.function(name) for name in self._shapes)

    def knows(self, stack: CallStack) -> bool:
        """Whether the innermost function is among them, or a library's."""
        name = stack[0][0] if stack else ""
        return name in self._shapes or name not in self._own

    def stack(self, state: State) -> CallStack:
        """Where the state's innermost functions are: states with one stack have one distance."""
        blocks: list[BlockId] = []
        for frame in state.frames[: -_FRAMES - 1 : -1]:
            name = frame.function.name
            if name in self._own:
                blocks.append((name, frame.block))
            elif not blocks:
                blocks.append(("", 0))
        return tuple(blocks)

    def block(self, state: State) -> BlockId:
        """The state's block in the innermost function of the program's own; ("", 0) if there is none."""
        frames = (frame for frame in reversed(state.frames) if frame.function.name in self._own)
        return next(((frame.function.name, frame.block) for frame in frames), ("", 0))

    def look_again(self) -> None:
        """Add calls that can be followed by now."""
        called = [callee for shape in self._shapes.values() for callees in shape.callees for callee in callees]
        added = [
            callee
            for callee in dict.fromkeys([*called, *self._taken])
            if callee not in self._shapes and callee in self._own and self._follows(callee)
        ]
        for name in added:
            self._add(name)
        if added:
            self._solve_returns()

    def leading_out(self) -> list[BlockId]:
        """The blocks with direct calls that are not followed."""
        return [
            (name, block)
            for name, shape in self._shapes.items()
            for block, callees in enumerate(shape.callees)
            if any(callee in self._own and callee not in self._shapes for callee in callees)
        ]

    def want(self, goals: Mapping[BlockId, int]) -> None:
        """Measure distances to these blocks, each with so many extra instructions."""
        self._wanted = dict(goals)
        self._known = False

    def of(self, state: State) -> int:
        """A rough lower bound of the instructions from ``state`` to a wanted block; FAR if none can be reached."""
        return self.nearest(self.stack(state))[0]

    def nearest(self, stack: CallStack) -> tuple[int, BlockId | None]:
        """The least distance from a stack to a wanted block, and that block; (FAR, None) if none can be reached.

        A block counts only if the stack can reach it: in an active function from where it is now, or in its callees
        on the way.
        """
        best, goal, behind = FAR, None, 0
        for name, block in stack:
            if name not in self._own:
                continue
            if name not in self._shapes:
                self._learn(name)
            if not self._known:
                self._solve()
            distance, wanted = self._distance[name][block]
            if behind + distance < best:
                best, goal = behind + distance, wanted
            behind += self._to_return[name][block]
            if behind >= best:
                break
        return best, goal

    def towards(self, blocks: frozenset[BlockId]) -> Mapping[BlockId, int]:
        """The distances to the nearest of ``blocks``, wanted or not, of all blocks that reach one."""
        before = self._backwards()
        distances = self._towards.get(blocks)
        if distances is None:
            if len(self._towards) >= _TABLES:
                self._towards.clear()
            distances = self._towards[blocks] = _least(dict.fromkeys(blocks, 0), before)[0]
        return distances

    def along(self, stack: CallStack, distances: Mapping[BlockId, int]) -> int:
        """The least distance from a stack by the ``distances`` of blocks; FAR if none of its blocks has one."""
        best, behind = FAR, 0
        for place in stack:
            name, block = place
            best = min(best, behind + distances.get(place, FAR))
            behind += self._to_return[name][block] if name in self._to_return else 0
            if behind >= best:
                break
        return best

    def _learn(self, entry: str) -> None:
        """Add ``entry`` and its callees."""
        self._add(entry)
        self._solve_returns()

    def _add(self, entry: str) -> None:
        waiting = [entry]
        while waiting:
            name = waiting.pop()
            if name in self._shapes or name not in self._own:
                continue
            shape = self._shapes[name] = shape_of(self._program.function(name))
            self._taken |= dict.fromkeys(sorted(shape.taken & self._own))
            waiting.extend(callee for callees in shape.callees for callee in callees if self._follows(callee))
        self._known = False

    def _solve_returns(self) -> None:
        """The least cost from each block to its function's return: a fixpoint over the call graph."""
        self._before = None
        self._towards.clear()
        through = dict.fromkeys(self._shapes, 0)
        changed = True
        rounds = 0
        while changed and rounds < 8:
            changed = False
            rounds += 1
            for name, shape in self._shapes.items():
                costs = self._costs(shape, through)
                sources = {block: costs[block] for block, returns in enumerate(shape.returns) if returns}
                self._to_return[name] = _nearest(shape.successors, costs, sources)
                entry = self._to_return[name][0]
                if entry != through[name]:
                    through[name] = entry
                    changed = True

    def _costs(self, shape: FunctionShape, through: dict[str, int]) -> list[int]:
        return [
            min(FAR, size + sum(through.get(callee, 0) for callee in callees))
            for size, callees in zip(shape.sizes, shape.callees, strict=True)
        ]

    def _solve(self) -> None:
        """The distances of all functions at once, backwards from the wanted blocks (Dijkstra)."""
        self._known = True
        wanted = {block: extra for block, extra in self._wanted.items() if block[0] in self._shapes}
        least, goals = _least(wanted, self._backwards())
        self._distance = {
            name: [(least.get((name, block), FAR), goals.get((name, block))) for block in range(len(shape.sizes))]
            for name, shape in self._shapes.items()
        }

    def _backwards(self) -> dict[BlockId, list[tuple[int, BlockId]]]:
        """For each block, its predecessors with their costs."""
        if self._before is not None:
            return self._before
        before = self._before = {}
        through = {name: costs[0] for name, costs in self._to_return.items()}
        taking: dict[int, list[str]] = {}
        for name in self._taken:
            if name in self._shapes:
                taking.setdefault(self._shapes[name].arguments, []).append(name)
        for name, shape in self._shapes.items():
            costs = self._costs(shape, through)
            for block, successors in enumerate(shape.successors):
                for successor in successors:
                    before.setdefault((name, successor), []).append((costs[block], (name, block)))
                pointed = [callee for count in shape.indirect[block] for callee in taking.get(count, ())]
                for callee in (*shape.callees[block], *pointed):
                    if callee in self._shapes:
                        before.setdefault((callee, 0), []).append((shape.sizes[block], (name, block)))
        return before


def _nearest(successors: tuple[tuple[int, ...], ...], costs: list[int], sources: dict[int, int]) -> list[int]:
    """The least cost from each block to the end of a source block; each source has a cost of its own."""
    before: dict[int, list[tuple[int, int]]] = {}
    for block, following in enumerate(successors):
        for successor in following:
            before.setdefault(successor, []).append((costs[block], block))
    least, _ = _least(sources, before)
    return [least.get(block, FAR) for block in range(len(costs))]


def _least(
    sources: Mapping[Node, int], before: Mapping[Node, Sequence[tuple[int, Node]]]
) -> tuple[dict[Node, int], dict[Node, Node]]:
    """For each node that reaches a source for less than FAR: the least cost, and that source (Dijkstra).

    ``before`` has the predecessors of each node, with their costs.
    """
    least = {node: cost for node, cost in sources.items() if cost < FAR}
    nearest = {node: node for node in least}
    heap = [(cost, node) for node, cost in least.items()]
    heapq.heapify(heap)
    while heap:
        cost, node = heapq.heappop(heap)
        if cost > least[node]:
            continue
        for weight, origin in before.get(node, ()):
            if cost + weight < least.get(origin, FAR):
                least[origin] = cost + weight
                nearest[origin] = nearest[node]
                heapq.heappush(heap, (cost + weight, origin))
    return least, nearest


def shape_of(function: Function) -> FunctionShape:
    """The facts about a function."""
    blocks = function.blocks
    return FunctionShape(
        tuple(len(block.body) for block in blocks),
        tuple(targets(block.body[-1]) for block in blocks),
        tuple(
            tuple([name for instruction in block.body if (name := _callee(instruction)) is not None])
            for block in blocks
        ),
        tuple(isinstance(block.body[-1], Return) for block in blocks),
        tuple(
            tuple([len(call.arguments) for call in block.body if isinstance(call, Call) and _is_indirect(call)])
            for block in blocks
        ),
        len(function.type.parameters),
        frozenset(
            operand.name
            for instruction in function.instructions()
            for operand in operands_of(instruction)[isinstance(instruction, Call) :]
            if isinstance(operand, GlobalAddress)
        ),
    )


def _is_indirect(call: Call) -> bool:
    return isinstance(call.callee, Register)


def blocks_of_line(functions: Iterable[Function], file: str, line: int) -> list[BlockId]:
    """The blocks with code of FILE:LINE, inlined code included; ``file`` may be the end of a path."""
    return [
        (function.name, block.index)
        for function in functions
        for block in function.blocks
        if any(is_at_line(instruction.position, file, line) for instruction in block.body)
    ]


def is_at_line(position: Position | None, file: str, line: int) -> bool:
    """Whether a position, or one that it is inlined at, is FILE:LINE; ``file`` may be the end of a path."""
    while position is not None:
        if position.line == line and (position.file == file or position.file.endswith("/" + file)):
            return True
        position = position.inlined_at
    return False


def edges_leading_to(functions: Iterable[Function], places: Iterable[BlockId]) -> set[tuple[str, int, int]] | None:
    """Branch edges after which a place runs at once; None if no branch precedes a place.

    Goes back over unconditional branches, and from a function's entry to its direct calls.
    """
    known = {function.name: function for function in functions}
    edges: set[tuple[str, int, int]] = set()
    seen = set(places)
    waiting = list(seen)
    while waiting:
        name, wanted = waiting.pop()
        before: list[BlockId] = []
        if wanted == 0:
            before = [
                (other.name, block.index)
                for other in known.values()
                for block in other.blocks
                if any(_callee(instruction) == name for instruction in block.body)
            ]
            if not before:
                return None
        for block in known[name].blocks:
            successors = branch_targets(block)
            edges.update((name, block.index, number) for number, to in enumerate(successors) if to == wanted)
            if not successors and wanted in targets(block.body[-1]):
                before.append((name, block.index))
        for place in before:
            if place not in seen:
                seen.add(place)
                waiting.append(place)
    return edges


def branch_targets(block: Block) -> tuple[int, ...]:
    """The targets of a block's branch edges, by number; none without a choice."""
    match block.body[-1]:
        case ConditionalBranch(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Switch() | IndirectBranch() as choice:
            return targets(choice)
        case _:
            return ()


def _callee(instruction: Instruction) -> str | None:
    """The function that an instruction calls directly."""
    match instruction:
        case Call(callee=GlobalAddress(name=name)):
            return name
        case _:
            return None
