"""The result of a loop: all ways out of it with their conditions, put together from the last visit backwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from unfork.engine.machine.iterations import IterationExit, LoopIteration
from unfork.engine.machine.loop_stages import LoopVisits, Stage
from unfork.engine.memory.spans import ConstantChoice
from unfork.engine.protocols.outcome import Fault
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import Position

Line = tuple[str, Position | None]
"""A fault's kind and position."""
ExitEdge = tuple[int, int]
"""A way out of the loop: the block and the number of its successor."""
Key = TypeVar("Key")


@dataclass(slots=True)
class LoopResult:
    """What happens from a stage on. All conditions have 1 bit.

    ``faults`` are conditions by line, ``edges`` those under which branch edges within the loop are ever taken.
    """

    exits: dict[ExitEdge, IterationExit] = field(default_factory=dict)
    faults: dict[Line, Value] = field(default_factory=dict)
    edges: dict[int, Value] = field(default_factory=dict)
    alternatives: int = 0
    """How many ways lead out, counted iteration by iteration."""
    beyond: Value = 0
    """When the loop comes to a stage that is not visited."""

    def add(self, result: LoopResult, when: Value, widths: Sequence[int]) -> None:
        """Add the ``result`` of a stage that follows ``when`` (1 bit); ``widths`` are those of registers, in bits."""
        self.beyond = build.either(build.both(when, result.beyond), self.beyond)
        self.alternatives += result.alternatives
        for leaving in result.exits.values():
            self._add_exit(replace(leaving, condition=build.both(when, leaving.condition)), when, widths)
        for line, condition in result.faults.items():
            self._add_fault(line, build.both(when, condition))
        for edge, condition in result.edges.items():
            self._add_edge(edge, build.both(when, condition))

    def add_iteration(self, iteration: LoopIteration, passed: Sequence[int], widths: Sequence[int]) -> None:
        """Add the stage's own iteration; edges that ``passed`` counts need no condition."""
        if iteration.again != 1:
            self.alternatives += len(iteration.exits)
            for leaving in iteration.exits:
                self._add_exit(leaving, leaving.condition, widths)
            for condition, fault in iteration.faults:
                self._add_fault(line_of(fault), condition)
        for edge, condition in iteration.edges:
            if not passed[edge]:
                self._add_edge(edge, condition)

    def _add_exit(self, leaving: IterationExit, when: Value, widths: Sequence[int]) -> None:
        """Add an exit, whose values the registers have ``when`` (1 bit)."""
        known = self.exits.get(leaving.edge)
        if known is not None:
            condition = build.either(leaving.condition, known.condition)
            values = {
                register: build.ite(when, value, known.values[register], widths[register])
                for register, value in leaving.values.items()
            }
            leaving = replace(leaving, condition=condition, values=values)
        self.exits[leaving.edge] = leaving

    def _add_fault(self, line: Line, condition: Value) -> None:
        self.faults[line] = build.either(condition, self.faults.get(line, 0))

    def _add_edge(self, edge: int, condition: Value) -> None:
        self.edges[edge] = build.either(condition, self.edges.get(edge, 0))


def line_of(fault: Fault) -> Line:
    """What faults that are reported together have in common."""
    return fault.kind, fault.position


def results_of(loop: LoopVisits, passed: Sequence[int], widths: Sequence[int]) -> list[LoopResult]:
    """The results from each start on; edges that ``passed`` counts need no condition. ``widths`` are in bits."""
    results: dict[Stage, LoopResult] = {stage: LoopResult(beyond=1) for stage in loop.unvisited}
    for visit in reversed(loop.visits):
        result = results[visit.stage] = LoopResult()
        for when, stage in visit.following:
            result.add(results[stage], when, widths)
        result.add_iteration(visit.iteration, passed, widths)
    return [results[stage] for stage in loop.starts]


def pick_result(start: ConstantChoice, results: Sequence[LoopResult], widths: Sequence[int]) -> LoopResult:
    """The result of a loop whose counter begins with one of the constants of ``start``; each has a result."""

    def pick(tables: Sequence[Mapping[Key, Value]]) -> dict[Key, Value]:
        keys = {key: None for table in tables for key in table}
        return {key: start.pick([table.get(key, 0) for table in tables], 1) for key in keys}

    mean = -(-sum(result.alternatives for result in results) // len(results))
    whole = LoopResult(
        faults=pick([result.faults for result in results]),
        edges=pick([result.edges for result in results]),
        alternatives=mean,
    )
    conditions = pick([{edge: leaving.condition for edge, leaving in result.exits.items()} for result in results])
    for edge, condition in conditions.items():
        some = next(result.exits[edge] for result in results if edge in result.exits)
        tables = [result.exits.get(edge, some).values for result in results]
        values = {
            register: start.pick([table[register] for table in tables], widths[register]) for register in some.values
        }
        whole.exits[edge] = IterationExit(some.block, some.way, condition, values)
    return whole
