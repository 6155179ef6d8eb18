"""The outcomes of a step: the four of Algorithm 1's inner loop, and the faults of the program."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.engine.protocols.fault import AccessFault, Aspect, Cause, FaultyObject, ObjectFault, SpecialFault
from unfork.engine.state.state import State
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import Position


@dataclass(frozen=True, slots=True)
class StackEntry:
    """One frame of a C stack trace; ``values`` are the variables in scope, as text."""

    function: str
    position: Position | None
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A bug of the analysed program, found on one path. ``kind`` is one of unfork.options.error_kinds.

    ``message``, made from ``cause``, is for people; decisions read the cause.
    """

    kind: str
    message: str
    position: Position | None
    stack: tuple[StackEntry, ...]
    cause: Cause = ""

    @property
    def access(self) -> AccessFault | None:
        """The failing access, if there is one."""
        return self.cause if isinstance(self.cause, AccessFault) else None

    @property
    def thing(self) -> FaultyObject | None:
        """The object of the fault, if there is one."""
        return self.cause.thing if isinstance(self.cause, AccessFault | ObjectFault) else None

    @property
    def is_in_front(self) -> bool:
        """Whether it certainly lies before its object."""
        return isinstance(self.cause, AccessFault | ObjectFault) and self.cause.is_in_front

    @property
    def aspect(self) -> Aspect | None:
        """The detail on which decisions depend, beside the kind."""
        return self.cause.aspect if isinstance(self.cause, SpecialFault) else None


@dataclass(frozen=True, slots=True)
class Running:
    """The path goes on; ``state`` rests after the phis of an edge, or at an instruction inside a block."""

    state: State


@dataclass(frozen=True, slots=True)
class Halted:
    """The program ended. ``end`` is "exit", "abort" (where that is no bug) or "silent" (assume, klee_silent_exit).

    A path that may not initialise what it reads ends with "untouched".
    """

    state: State
    end: str
    status: Value


@dataclass(frozen=True, slots=True)
class Failed:
    """The program failed: ``state``'s path condition includes the fault's."""

    state: State
    fault: Fault


@dataclass(frozen=True, slots=True)
class Killed:
    """unfork gave the path up. ``reason`` is "unsupported", "solver-unknown", "capacity", "unmodelled" or
    "indeterminate".

    With reason "bound" the path goes beyond the option ``detail``, which the user gave.
    """

    state: State
    reason: str
    detail: str


Outcome = Running | Halted | Failed | Killed
