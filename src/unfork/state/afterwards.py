"""Where a path continues other than by its stack: what runs once the stack is empty, and where longjmp returns to."""

from __future__ import annotations

from collections.abc import Mapping

from unfork.llvm.types import POINTER, IntType
from unfork.state.merge_rules import ByName, Computed, Each, Equal, Row
from unfork.state.remembered import Fact
from unfork.state.state import RegisterValue

JumpTarget = tuple[int, int, int, int]
"""Where setjmp returned: (activation, number of frames, block, index)."""

AGENDA: Fact[tuple[tuple[str, tuple[RegisterValue, ...]], ...]] = Fact("agenda", ByName(), ())
"""The functions that run, in order, once the stack is empty, with their arguments."""
EXIT_HANDLERS: Fact[tuple[tuple[str, RegisterValue], ...]] = Fact(
    "exit handlers", Each(Row((Equal(), Computed(POINTER)))), ()
)
"""Functions that run at exit, newest last, each with its argument (None: without one)."""
STATUS: Fact[RegisterValue] = Fact("exit status", Computed(IntType(32)), None)
"""What the program ends with; None until then."""
JUMP_TARGETS: Fact[Mapping[int, JumpTarget]] = Fact("jump targets", Equal(), {})
"""By the key that setjmp has put into the buffer."""
