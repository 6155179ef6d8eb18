"""Observers of a replay: its questions to its surroundings, its inputs with their places, its probes.

A native run may get other answers from its surroundings, and take another path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from unfork.engine.state.inputs import InputObject
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.conduct import InputSource
from unfork.engine.step.handlers import Handler
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Value
from unfork.program.c.location_calls import PASSED
from unfork.program.facts.nearest import position_at
from unfork.program.llvm.ir import Call
from unfork.program.llvm.types import Position, Type
from unfork.world.kernel import kernel, linux
from unfork.world.library import process_functions
from unfork.world.library.model import Arguments, FunctionModel

_GIVEN = frozenset(
    (
        *("read", "readv", "write", "writev", "close", "ioctl", "exit", "exit_group"),
        *("brk", "mmap", "munmap", "mremap", "mprotect", "madvise"),
        *("futex", "sched_yield", "rt_sigaction", "rt_sigprocmask"),
    )
)
"""System calls with the same answer everywhere: on given streams, and on the process itself."""
_INSTRUCTIONS = ("syscall", "cpuid")
_FUNCTIONS = ("getenv", "secure_getenv", "time", "clock")
"""Models that answer themselves where no C library is linked."""


class InputObserver:
    """Notes the questions, by name. ``models`` and ``templates`` replace those that answer."""

    def __init__(self) -> None:
        self.asked: dict[str, None] = {}
        called = kernel.MODELS["unfork_syscall"]
        functions = {name: process_functions.MODELS[name] for name in _FUNCTIONS}
        self.models: Mapping[str, FunctionModel] = {
            "unfork_syscall": replace(called, run=self._noting(_system_call, called.run)),
            **{
                name: replace(model, run=self._noting(partial(_always, name), model.run))
                for name, model in functions.items()
            },
        }
        noting = {
            template: self._noting(partial(_always, word), run)
            for template, run in kernel.TEMPLATES.items()
            for word in _INSTRUCTIONS
            if word in template
        }
        self.templates: Mapping[str, Handler] = {**kernel.TEMPLATES, **noting}

    def _noting(self, named: Callable[[Arguments], str], run: Handler) -> Handler:
        def handle(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
            name = named(arguments)
            if name not in _GIVEN:
                self.asked[name] = None
            return run(step, arguments, call)

        return handle


def _always(name: str, arguments: Arguments) -> str:
    return name


def _system_call(arguments: Arguments) -> str:
    number = arguments[0] if arguments else None
    return linux.SYSTEM_CALLS.get(number, "a system call") if isinstance(number, int) else "a system call"


NONDET = "nondet"
"""The kind of these inputs."""


@dataclass(frozen=True, slots=True)
class InputRequest:
    """An input by its name along the path, and the source location of the call, if debug information has one."""

    name: str
    position: Position | None


@dataclass(frozen=True, slots=True)
class Other:
    """An input that comes from no such call."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A probe by its number, and whether its value was true."""

    number: int
    is_true: bool


class Noting:
    """Passes on inputs, and notes them in ``events``."""

    def __init__(self, source: InputSource, events: list[InputRequest | Other | Seen]) -> None:
        self._source = source
        self._events = events

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> InputObject:
        record = self._source.make(state, name, element, size, kind)
        self._events.append(InputRequest(record.name, position_of_call(state)) if kind == NONDET else Other())
        return record


def noting(events: list[InputRequest | Other | Seen]) -> Mapping[str, FunctionModel]:
    """The model of the probe function, which notes probes in ``events``."""

    def come_by(step: Step, arguments: Arguments, call: Call) -> Value:
        number, value = arguments
        if isinstance(number, int) and isinstance(value, int):
            events.append(Seen(number, value != 0))
        return value

    return {PASSED: FunctionModel("ii", "i", come_by)}


def position_of_call(state: State) -> Position | None:
    """The call of the current function: the source of the top frame's current instruction."""
    frame = state.frames[-1]
    return position_at(frame.function, frame.block, max(frame.index - 1, 0))
