"""Calls that fail because the user lets some: each failure is an input of its own, so that a replay follows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unfork.environment.kernel_tables import KERNEL, Kernel, kernel_of
from unfork.environment.linux import ENOMEM
from unfork.environment.system_call import Refused, SystemCall, least
from unfork.execute.library_objects import set_errno
from unfork.execute.step import Step
from unfork.library.memory_functions import MODELS as HEAP
from unfork.library.model import Model
from unfork.llvm.ir import Call
from unfork.logic import build
from unfork.logic.term import Value
from unfork.state.state import RegisterValue

FAILURE = "failure"
"""The kind of these inputs; the value 0 means that the call works."""


def chosen(step: Step, name: str, ways: int, most: int) -> tuple[int, Value]:
    """How the call fails: way 1 to ``ways``, 0 if it works, ``ways + 1`` for larger inputs up to ``most``.

    Also returns the input itself (8 bits). This splits over the ways, so a call must do it first.
    """
    kernel = kernel_of(step.state)
    if not kernel.failures:
        return 0, 0
    pending = kernel.pending
    if pending is None:
        pending = step.fresh(f"{name}-failure", 8, FAILURE)
        step.state.remembered[KERNEL] = replace(kernel, pending=pending)
        step.assume(build.ule(pending, most, 8))
    for way in range(ways + 1):
        if step.decide(build.eq(pending, way, 8)):
            return way, pending
    return ways + 1, pending


def spent(kernel: Kernel, *, failed: bool) -> Kernel:
    """The tables after a call; the next call chooses anew."""
    if not failed and kernel.pending is None:
        return kernel
    return replace(kernel, pending=None, failures=kernel.failures - failed)


def may_fail(call: SystemCall, *numbers: int) -> None:
    """Raise Refused with one of the error ``numbers`` if this call is to fail."""
    way, _ = chosen(call.step, call.name, len(numbers), len(numbers))
    if way:
        call.failed = True
        raise Refused(numbers[way - 1])


def shortened(call: SystemCall, length: Value, *numbers: int) -> Value:
    """The length to use (64 bits): ``length`` or, if the call is cut short, one byte to nearly 255 of it.

    Raises Refused as ``may_fail`` does.
    """
    ways = len(numbers)
    way, chosen_input = chosen(call.step, call.name, ways, 255)
    if way == 0:
        return length
    call.failed = True
    if way <= ways:
        raise Refused(numbers[way - 1])
    return least(build.sub(build.zext(chosen_input, 8, 64), ways, 64), length)


# --- malloc and its family: each call may also return null

MAY_FAIL = ("malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "valloc", "posix_memalign")


def _failing(name: str, model: Model) -> Model:
    def run(step: Step, arguments: tuple[Value, ...], call: Call) -> RegisterValue:
        kernel = step.state.remembered[KERNEL]
        if kernel is None or not kernel.failures:
            return model.run(step, arguments, call)
        way, _ = chosen(step, name, 1, 1)
        result: RegisterValue
        if not way:
            result = model.run(step, arguments, call)
        elif name == "posix_memalign":
            result = ENOMEM
        else:
            set_errno(step, ENOMEM)
            result = 0
        step.state.remembered[KERNEL] = spent(kernel_of(step.state), failed=bool(way))
        return result

    return Model(model.parameters, model.result, run)


HEAP_MODELS: Mapping[str, Model] = {name: _failing(name, HEAP[name]) for name in MAY_FAIL}
"""Models that replace the heap's own."""
