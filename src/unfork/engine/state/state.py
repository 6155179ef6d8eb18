"""A state: what one path knows. It forks cheaply, and the part that is handed it owns it."""

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
"""A piece of output: bytes; values of 8 bits; the beginning of some; or, None, text that the engine does not know."""


@dataclass(frozen=True, slots=True)
class EitherOutput:
    """What a joined path has printed: ``first`` where ``guard`` (1 bit) holds, else ``second``."""

    guard: Value
    first: Output
    second: Output


Output = tuple[Any, int, Written] | EitherOutput | None
"""What was printed, newest first: (earlier output, file descriptor, what)."""

UNDEFINED_REGISTERS = ("uninit:undefined", "uninit:poison")
"""Names of inputs that stand for undef and poison begin so."""
NEVER = (-1, -1)
"""Before any instruction and any fork."""


class EarlierState:
    """A state that a path was in; nobody runs it. ``differs`` are objects in which the path differed from it later."""

    __slots__ = ("differs", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.differs: tuple[int, ...] = ()


LoopInstance = tuple[int, Function, int]
"""Where a loop is turned: how many frames there are, the function, the block."""


@dataclass(frozen=True, slots=True)
class LoopVisit:
    """The latest visit of a loop's head: how many there were, after how many instructions of the path.

    ``earlier`` is the state at one of them. ``never_ends``: a loop within came back to a state that it was in.
    """

    count: int
    instructions: int
    earlier: EarlierState | None
    never_ends: bool = False


_NO_LOOPS: frozenset[int] = frozenset()


ProgramPoint = tuple[int, int]
"""Of a function: block, and the index of an instruction in it."""


@dataclass(frozen=True, slots=True)
class OtherActivation:
    """Where ``guard`` (1 bit) holds, an activation waits for what it called at ``point``, with these registers."""

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
    """The activation's name (Names.activation), or 0 while nobody has asked for it."""
    ordinal: int
    """How many activations of this function its caller's activation had made before this one."""
    stack_bytes: int
    """Bytes of C stack in use by this frame and those below it."""
    locals: tuple[int, ...]
    """Object numbers of the allocas that end with this frame."""
    ended: dict[int, MemoryObject] | None
    """Locals whose scope was left, as they were: it may be entered again."""
    repetitions: dict[int, int] | None
    """How often each dynamic alloca site ran."""
    calls: dict[str, int] | None
    """How many activations of each function this one has made."""
    variadic: tuple[RegisterValue, ...]
    """Variadic arguments: triples (type, what is passed by value there or None, value)."""
    entered: EarlierState | None
    """The state in which the function was entered, where that is remembered."""
    turning: frozenset[int]
    """The heads of loops that run turn by turn here, where others are taken for any number of turns."""
    elsewhere: tuple[OtherActivation, ...]
    """At which other calls a joined path waits here, each under a condition that excludes the others."""
    owner: object
    STOWED: ClassVar = ("registers", "calls")

    @classmethod
    def begin(cls, function: Function, ordinal: int, stack_bytes: int, owner: object) -> Frame:
        """An activation that has not run yet."""
        registers = [None] * function.register_count
        return cls(
            function, 0, 0, registers, 0, ordinal, stack_bytes, (), None, None, None, (), None, _NO_LOOPS, (), owner
        )

    def copy(self, owner: object) -> Frame:
        """A frame of its own for the state that ``owner`` stands for."""
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
        """The calls at which the activation waits, each with the condition for that and the registers there."""
        here: Value = build.conjunction([build.negate(other.guard) for other in self.elsewhere])
        others = {other.point: (other.guard, other.registers) for other in self.elsewhere}
        return {(self.block, self.index): (here, self.registers), **others}

    def stow(self, rows: Rows) -> None:
        """Keep registers and counts as rows until somebody asks for them."""
        if self.kept() is None:
            calls = None if self.calls is None else rows.of_table(self.calls)
            self.stow_as((rows.of(self.function, self.registers), calls))

    def restore(self, kept: tuple[StowedRow, StowedRow | None]) -> None:
        self.registers, self.calls = _unstowed(kept)


def _unstowed(kept: tuple[StowedRow, StowedRow | None]) -> tuple[list[RegisterValue], dict[str, int] | None]:
    """Registers and counts of a frame that was kept so."""
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
    """Forks with more than one feasible side along this path."""
    forks: int
    multiplicity: int
    over: bool
    """Whether the state stands for more than the program does (an abstract join): what it fails is an alarm."""
    pending: tuple[int, ...]
    """Branch edges that this path took and that were not settled when it was looked at last."""
    node: int
    joined_under: Value
    """Of a state that was just joined, the condition (1 bit) under which it stands for the first of the two."""
    looked: tuple[int, int]
    """How far the state had come (instructions, forks) when it was last asked whether another one covers it."""
    remembered: Remembered
    """What else the path remembers: what runs later, what the library and the kernel model keep."""
    output: Output
    lazy: LazyHeap
    """The heap that the entry function was given, as far as it is made."""
    suspect: int
    """The depth of the frame whose function seems to be entered for ever; 0 for none."""
    iterations: dict[LoopInstance, LoopVisit]
    """How loops have turned on this path, where that is to be known."""
    volatile_reads: int
    """How often something was read that may have changed by itself."""
    proof: ProofKnowledge
    """What the path knows in a proof: objects of any length, claims, cuts."""
    token: object
    STOWED: ClassVar = ("input_counts", "iterations")

    @classmethod
    def begin(cls, memory: Memory) -> State:
        """A path that has not begun."""
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
        """A second state that equals this one; both own their top frames and share the rest."""
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
        """Keep what its path alone knows in as little room as there is, until somebody asks for it."""
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
        """Take back the inputs, beyond the first ``known``, that stand for undefined registers: they are made again."""
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
        """The top frame, made this state's own after a return uncovered it."""
        frame = self.frames[-1]
        if frame.owner is not self.token:
            frame = self.frames[-1] = frame.copy(self.token)
        return frame

    def written(self, descriptor: int) -> list[bytes | tuple[Value, ...] | None]:
        """What the path has written to ``descriptor``, in order; choices are made by the model that it carries."""
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
        """The same for a reader: ? stands for a byte that depends on inputs, and for text that is not known."""
        out = bytearray()
        for chunk in self.written(descriptor):
            out += b"?" if chunk is None else bytes([byte if isinstance(byte, int) else ord("?") for byte in chunk])
        return bytes(out)


def position_of(state: State) -> Position | None:
    """The source location at which a state rests: that of the next instruction in its block that has one."""
    if not state.frames:
        return None
    frame = state.frames[-1]
    body = frame.function.blocks[frame.block].body
    return next((each.position for each in body[frame.index :] if each.position is not None), None)


JumpTarget = tuple[int, int, int, int]
"""Where setjmp returned: (activation, number of frames, block, index)."""

AGENDA: Fact[tuple[tuple[str, tuple[RegisterValue, ...]], ...]] = Fact("agenda", ByNamePart(), ())
"""The functions that run, in order, once the stack is empty, with their arguments."""
EXIT_HANDLERS: Fact[tuple[tuple[str, RegisterValue], ...]] = Fact(
    "exit handlers", EachPart(RowPart((EqualPart(), ComputedPart(POINTER)))), ()
)
"""Functions that run at exit, newest last, each with its argument (None: without one)."""
OWN_HANDLERS: Fact[tuple[tuple[str, RegisterValue], ...]] = Fact(
    "destructors of thread-local variables", EachPart(RowPart((EqualPart(), ComputedPart(POINTER)))), ()
)
"""As EXIT_HANDLERS, and before all of them: the first thread's, and at exit() those of the thread that calls it."""
LEAVES_STATICS: Fact[bool] = Fact("exit handlers run", EqualPart(), False)
"""Whether the first of EXIT_HANDLERS has begun: what joins OWN_HANDLERS later doesn't run, as in glibc."""
STATUS: Fact[RegisterValue] = Fact("exit status", ComputedPart(IntType(32)), None)
"""What the program ends with; None until then."""
JUMP_TARGETS: Fact[Mapping[int, JumpTarget]] = Fact("jump targets", EqualPart(), {})
"""By the key that setjmp has put into the buffer."""
