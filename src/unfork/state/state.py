"""A state: what one path knows. It forks cheaply, and whoever is handed it owns it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unfork.logic.evaluate import Model, evaluate
from unfork.logic.path import PathCondition
from unfork.logic.term import Value
from unfork.program.module import Function
from unfork.state.inputs import Inputs
from unfork.state.lazy import NO_HEAP, LazyHeap
from unfork.state.memory import Memory, MemoryObject

RegisterValue = Any
"""A Value, a tuple of RegisterValues for an aggregate, or None before the register is written."""


Written = bytes | tuple[Value, ...] | None
"""A piece of output: concrete bytes; values of 8 bits; or, None, text that the engine does not know."""


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


class Earlier:
    """A state that a path was in; nobody runs it. ``differs`` is an object in which the path differed from it later."""

    __slots__ = ("differs", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.differs: int | None = None


LoopPlace = tuple[int, Function, int]
"""Where a loop is turned: how many frames there are, the function, the block."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The latest visit of a loop's head: how many there were, after how many instructions of the path.

    ``earlier`` is the state at one of them. ``never_ends``: a loop within came back to a state that it was in.
    """

    count: int
    instructions: int
    earlier: Earlier | None
    never_ends: bool = False


class Frame:
    """One activation of a function. ``index`` is the next instruction within ``function.blocks[block].body``."""

    __slots__ = (
        "activation",
        "block",
        "calls",
        "ended",
        "entered",
        "function",
        "index",
        "locals",
        "ordinal",
        "owner",
        "registers",
        "repetitions",
        "stack_bytes",
        "variadic",
    )

    def __init__(self, function: Function, ordinal: int, stack_bytes: int, owner: object) -> None:
        self.function = function
        self.block = 0
        self.index = 0
        self.registers: list[RegisterValue] = [None] * function.register_count
        self.activation = 0
        """The activation's name (Names.activation), or 0 while nobody has asked for it."""
        self.ordinal = ordinal
        """How many activations of this function its caller's activation had made before this one."""
        self.stack_bytes = stack_bytes
        """Bytes of C stack in use by this frame and those below it."""
        self.locals: tuple[int, ...] = ()
        """Object numbers of the allocas that end with this frame."""
        self.ended: dict[int, MemoryObject] | None = None
        """Locals whose scope was left, as they were: it may be entered again."""
        self.repetitions: dict[int, int] | None = None
        """How often each dynamic alloca site ran."""
        self.calls: dict[str, int] | None = None
        """How many activations of each function this one has made."""
        self.variadic: tuple[RegisterValue, ...] = ()
        """Variadic arguments: triples (type, what is passed by value there or None, value)."""
        self.entered: Earlier | None = None
        """The state in which the function was entered, where that is remembered."""
        self.owner = owner

    def copy(self, owner: object) -> Frame:
        """A frame of its own for the state that ``owner`` stands for."""
        other = Frame.__new__(Frame)
        other.function = self.function
        other.block = self.block
        other.index = self.index
        other.registers = self.registers.copy()
        other.activation = self.activation
        other.ordinal = self.ordinal
        other.stack_bytes = self.stack_bytes
        other.locals = self.locals
        other.ended = None if self.ended is None else self.ended.copy()
        other.repetitions = None if self.repetitions is None else self.repetitions.copy()
        other.calls = None if self.calls is None else self.calls.copy()
        other.variadic = self.variadic
        other.entered = self.entered
        other.owner = owner
        return other


class State:
    """One path: its stack, memory, path condition, inputs and counters.

    Invariants: ``frames[-1].owner is token`` (only the top frame is written, and only by its owner); ``path`` is
    satisfiable. ``agenda`` lists the functions that run, in order, once the stack is empty.
    """

    __slots__ = (
        "agenda",
        "depth",
        "environment",
        "exit_handlers",
        "exit_status",
        "forks",
        "frames",
        "heap_count",
        "input_counts",
        "inputs",
        "instructions",
        "joined_under",
        "jump_targets",
        "lazy",
        "looked",
        "memory",
        "multiplicity",
        "node",
        "output",
        "over",
        "path",
        "pending",
        "suspect",
        "token",
        "turns",
        "volatile_reads",
    )

    def __init__(self, memory: Memory) -> None:
        self.frames: list[Frame] = []
        self.memory = memory
        self.path: PathCondition = PathCondition.EMPTY
        self.inputs = Inputs()
        self.input_counts: dict[str, int] = {}
        self.heap_count = 0
        self.instructions = 0
        self.depth = 0
        """Forks with more than one feasible side along this path."""
        self.forks = 0
        self.multiplicity = 1
        self.over = False
        """Whether the state stands for more than the program does (an abstract join): what it fails is an alarm."""
        self.pending: tuple[int, ...] = ()
        """Branch edges that this path took and that were not settled when it was looked at last."""
        self.node = 0
        self.joined_under: Value = 1
        """Of a state that was just joined, the condition (1 bit) under which it stands for the first of the two."""
        self.agenda: tuple[tuple[str, tuple[RegisterValue, ...]], ...] = ()
        self.exit_handlers: tuple[tuple[str, RegisterValue], ...] = ()
        """Functions that run at exit, newest last, each with its argument (None: without one)."""
        self.exit_status: RegisterValue = None
        self.jump_targets: dict[int, tuple[int, int, int, int]] = {}
        """Where setjmp returned: key -> (activation, number of frames, block, index)."""
        self.looked = NEVER
        """How far the state had come (instructions, forks) when it was last asked whether another one covers it."""
        self.environment: dict[str, Any] = {}
        """What the library and the kernel model remember; values are immutable."""
        self.output: Output = None
        self.lazy: LazyHeap = NO_HEAP
        """The heap that the entry function was given, as far as it is made."""
        self.suspect = 0
        """The depth of the frame whose function seems to be entered for ever; 0 for none."""
        self.turns: dict[LoopPlace, Turn] = {}
        """How loops have turned on this path, where that is to be known."""
        self.volatile_reads = 0
        """How often something was read that may have changed by itself."""
        self.token: object = object()

    @property
    def top(self) -> Frame:
        return self.frames[-1]

    def fork(self) -> State:
        """A second state that equals this one; both own their top frames and share the rest."""
        other = State.__new__(State)
        other.memory = self.memory.fork()
        other.path = self.path
        other.inputs = self.inputs
        other.input_counts = self.input_counts.copy()
        other.heap_count = self.heap_count
        other.instructions = self.instructions
        other.depth = self.depth
        other.forks = self.forks
        other.multiplicity = self.multiplicity
        other.over = self.over
        other.pending = self.pending
        other.node = self.node
        other.joined_under = self.joined_under
        other.agenda = self.agenda
        other.exit_handlers = self.exit_handlers
        other.exit_status = self.exit_status
        other.jump_targets = self.jump_targets.copy()
        other.looked = self.looked
        other.environment = self.environment.copy()
        other.output = self.output
        other.lazy = self.lazy
        other.suspect = self.suspect
        other.turns = self.turns.copy()
        other.volatile_reads = self.volatile_reads
        other.token = object()
        other.frames = self.frames.copy()
        self.token = object()
        if self.frames:
            other.frames[-1] = self.frames[-1].copy(other.token)
            self.frames[-1].owner = self.token
        return other

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

    def written(self, descriptor: int) -> list[Written]:
        """What the path has written to ``descriptor``, in order; of a joined path, in the model that it carries."""
        chunks = []
        link = self.output
        model: Model | None = None
        while link is not None:
            if isinstance(link, EitherOutput):
                model = model or self.path.model()
                link = link.first if evaluate(link.guard, model) else link.second
                continue
            link, where, data = link
            if where == descriptor:
                chunks.append(data)
        chunks.reverse()
        return chunks

    def printed(self, descriptor: int) -> bytes:
        """The same for a reader: ? stands for a byte that depends on inputs, and for text that is not known."""
        out = bytearray()
        for chunk in self.written(descriptor):
            out += b"?" if chunk is None else bytes([one if isinstance(one, int) else ord("?") for one in chunk])
        return bytes(out)
