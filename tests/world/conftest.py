"""A guest: system calls on a state that has a kernel and no program, every split followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest

from unfork.engine.protocols.outcome import Outcome
from unfork.engine.state.memory import FIRST_STATIC, Memory, MemoryObject, address_of
from unfork.engine.state.names import Names
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.conduct import Conduct
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import PathEnded, Sightings, Split, Step
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.module import Program
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.kernel import linux
from unfork.world.kernel.kernel import system_call
from unfork.world.kernel.world import World, install_world

NUMBERS = {name: number for number, name in linux.SYSTEM_CALLS.items()}


@dataclass
class Choices:
    max_size: int = 4096
    stack_size: int = 1 << 23
    checks: frozenset[str] = frozenset()
    abort_is_error: bool = True
    scans_at_once: bool = False
    scans_own: bool = True
    prints_at_once: bool = True
    measures_texts: bool = False
    max_threads: int = 8
    volatile_is_any: bool = False


class Guest:
    """``explore`` makes one call on every path that it splits into; ``call`` wants a single one."""

    def __init__(self, world: World) -> None:
        program = Program({}, {}, {}, (), cast(Any, None), (), (), (), b"", cast(Any, None))
        self.chain = Chain(BitwuzlaSolver())
        statics = Statics(program, lambda name: False)
        self.step = Step(
            FactsTable(),
            Names(),
            Choices(),
            statics,
            BranchCoverage(),
            Sightings(watches=False),
            Conduct(self.chain, SymbolicInputs()),
        )
        self.outcomes: list[Outcome] = []
        self.state = State.begin(Memory())
        self._objects = FIRST_STATIC
        self.step.begin(self.state, None)
        install_world(self.step, world)

    def buffer(self, data: bytes) -> int:
        """The address of an object of the program."""
        self._objects += 1
        item = MemoryObject(bytearray(data), len(data), "global", f"buffer{self._objects}")
        self.state.memory.add(self._objects, item)
        return address_of(self._objects)

    def text(self, name: str) -> int:
        return self.buffer(name.encode() + b"\0")

    def explore(self, name: str, *arguments: Value, state: State | None = None) -> list[tuple[State, Value]]:
        words = (NUMBERS[name], *[_word(one) for one in arguments], *[0] * (6 - len(arguments)))
        pending, finished = [state or self.state], []
        while pending:
            current = pending.pop(0)
            self.step.outcomes = []
            self.step.begin(current, None)
            try:
                finished.append((current, system_call(self.step, words)))
            except Split as split:
                pending.extend(split.states)
            except PathEnded:
                pass
            self.outcomes += self.step.outcomes
        return finished

    def call(self, name: str, *arguments: Value, state: State | None = None) -> Value:
        """The result on the only path, as a signed number where it is one."""
        ((_, result),) = self.explore(name, *arguments, state=state)
        return result if isinstance(result, Term) else result - (result >> 63 << 64)

    def bytes_at(self, address: int, count: int, state: State | None = None) -> list[Value]:
        memory = (state or self.state).memory
        return memory.objects[address >> 40].byte_values(0, count)


def _word(value: Value) -> Value:
    return value if isinstance(value, Term) else value & (1 << 64) - 1


@pytest.fixture
def guest() -> Guest:
    return Guest(World())


@pytest.fixture
def guest_in() -> Callable[[World], Guest]:
    return Guest
