"""What a step can come to: the four outcomes of Algorithm 1's inner loop."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.contracts.faults import Fault
from unfork.logic.term import Value
from unfork.state.state import State


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

    Of reason "bound" it goes beyond the option ``detail``, which the user gave for that.
    """

    state: State
    reason: str
    detail: str


Outcome = Running | Halted | Failed | Killed
