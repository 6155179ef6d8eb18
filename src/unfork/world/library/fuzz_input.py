"""The input of a fuzz target, of any size up to the largest: a heap block, or the file that @@ names."""

from __future__ import annotations

from typing import NoReturn

from unfork.engine.memory.heap import allocate
from unfork.engine.memory.loads import load, store
from unfork.engine.state.memory import MemoryObject, object_of
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.remembered import Fact
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import ArrayType, IntType
from unfork.world.library.model import FunctionModel

INPUT = "input"
"""The name of the file, which begins the names of both inputs."""
SIZE, DATA = f"{INPUT}-size", f"{INPUT}-data"
INPUT_SIZE = 64
"""The most bytes, unless --input-size says otherwise."""
LARGEST_INPUT: Fact[int] = Fact("largest input", EqualPart(), INPUT_SIZE)
"""The most bytes on this path."""
UNREAD_INPUT: Fact[int] = Fact("input that no path has opened", EqualPart(), 0)
"""The number of the input's file in the kernel's tables, until a call needs its contents."""
IN_TARGET: Fact[Value] = Fact("in a fuzz target", EqualPart(), 0)
"""Whether the target runs (32 bits)."""
EXITS = "the fuzz target calls exit, which ends a fuzzer"


def input_size(step: Step, kind: str) -> Value:
    """The size of the input (64 bits), a fresh one, which the path assumes to be at most the largest."""
    size = step.fresh(SIZE, 64, kind)
    step.assume(build.ule(size, step.state.remembered[LARGEST_INPUT], 64))
    return size


def known_size(step: Step, size: Value) -> int:
    """The size as a number. Splits by halves: few states wait until a search wants another size."""
    if isinstance(size, int):
        return size
    low, high = 0, step.state.remembered[LARGEST_INPUT]
    while low < high:
        middle = (low + high) // 2
        if step.decide(build.ule(size, middle, 64)):
            high = middle
        else:
            low = middle + 1
    return low


def fill(step: Step, item: MemoryObject, size: int, kind: str) -> None:
    """Make the first ``size`` bytes of ``item`` the input's."""
    data = step.source.make(step.state, DATA, ArrayType(size, IntType(8)), size, kind)
    known = [value.to_bytes(width, "little") for value, width in data.leaves if isinstance(value, int)]
    if len(known) == len(data.leaves):
        item.write_bytes(0, b"".join(known))
        return
    item.write_values(0, [value for value, _ in data.leaves])


def _size(step: Step) -> Value:
    return input_size(step, "symbolic")


def _input(step: Step, to_size: Value) -> Value:
    """A heap block with the input of the size at ``to_size``, which becomes a number there. It is never null."""
    known = known_size(step, load(step, to_size, 8))
    store(step, to_size, known, 8)
    block = allocate(step, known, "unfork_input")
    item = step.state.memory.writable(object_of(block))
    item.site = None
    fill(step, item, known, "symbolic")
    return block


def _in_target(step: Step, is_in_target: Value) -> None:
    step.state.remembered[IN_TARGET] = is_in_target


def exit_program(step: Step, status: Value) -> NoReturn:
    """exit(): a fault while a fuzz target runs."""
    step.require(build.eq(step.state.remembered[IN_TARGET], 0, 32), "user", EXITS)
    step.exit(status)


MODELS = {
    "unfork_input_size": FunctionModel.of("", "l", _size),
    "unfork_input": FunctionModel.of("p", "p", _input),
    "unfork_in_target": FunctionModel.of("i", "v", _in_target),
}
