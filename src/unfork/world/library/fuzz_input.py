"""The input of a fuzz target: a heap block of any size up to the largest, with any bytes."""

from __future__ import annotations

from unfork.engine.memory.heap import allocate
from unfork.engine.state.memory import object_of
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.remembered import Fact
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import ArrayType, IntType
from unfork.world.library.model import FunctionModel
from unfork.world.library.unfork_api import SIZES

NAME = "input"
SIZE, DATA = f"{NAME}-size", f"{NAME}-data"
"""The names of the inputs."""
DEFAULT_SIZE = 64
LARGEST_INPUT: Fact[int] = Fact("largest input", EqualPart(), DEFAULT_SIZE)
"""Bytes of the input at most."""

def _most(step: Step) -> Value:
    return step.state.remembered[LARGEST_INPUT]


def _size(step: Step) -> Value:
    """The size of the input, which the path assumes to be at most the largest."""
    size = step.fresh(SIZE, 64, "symbolic")
    step.assume(build.ule(size, step.state.remembered[LARGEST_INPUT], 64))
    return size


def _input(step: Step, size: Value) -> Value:
    """A heap block with the input of this size; of size 0, too, it is not null."""
    known = step.concretize(size, 64, SIZES, "the size of the input")
    block = allocate(step, known, "unfork_input")
    item = step.state.memory.writable(object_of(block))
    data = step.source.make(step.state, DATA, ArrayType(known, IntType(8)), known, "symbolic")
    offset = 0
    for value, width in data.leaves:
        item.write(offset, width, value)
        offset += width
    return block


MODELS = {
    "unfork_input_most": FunctionModel.of("", "l", _most),
    "unfork_input_size": FunctionModel.of("", "l", _size),
    "unfork_input": FunctionModel.of("n", "p", _input),
}
