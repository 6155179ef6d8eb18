"""What a run did not reach: for each untaken branch side and each function that was not entered, what is in the way."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from unfork.engine.explore.distance import BlockId, FunctionShape, branch_targets, shape_of
from unfork.engine.protocols.whereabouts import NOWHERE, SourceSpot
from unfork.engine.step.branch_coverage import Edge
from unfork.program.facts.nearest import end_position, position_at
from unfork.program.facts.own_source import shown
from unfork.program.llvm.ir import Call, GlobalAddress, Invoked
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import Position
from unfork.program.llvm.uses import operands_of
from unfork.report.record.coverage_measure import blocks_run
from unfork.report.record.tables import Tables


class Hindrance(StrEnum):
    """Why no path went on."""

    INFEASIBLE = "infeasible"
    """The path's condition denied the side each time."""
    UNKNOWN = "unknown"
    """The solver gave up on the side."""
    UNTESTED = "untested"
    """Paths took the side, but got no test."""
    CONSTANT = "constant"
    """The condition was a constant each time, so nothing was asked."""
    WAITING = "waiting"
    """No path decided the branch; states wait in its function."""
    UNDECIDED = "undecided"
    """No path decided the branch."""
    CALL = "call"
    """No path got as far as a call in a block that was entered."""
    EXCEPTION = "exception"
    """A call threw no exception."""
    POINTER = "pointer"
    """Code that ran or the program's data has the function's address, but no call through a pointer led to it."""
    UNCALLED = "uncalled"
    """Nothing calls the function."""


@dataclass(frozen=True, slots=True)
class SideAnswers:
    """How often a side was infeasible, how often the solver gave up, and how often the paths that took it got no test;
    of all strategies.
    """

    infeasible: int = 0
    unknown: int = 0
    untested: int = 0

    @property
    def asked(self) -> int:
        return self.infeasible + self.unknown + self.untested


NEVER_ASKED = SideAnswers()


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Where exploration did not go on: a side of a branch in ``function``, or a call, or a function as a whole.

    ``line`` is where the side leads to. ``callee`` is the function that a call would have entered.
    """

    hindrance: Hindrance
    at: SourceSpot
    function: str
    line: int | None = None
    edge: Edge | None = None
    callee: str = ""
    answers: SideAnswers = NEVER_ASKED
    waiting: int = 0
    """States that wait in the function."""
    behind: int = 0
    """Untaken branch sides to which the shortest way leads through here, this side included."""


@dataclass(frozen=True, slots=True)
class NotEntered:
    """A function that no path entered, with the ``callers`` that name it, and the number of the nearest obstacle."""

    function: str
    at: SourceSpot
    callers: tuple[str, ...]
    sides: int
    obstacle: int


@dataclass(frozen=True, slots=True)
class Unreached:
    """The obstacles, those with most sides behind them first; for each untaken side, the number of the nearest one."""

    obstacles: tuple[Obstacle, ...]
    sides: Mapping[Edge, int]
    functions: tuple[NotEntered, ...]


NOTHING_UNREACHED = Unreached((), {}, ())


def unreached(program: Program, tables: Tables) -> Unreached:
    """What the run of ``program`` with these ``tables`` did not reach."""
    return _Search(program, tables).found()


class _Search:
    """Goes from all obstacles at once over the blocks that did not run; each block belongs to the nearest obstacle.

    Functions that no such way enters are obstacles themselves: they are called through pointers only, or not at all.
    """

    def __init__(self, program: Program, tables: Tables) -> None:
        self._program = program
        self._own = program.own
        self._shapes: dict[str, FunctionShape] = {name: shape_of(program.function(name)) for name in self._own}
        self._covered = {(edge.function, edge.block, edge.successor) for edge in tables.edges(covered=1)}
        ran = tables.ran()
        self._run = blocks_run(program, self._covered, sorted(ran), ran.__contains__)
        self._answers = _answers(tables)
        self._waiting = Counter(end.at.function for end in tables.ends(ended="left"))
        self._obstacles: list[Obstacle] = []
        self._nearest: dict[BlockId, int] = {}

    def found(self) -> Unreached:
        starts: list[BlockId | None] = []
        for name in self._own:
            for obstacle, start in self._obstacles_in(name):
                self._obstacles.append(obstacle)
                starts.append(start)
        self._spread([(start, number) for number, start in enumerate(starts) if start is not None])
        self._spread_to_named()
        for name, hindrance in self._entries():
            if (name, 0) not in self._nearest:
                self._obstacles.append(Obstacle(hindrance, _spot(self._function(name).position), name, callee=name))
                self._spread([((name, 0), len(self._obstacles) - 1)])
        return self._sorted(self._sides())

    def _function(self, name: str) -> Function:
        return self._program.function(name)

    # --- where exploration did not go on

    def _obstacles_in(self, name: str) -> Iterator[tuple[Obstacle, BlockId | None]]:
        """The obstacles in a function that ran, each with the block behind it, if that did not run."""
        run = self._run.get(name, ())
        if not run:
            return
        function = self._function(name)
        for index in sorted(run):
            block = function.blocks[index]
            at = _spot(end_position(function, index))
            for callee in self._shapes[name].callees[index]:
                if callee in self._shapes and callee not in self._run:
                    yield Obstacle(Hindrance.CALL, at, name, callee=callee), (callee, 0)
            for successor, target in enumerate(branch_targets(block)):
                if (name, index, successor) not in self._covered:
                    yield self._side(function, index, successor, target), None if target in run else (name, target)
            last = block.body[-1]
            if isinstance(last, Invoked) and last.landing not in run:
                yield Obstacle(Hindrance.EXCEPTION, at, name), (name, last.landing)

    def _side(self, function: Function, block: int, successor: int, target: int) -> Obstacle:
        edge = (function.name, block, successor)
        answers = self._answers.get(edge, NEVER_ASKED)
        waiting = self._waiting[function.name]
        count = len(branch_targets(function.blocks[block]))
        is_decided = any((function.name, block, other) in self._covered for other in range(count))
        to = position_at(function, target, 0)
        return Obstacle(
            _hindrance(answers, is_decided=is_decided, waiting=waiting),
            _spot(end_position(function, block)),
            function.name,
            None if to is None else shown(to).line,
            edge,
            answers=answers,
            waiting=waiting,
        )

    def _entries(self) -> Iterator[tuple[str, Hindrance]]:
        """Functions that no direct call leads to, then those that only call each other."""
        taken = self._program.mentioned(()).union(*[shape.taken for shape in self._shapes.values()])
        left = [name for name in self._own if name not in self._run]
        yield from [(name, Hindrance.POINTER) for name in left if name in taken]
        yield from [(name, Hindrance.UNCALLED) for name in left if not self._callers(name)]
        yield from [(name, Hindrance.UNCALLED) for name in left]

    def _callers(self, name: str) -> tuple[str, ...]:
        """The other functions that name it in a call."""
        return tuple([caller for caller in self._program.callers(name) if caller != name])

    # --- what is behind

    def _spread(self, starts: Iterable[tuple[BlockId, int]]) -> None:
        """Give each block that did not run, and has none yet, the obstacle with the fewest blocks between."""
        waiting = deque(starts)
        while waiting:
            place, number = waiting.popleft()
            name, block = place
            if place in self._nearest or block in self._run.get(name, ()):
                continue
            self._nearest[place] = number
            shape = self._shapes[name]
            waiting.extend(((name, target), number) for target in shape.successors[block])
            waiting.extend(((callee, 0), number) for callee in shape.callees[block] if callee in self._shapes)

    def _spread_to_named(self) -> None:
        """Go on to functions whose addresses only code that did not run has: they stand behind its obstacle."""
        known = set(self._program.mentioned(()))
        named: dict[str, list[BlockId]] = {}
        for name in self._own:
            for block, target in _named(self._function(name)):
                if block in self._run.get(name, ()):
                    known.add(target)
                named.setdefault(target, []).append((name, block))
        left = [name for name in self._own if name not in self._run and name not in known and name in named]
        while found := [
            ((name, 0), self._nearest[place])
            for name in left
            for place in named[name]
            if (name, 0) not in self._nearest and place in self._nearest
        ]:
            self._spread(found)

    def _sides(self) -> dict[Edge, int]:
        """The obstacle of each untaken side."""
        sides = {each.edge: number for number, each in enumerate(self._obstacles) if each.edge is not None}
        for (name, block), number in sorted(self._nearest.items()):
            count = len(branch_targets(self._function(name).blocks[block]))
            sides.update({(name, block, successor): number for successor in range(count)})
        return sides

    def _sorted(self, sides: Mapping[Edge, int]) -> Unreached:
        behind = Counter(sides.values())
        counted = [replace(each, behind=behind[number]) for number, each in enumerate(self._obstacles)]
        order = sorted(range(len(counted)), key=lambda number: (-counted[number].behind, number))
        place = {number: rank for rank, number in enumerate(order)}
        within = Counter(name for name, _, _ in sides)
        functions = [
            NotEntered(name, _spot(self._function(name).position), self._callers(name), within[name], place[number])
            for (name, block), number in self._nearest.items()
            if block == 0 and name not in self._run
        ]
        return Unreached(
            tuple([counted[number] for number in order]),
            {edge: place[number] for edge, number in sides.items()},
            tuple(sorted(functions, key=lambda each: (-each.sides, each.function))),
        )


def _named(function: Function) -> Iterator[tuple[int, str]]:
    """The functions and variables that each block names, other than in a call; a phi's belong to its predecessors."""
    for block in function.blocks:
        for phi in block.phis:
            yield from [(source, value.name) for value, source in phi.incoming if isinstance(value, GlobalAddress)]
        for instruction in block.body:
            for operand in operands_of(instruction)[isinstance(instruction, Call) :]:
                if isinstance(operand, GlobalAddress):
                    yield block.index, operand.name


def _answers(tables: Tables) -> dict[Edge, SideAnswers]:
    """By side, the sum over all strategies."""
    answers: dict[Edge, SideAnswers] = {}
    for row in tables.sides():
        edge = (row.function, row.block, row.successor)
        known = answers.get(edge, NEVER_ASKED)
        answers[edge] = SideAnswers(
            known.infeasible + row.infeasible, known.unknown + row.unknown, known.untested + row.untested
        )
    return answers


def _hindrance(answers: SideAnswers, *, is_decided: bool, waiting: int) -> Hindrance:
    if answers.untested:
        return Hindrance.UNTESTED
    if answers.unknown:
        return Hindrance.UNKNOWN
    if answers.infeasible:
        return Hindrance.INFEASIBLE
    if is_decided:
        return Hindrance.CONSTANT
    return Hindrance.WAITING if waiting else Hindrance.UNDECIDED


def _spot(position: Position | None) -> SourceSpot:
    if position is None:
        return NOWHERE
    own = shown(position)
    return SourceSpot(own.file, own.line, own.function)


def untaken(found: Unreached, hindrances: Collection[Hindrance]) -> int:
    """How many untaken sides have their nearest obstacle among these."""
    return sum(each.behind for each in found.obstacles if each.hindrance in hindrances)
