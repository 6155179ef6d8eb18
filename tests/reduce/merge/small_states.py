"""Small states over two inputs of 4 bits, whose concrete states are counted out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.engine.state.memory import FIRST_HEAP, UNINITIALISED, Memory, MemoryObject
from unfork.engine.state.names import Names
from unfork.engine.state.state import Frame, State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.debug_info import DebugInfo
from unfork.program.llvm.ir import Binary, Register, Return
from unfork.program.llvm.module import Block, DebugRecord, Function, Outlines, Program
from unfork.program.llvm.types import DebugVariable, FunctionType, IntType, Position
from unfork.reduce.merge.abstract import AbstractJoin
from unfork.reduce.merge.abstraction_rules import Rule
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.inferred_join import InferredJoin
from unfork.reduce.merge.refinement import Refinement
from unfork.reduce.merge.scope import Variables
from unfork.reduce.merge.states import ExactJoin, NoOrigins, Origins
from unfork.world.inputs.input_values import SymbolicInputs

WIDTH = 4
X, Y = symbol("x", WIDTH), symbol("y", WIDTH)
NIBBLE = IntType(WIDTH)
REGISTERS = 3


SCOPE = "!1"
PLACE = Position("f.c", 1, 1, "f", None, (SCOPE,))


def _function() -> Function:
    first, second, third = (Register(i, NIBBLE) for i in range(REGISTERS))
    named = [DebugVariable(name, "nibble", "signed", None, SCOPE) for name in "abc"]
    records = [DebugRecord(0, one, Register(i, NIBBLE), indirect=False) for i, one in enumerate(named)]
    body = (
        Binary(3, "add", NIBBLE, first, second, (), PLACE),
        Binary(4, "add", NIBBLE, Register(3, NIBBLE), third, (), None),
        Return(-1, NIBBLE, Register(4, NIBBLE), None),
    )
    block = Block(0, "start", (), body, tuple(records))
    return Function("f", FunctionType(NIBBLE, (NIBBLE,) * 3, False), (None,) * 3, 5, (block,), None, "f")


FUNCTION = _function()
"""Its registers are the variables a, b and c, which are signed."""


def symbols_of(constraints: Sequence[Value]) -> list[Term]:
    found = {s for c in constraints if isinstance(c, Term) for s in c.symbols}
    return sorted(found, key=lambda s: s.name)


def models(symbols: Sequence[Term], constraints: Sequence[Value] = ()) -> Iterator[Model]:
    """Every assignment that satisfies ``constraints``, in order; each is looked at as soon as its symbols are assigned.

    The constraints mention no other symbols.
    """
    places = {each: place for place, each in enumerate(symbols)}
    due: list[list[Value]] = [[] for _ in (None, *symbols)]
    for constraint in constraints:
        mentioned = constraint.symbols if isinstance(constraint, Term) else ()
        due[max([places[each] + 1 for each in mentioned], default=0)].append(constraint)
    start = Model({})
    found = iter([start] if all(evaluate(constraint, start) for constraint in due[0]) else [])
    for each, conditions in zip(symbols, due[1:], strict=True):
        found = _extended(found, each, conditions)
    return found


def _extended(found: Iterator[Model], of: Term, conditions: Sequence[Value]) -> Iterator[Model]:
    """The models with each value of one more symbol under which ``conditions`` are true."""
    for model in found:
        for value in range(1 << of.width):
            longer = Model({**model.values, of: value})
            if all(evaluate(condition, longer) for condition in conditions):
                yield longer


class Enumeration:
    """A solver that tries every assignment."""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        model = next(models(symbols_of(constraints), constraints), None)
        return Unsat() if model is None else Sat(model)

    def forget(self) -> None:
        return None

    def close(self) -> None:
        return None


CHAIN = Chain(Enumeration())


def state_of(registers: Sequence[Value], conditions: Sequence[Value], cells: Sequence[Value | None] = ()) -> State:
    """A state in FUNCTION with a block of 8-bit cells (None: unwritten); contradictory conditions are left out."""
    state = State.begin(Memory())
    for condition in conditions:
        path = CHAIN.assume(state.path, condition)
        if isinstance(path, PathCondition):
            state.path = path
    frame = Frame.begin(FUNCTION, 0, 0, state.token)
    frame.registers[:REGISTERS] = registers
    state.frames = [frame]
    if cells:
        item = MemoryObject(
            bytearray(len(cells)), len(cells), "heap", "malloc", mask=bytearray((UNINITIALISED,)) * len(cells)
        )
        for offset, cell in enumerate(cells):
            if cell is not None:
                item.write(offset, 1, cell)
        state.memory.add(FIRST_HEAP, item)
        state.heap_count = 1
    return state


Concrete = tuple[int, int, tuple[int, ...], tuple[int, ...] | None]


def concrete_states(state: State, *, with_block: bool = True) -> set[Concrete]:
    """The concrete states: inputs, registers, and the bytes of the block where it exists."""
    values = state.frames[-1].registers[:REGISTERS]
    item = state.memory.objects.get(FIRST_HEAP) if with_block else None
    constraints = state.path.constraints()
    cells = [] if item is None else item.byte_values(0, len(item.data))
    gone = 1 if item is None else item.gone
    mentioned = symbols_of([*constraints, *values, *cells, gone])
    found: set[Concrete] = set()
    for model in models(sorted({X, Y, *mentioned}, key=lambda s: s.name), constraints):
        shown = None if evaluate(gone, model) else tuple([evaluate(cell, model) for cell in cells])
        found.add((model.values[X], model.values[Y], tuple([evaluate(v, model) for v in values]), shown))
    return found


def is_valid(state: State) -> bool:
    """The path's own model satisfies it, slice by slice too."""
    model = state.path.model()
    whole = all(evaluate(c, model) for c in state.path.constraints())
    sliced = {c for part in state.path.all_slices() for c in part.constraints}
    parts = all(evaluate(c, part.model) for part in state.path.all_slices() for c in part.constraints)
    return whole and parts and sliced == set(state.path.constraints())


class NoGlobals:
    """A program without globals: where they are."""

    def address(self, name: str) -> int:
        raise KeyError(name)


def variables(frames: Frames) -> Variables:
    """The variables of FUNCTION."""
    empty: dict[str, tuple[int, int]] = {}
    outlines = Outlines("", empty, DebugInfo("", -1, {}))
    program = Program({}, {}, {}, ("f",), lambda name: FUNCTION, (), (), (), b"", outlines)
    return Variables(program, NoGlobals(), frames)


def abstract_join(rules: Sequence[Rule], chain: Chain = CHAIN) -> AbstractJoin:
    frames = Frames(LiveRegisters(FactsTable(), as_it_is), keeps_all=False)
    return AbstractJoin(SymbolicInputs(), chain, Origins(Names()), frames, variables(frames), rules)


def inferred_join(refinement: Refinement, chain: Chain = CHAIN) -> InferredJoin:
    frames = _frames()
    exact = ExactJoin(SymbolicInputs(), chain, NoOrigins(), frames)
    origins = Origins(Names())
    return InferredJoin(SymbolicInputs(), chain, origins, frames, variables(frames), exact, refinement)


def ite_join() -> ExactJoin:
    return ExactJoin(SymbolicInputs(), CHAIN, NoOrigins(), _frames())


def summary_join() -> ExactJoin:
    return ExactJoin(SymbolicInputs(), CHAIN, Origins(Names()), _frames())


def _frames() -> Frames:
    return Frames(LiveRegisters(FactsTable(), as_it_is), keeps_all=False)


def less(a: Value, b: Value) -> Value:
    return build.ult(a, b, WIDTH)
