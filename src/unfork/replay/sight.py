"""Which native runs must show a fault, judged by its kind and by where a concrete run met it."""

from __future__ import annotations

from unfork.contracts.faults import Fault
from unfork.inputs.opinion import Sight
from unfork.llvm.ir import Call, GlobalAddress, Instruction, Load, Register, Store
from unfork.llvm.module import LIBRARY_FOLDER, Program
from unfork.llvm.types import Position
from unfork.replay.consequence import Consequences
from unfork.state.memory import object_of, offset_in
from unfork.state.state import Frame, State

_BY_CALL = frozenset(["assert", "reach-error", "abort", "user", "contract"])
"""Kinds that a call reports, which also ends the program."""
_OF_BLOCKS = frozenset(["double-free", "invalid-free"])
_PASSED = frozenset(["argument", "variadic arguments"])
"""The names of objects that hold the arguments of a call."""
_FENCE = 8
"""How many bytes on either side of an object every sanitizer guards; beyond them may be another object."""


def sight(state: State, fault: Fault, program: Program, consequences: Consequences) -> Sight:
    """Which native runs must show ``fault``, which a replay met in ``state``.

    No run need show a fault in the C library, since it uses another one. Nor need any show a kind that no sanitizer
    checks or that compilers move elsewhere: leaks, overflows, shifts, wrong calls, the end of the stack.
    """
    if not state.frames or state.frames[-1].function.name in program.library:
        return Sight.NONE
    frame = state.frames[-1]
    instruction = frame.function.blocks[frame.block].body[frame.index - 1]
    if fault.kind in _BY_CALL:
        return Sight.NONE if _is_defined(instruction, program) else Sight.ANY
    if fault.kind == "div-by-zero" or (fault.kind in _OF_BLOCKS and isinstance(instruction, Call)):
        return Sight.SANITIZED
    if not isinstance(instruction, Load | Store) or not _is_fenced(state, frame, instruction, fault):
        return Sight.NONE
    stays = isinstance(instruction, Store) or instruction.volatile or consequences.has(state, instruction)
    return Sight.SANITIZED if stays else Sight.NONE


def _is_defined(instruction: Instruction, program: Program) -> bool:
    """Whether a call is to a function that the program defines: natively that runs, say a quiet ``reach_error``."""
    return (
        isinstance(instruction, Call)
        and isinstance(instruction.callee, GlobalAddress)
        and instruction.callee.name in program.defined
        and instruction.callee.name not in program.library
    )


def _is_fenced(state: State, frame: Frame, access: Load | Store, fault: Fault) -> bool:
    """Whether a sanitizer is sure to report an access."""
    if fault.kind in ("null-dereference", "read-only"):
        return True
    pointer = frame.registers[access.pointer.index] if isinstance(access.pointer, Register) else None
    if not isinstance(pointer, int):
        return False
    number = object_of(pointer)
    if fault.kind == "use-after-free":
        released = state.memory.freed.get(number)
        return released is not None and released.kind == "heap" and _is_own(released.site)
    item = state.memory.objects.get(number)
    if fault.kind != "out-of-bounds" or item is None or item.limit < 0 or not _is_own(item.site):
        return False
    if item.read_only or item.name in _PASSED:
        return False  # no guards: strings lie side by side, and so do parts of a frame that are not variables
    offset = offset_in(pointer)
    if item.limit <= offset < item.limit + _FENCE:
        return item.kind in ("heap", "stack", "global")
    return -_FENCE <= offset < 0 and item.kind in ("heap", "stack")


def _is_own(site: Position | None) -> bool:
    """Whether the program's own source made an object; another C library may make others."""
    return site is None or LIBRARY_FOLDER not in site.file
