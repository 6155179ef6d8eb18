"""A bench: memory operations and modelled functions on a state without a program, every split followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest

from unfork.engine.protocols.outcome import Failed, Fault, Outcome
from unfork.engine.state.memory import FIRST_STATIC, UNINITIALISED, Memory, MemoryObject, address_of, offset_in
from unfork.engine.state.names import Names
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.conduct import Conduct
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import PathEnded, ProgramExit, Sightings, Split, Step
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.chain import Chain
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.ir import Bits, Call, GlobalAddress
from unfork.program.llvm.module import Program
from unfork.program.llvm.types import FloatType, FunctionType, IntType, PointerType, Type, VoidType
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.kernel.known_functions import library
from unfork.world.library.model import WIDTHS

TYPES: dict[str, Type] = {
    "p": PointerType(),
    "f": FloatType("float"),
    "d": FloatType("double"),
    "x": FloatType("x86_fp80"),
    "v": VoidType(),
}


@dataclass
class Choices:
    max_size: int = 64
    stack_size: int = 1 << 23
    checks: frozenset[str] = frozenset()
    abort_is_error: bool = True
    scans_at_once: bool = False
    scans_own: bool = True
    prints_at_once: bool = True
    measures_texts: bool = False
    max_threads: int = 8
    volatile_is_any: bool = False
    orders_cells: bool = False


def type_of(letter: str) -> Type:
    return TYPES.get(letter) or IntType(WIDTHS[letter] or 64)


class Bench:
    """``explore(action)`` runs ``action(step)`` on the state and on every part that it splits into."""

    def __init__(self, solver: Any) -> None:
        program = Program({}, {}, {}, (), cast(Any, None), (), (), (), b"", cast(Any, None))
        self.chain = Chain(solver)
        self.limits = Choices()
        statics = Statics(program, lambda name: False)
        self.step = Step(
            FactsTable(),
            Names(),
            self.limits,
            statics,
            BranchCoverage(),
            Sightings(watches=False),
            Conduct(self.chain, SymbolicInputs()),
        )
        self.state = State.begin(Memory())
        self.library = library()
        self.outcomes: list[Outcome] = []
        self._objects = FIRST_STATIC
        self.step.begin(self.state, None)

    def place(self, size: int, *, kind: str = "global", type: Type | None = None, data: bytes | None = None) -> int:
        """A new object; with ``data`` it is initialised. The address."""
        self._objects += 1
        number = self._objects + (1 << 22 if kind == "stack" else 0)
        mask = None if data is not None else bytearray([UNINITIALISED]) * size
        content = bytearray(size) if data is None else bytearray(data.ljust(size, b"\0"))
        item = MemoryObject(content, size, kind, f"object{self._objects}", mask=mask, type=type)
        self.state.memory.add(number, item)
        return address_of(number)

    def constant(self, data: bytes) -> int:
        self._objects += 1
        item = MemoryObject(bytearray(data), len(data), "global", f"constant{self._objects}", read_only=True)
        self.state.memory.add(self._objects, item)
        return address_of(self._objects)

    def text(self, text: str) -> int:
        return self.constant(text.encode() + b"\0")

    def assume(self, condition: Value) -> None:
        self.step.begin(self.state, None)
        self.step.assume(condition)

    def explore(self, action: Callable[[Step], Any]) -> list[tuple[State, Any]]:
        """The states that get through, each with the action's value; ``outcomes`` are the others."""
        pending, finished = [self.state], []
        while pending:
            state = pending.pop(0)
            self.step.outcomes = []
            self.step.begin(state, None)
            try:
                finished.append((state, action(self.step)))
            except Split as split:
                pending.extend(split.states)
            except (PathEnded, ProgramExit):
                pass
            self.outcomes += self.step.outcomes
        if finished:
            self.state = finished[0][0]
        return finished

    def one(self, action: Callable[[Step], Any]) -> Any:
        """The value on the only path that is left."""
        ((_, value),) = self.explore(action)
        return value

    def action(self, name: str, *arguments: Any) -> Callable[[Step], Any]:
        """A call of a modelled function; variadic arguments are pairs (value, letter)."""
        model = self.library._models[name]
        letters = model.parameters.rstrip("*")
        values = [one[0] if isinstance(one, tuple) else one for one in arguments]
        kinds = [type_of(one[1]) if isinstance(one, tuple) else None for one in arguments]
        for position, letter in enumerate(letters):
            given = values[position]
            if letter == "?":
                kinds[position] = IntType(given.width if isinstance(given, Term) else 64)
            else:
                kinds[position] = type_of(letter)
        types = tuple([cast(Type, kind) for kind in kinds])
        call = Call(
            result=0,
            type=FunctionType(type_of(model.result), types, variadic=False),
            callee=GlobalAddress(name),
            arguments=tuple([Bits(0, kind) for kind in types]),
            byval=(None,) * len(types),
            returns_twice=False,
            position=None,
        )
        handler = self.library.find(name)
        assert handler is not None
        return lambda step: handler(step, tuple(values), call)

    def call(self, name: str, *arguments: Any) -> list[tuple[State, Any]]:
        return self.explore(self.action(name, *arguments))

    def result(self, name: str, *arguments: Any) -> Any:
        return self.one(self.action(name, *arguments))

    @property
    def faults(self) -> list[Fault]:
        return [one.fault for one in self.outcomes if isinstance(one, Failed)]

    @property
    def kinds(self) -> list[str]:
        return [fault.kind for fault in self.faults]

    def bytes_at(self, address: int, count: int) -> bytes:
        """Concrete bytes of an object."""
        item = self.state.memory.objects[address >> 40]
        offset = offset_in(address)
        assert item.is_concrete(offset, count)
        return bytes(item.data[offset : offset + count])

    def write_symbols(self, address: int, name: str, count: int) -> list[Term]:
        """Make ``count`` bytes symbolic, one symbol each."""
        found = [symbol(f"{name}[{i}]", 8) for i in range(count)]
        item = self.state.memory.writable(address >> 40)
        offset = offset_in(address)
        for position, one in enumerate(found, offset):
            item.write(position, 1, one)
        return found


@pytest.fixture(scope="session")
def solver() -> Iterator[Any]:
    made = BitwuzlaSolver()
    yield made
    made.close()


@pytest.fixture
def bench(solver: Any) -> Bench:
    return Bench(solver)
