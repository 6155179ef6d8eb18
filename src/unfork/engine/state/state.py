"""The state of one path. It forks cheaply; the part that receives a state owns it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from unfork.engine.state.inputs import Inputs
from unfork.engine.state.lazy import NO_HEAP, LazyHeap
from unfork.engine.state.memory import Memory, MemoryObject
from unfork.engine.state.merge_rules import ByNamePart, ComputedPart, EachPart, EqualPart, RowPart
from unfork.engine.state.remembered import Fact, Remembered
from unfork.engine.state.stowed import PagedObject, Rows, Stowable, StowedRow
from unfork.engine.state.unbounded import NOTHING, ProofKnowledge
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import POINTER, IntType, Position

RegisterValue = Any
"""A Value, a tuple of RegisterValues for an aggregate, or None before the register is written."""


@dataclass(frozen=True, slots=True)
class OutputPrefix:
    """Output of symbolic length: the first ``length`` (64 bits) of ``values`` (8 bits each)."""

    values: tuple[Value, ...]
    length: Term


Written = bytes | tuple[Value, ...] | OutputPrefix | None
"""A piece of output: bytes; values of 8 bits; a prefix of some; None: text that the engine does not know."""


@dataclass(frozen=True, slots=True)
class EitherOutput:
    """The output of a joined path: ``first`` where ``guard`` (1 bit) holds, else ``second``."""

    guard: Value
    first: Output
    second: Output


Output = tuple[Any, int, Written] | EitherOutput | None
"""The output, newest first: (earlier output, file descriptor, piece)."""

CONVERTED = "uninit:out-of-range"
"""The prefix of the names of inputs for integers that cannot hold the floating-point number they come from."""
UNDEFINED_REGISTERS = ("uninit:undefined", "uninit:poison", CONVERTED)
"""Prefixes of the names of inputs for undef and poison."""
UNSET_REGISTERS = (*UNDEFINED_REGISTERS, "uninit:uninitialised")
"""Those, and what variables hold that were not set and whose address nobody takes."""
NEVER = (-1, -1)
"""Before any instruction and any fork."""


class EarlierState:
    """An earlier state of a path, which nothing runs. ``differs`` are objects that the path changed later."""

    __slots__ = ("differs", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.differs: tuple[int, ...] = ()


LoopInstance = tuple[int, Function, int]
"""A loop in an activation: number of frames, function, block of its head."""


@dataclass(frozen=True, slots=True)
class LoopVisit:
    """The latest visit of a loop's head: how many there were, and after how many instructions of the path.

    ``earlier`` is the state at one of them. ``never_ends``: an inner loop came back to a state that it was in.
    """

    count: int
    instructions: int
    earlier: EarlierState | None
    never_ends: bool = False


_NO_LOOPS: frozenset[int] = frozenset()


ProgramPoint = tuple[int, int]
"""In a function: block, and the index of an instruction in it."""


@dataclass(frozen=True, slots=True)
class OtherActivation:
    """Where ``guard`` (1 bit) holds, an activation waits for its call at ``point``, with these registers."""

    guard: Value
    point: ProgramPoint
    registers: list[RegisterValue]


@dataclass(slots=True, eq=False, repr=False)
class Frame(Stowable):
    """One activation of a function. ``index`` is the next instruction within ``function.blocks[block].body``."""

    function: Function
    block: int
    index: int
    registers: list[RegisterValue]
    activation: int
    """The activation's name (Names.activation); 0 until something needs it."""
    ordinal: int
    """How many activations of this function its caller's activation made before this one."""
    stack_bytes: int
    """Bytes of C stack in use by this frame and those below it."""
    locals: tuple[int, ...]
    """Object numbers of the allocas that end with this frame."""
    ended: dict[int, MemoryObject] | None
    """Locals whose scope ended, with their contents: the scope may begin again."""
    repetitions: dict[int, int] | None
    """How often each dynamic alloca site ran."""
    calls: dict[str, int] | None
    """How many activations of each function this one has made."""
    variadic: tuple[RegisterValue, ...]
    """Variadic arguments: triples (type, type of what is passed by value or None, value)."""
    entered: EarlierState | None
    """The state at the function's entry, where that is recorded."""
    turning: frozenset[int]
    """The heads of loops taken turn by turn here, where others are taken for any number of turns."""
    elsewhere: tuple[OtherActivation, ...]
    """Other calls at which a joined path waits here, under conditions that exclude each other."""
    owner: object
    STOWED: ClassVar = ("registers", "calls")

    @classmethod
    def begin(cls, function: Function, ordinal: int, stack_bytes: int, owner: object) -> Frame:
        """An activation at its beginning."""
        registers = [None] * function.register_count
        return cls(
            function, 0, 0, registers, 0, ordinal, stack_bytes, (), None, None, None, (), None, _NO_LOOPS, (), owner
        )

    def copy(self, owner: object) -> Frame:
        """A copy for the state with token ``owner``."""
        kept = self.kept()
        if kept is None:
            registers, calls = self.registers.copy(), None if self.calls is None else self.calls.copy()
        else:
            registers, calls = _unstowed(kept)
        return Frame(
            function=self.function,
            block=self.block,
            index=self.index,
            registers=registers,
            activation=self.activation,
            ordinal=self.ordinal,
            stack_bytes=self.stack_bytes,
            locals=self.locals,
            ended=None if self.ended is None else self.ended.copy(),
            repetitions=None if self.repetitions is None else self.repetitions.copy(),
            calls=calls,
            variadic=self.variadic,
            entered=self.entered,
            turning=self.turning,
            elsewhere=self.elsewhere,
            owner=owner,
        )

    def waits_at(self) -> dict[ProgramPoint, tuple[Value, list[RegisterValue]]]:
        """The calls at which the activation waits, each with its condition and its registers."""
        here: Value = build.conjunction([build.negate(other.guard) for other in self.elsewhere])
        others = {other.point: (other.guard, other.registers) for other in self.elsewhere}
        return {(self.block, self.index): (here, self.registers), **others}

    def stow(self, rows: Rows) -> None:
        """Stow registers and counts as rows until the next access."""
        if self.kept() is None:
            calls = None if self.calls is None else rows.of_table(self.calls)
            self.stow_as((rows.of(self.function, self.registers), calls))

    def restore(self, kept: tuple[StowedRow, StowedRow | None]) -> None:
        self.registers, self.calls = _unstowed(kept)


def _unstowed(kept: tuple[StowedRow, StowedRow | None]) -> tuple[list[RegisterValue], dict[str, int] | None]:
    """Registers and counts of a stowed frame."""
    registers, calls = kept
    return registers.restored(), None if calls is None else calls.table()


@dataclass(slots=True, eq=False, repr=False)
class State(Stowable):
    """One path: its stack, memory, path condition, inputs and counters.

    Invariants: ``frames[-1].owner is token`` (only the top frame is written, and only by its owner); ``path`` is
    satisfiable.
    """

    frames: list[Frame]
    memory: Memory
    path: PathCondition
    inputs: Inputs
    input_counts: dict[str, int]
    heap_count: int
    instructions: int
    depth: int
    """Forks on this path with more than one feasible side."""
    forks: int
    multiplicity: int
    over: bool
    """Whether the state stands for more than the program does (an abstract join): its failures are alarms."""
    pending: tuple[int, ...]
    """Branch edges that this path took and that were open at the last look."""
    node: int
    joined_under: Value
    """In a newly joined state, the condition (1 bit) under which it stands for the first of the two."""
    looked: tuple[int, int]
    """The state's progress (instructions, forks) when a cover was last looked for."""
    remembered: Remembered
    """Other facts of the path: agendas, and the tables of the library and the kernel model."""
    output: Output
    lazy: LazyHeap
    """The input heap of the entry function, as far as it exists."""
    suspect: int
    """The depth of the frame whose function seems to be entered endlessly; 0 for none."""
    iterations: dict[LoopInstance, LoopVisit]
    """The turns of loops on this path, where that is recorded."""
    volatile_reads: int
    """How many reads were of memory that may change by itself."""
    proof: ProofKnowledge
    """The path's knowledge in a proof: objects of any length, claims, cuts."""
    token: object
    STOWED: ClassVar = ("input_counts", "iterations")

    @classmethod
    def begin(cls, memory: Memory) -> State:
        """A path at its beginning."""
        return cls(
            frames=[],
            memory=memory,
            path=PathCondition.EMPTY,
            inputs=Inputs(),
            input_counts={},
            heap_count=0,
            instructions=0,
            depth=0,
            forks=0,
            multiplicity=1,
            over=False,
            pending=(),
            node=0,
            joined_under=1,
            looked=NEVER,
            remembered=Remembered(),
            output=None,
            lazy=NO_HEAP,
            suspect=0,
            iterations={},
            volatile_reads=0,
            proof=NOTHING,
            token=object(),
        )

    def fork(self) -> State:
        """A second state equal to this one; both own their top frames and share the rest."""
        other = State(
            memory=self.memory.fork(),
            path=self.path,
            inputs=self.inputs,
            input_counts=self.input_counts.copy(),
            heap_count=self.heap_count,
            instructions=self.instructions,
            depth=self.depth,
            forks=self.forks,
            multiplicity=self.multiplicity,
            over=self.over,
            pending=self.pending,
            node=self.node,
            joined_under=self.joined_under,
            looked=self.looked,
            remembered=self.remembered.copy(),
            output=self.output,
            lazy=self.lazy,
            suspect=self.suspect,
            iterations=self.iterations.copy(),
            volatile_reads=self.volatile_reads,
            proof=self.proof,
            token=object(),
            frames=self.frames.copy(),
        )
        self.token = object()
        if self.frames:
            other.frames[-1] = self.frames[-1].copy(other.token)
            self.frames[-1].owner = self.token
        return other

    def stow(self, rows: Rows, opened: list[PagedObject]) -> None:
        """Stow the path's own data until the next access."""
        for frame in self.frames:
            frame.stow(rows)
        self.remembered.stow(rows)
        self.path.stow()
        if self.kept() is None:
            self.stow_as((rows.of_table(self.input_counts), rows.of_table(self.iterations)))
        for item in self.memory.objects.stow(rows):
            item.stow(opened)

    def restore(self, kept: tuple[StowedRow, StowedRow]) -> None:
        self.input_counts, self.iterations = kept[0].table(), kept[1].table()

    def retract_undefined_inputs(self, known: int) -> None:
        """Drop the inputs after the first ``known`` that stand for undefined registers; they are made again."""
        while len(self.inputs) > known and self.inputs.last.name.startswith(UNDEFINED_REGISTERS):
            name = self.inputs.last.name
            self.inputs = self.inputs.but_last()
            base = name.partition("#")[0]
            if base != name:
                del self.input_counts[name]
            self.input_counts[base] -= 1
            if not self.input_counts[base]:
                del self.input_counts[base]

    def own_top(self) -> Frame:
        """The top frame, copied for this state if a return uncovered another's."""
        frame = self.frames[-1]
        if frame.owner is not self.token:
            frame = self.frames[-1] = frame.copy(self.token)
        return frame

    def written(self, descriptor: int) -> list[bytes | tuple[Value, ...] | None]:
        """The output of the path to ``descriptor``, in order; the path's model decides between alternatives."""
        chunks: list[bytes | tuple[Value, ...] | None] = []
        link = self.output
        model: Model | None = None
        while link is not None:
            if isinstance(link, EitherOutput):
                model = model or self.path.model()
                link = link.first if evaluate(link.guard, model) else link.second
                continue
            link, where, data = link
            if where != descriptor:
                continue
            if isinstance(data, OutputPrefix):
                model = model or self.path.model()
                data = data.values[: evaluate(data.length, model)]
            chunks.append(data)
        chunks.reverse()
        return chunks

    def printed(self, descriptor: int) -> bytes:
        """As written(), for a reader: ? stands for a byte that depends on inputs, and for unknown text."""
        out = bytearray()
        for chunk in self.written(descriptor):
            out += b"?" if chunk is None else bytes([byte if isinstance(byte, int) else ord("?") for byte in chunk])
        return bytes(out)


def position_of(state: State) -> Position | None:
    """The source location of a state: that of the next instruction in its block that has one."""
    if not state.frames:
        return None
    frame = state.frames[-1]
    body = frame.function.blocks[frame.block].body
    return next((each.position for each in body[frame.index :] if each.position is not None), None)


JumpTarget = tuple[int, int, int, int]
"""Where setjmp returned: (activation, number of frames, block, index)."""

AGENDA: Fact[tuple[tuple[str, tuple[RegisterValue, ...]], ...]] = Fact("agenda", ByNamePart(), ())
"""The functions to run, in order, once the stack is empty, with their arguments."""
EXIT_HANDLERS: Fact[tuple[tuple[str, RegisterValue], ...]] = Fact(
    "exit handlers", EachPart(RowPart((EqualPart(), ComputedPart(POINTER)))), ()
)
"""Functions that run at exit, newest last, each with its argument (None: without one)."""
OWN_HANDLERS: Fact[tuple[tuple[str, RegisterValue], ...]] = Fact(
    "destructors of thread-local variables", EachPart(RowPart((EqualPart(), ComputedPart(POINTER)))), ()
)
"""As EXIT_HANDLERS, and run before them: the first thread's, and at exit() those of the thread that calls it."""
LEAVES_STATICS: Fact[bool] = Fact("exit handlers run", EqualPart(), False)
"""Whether the first of EXIT_HANDLERS has begun: handlers added to OWN_HANDLERS later do not run, as in glibc."""
STATUS: Fact[RegisterValue] = Fact("exit status", ComputedPart(IntType(32)), None)
"""The program's exit status; None until it is known."""
JUMP_TARGETS: Fact[Mapping[int, JumpTarget]] = Fact("jump targets", EqualPart(), {})
"""By the key that setjmp stored in the buffer."""
