"""malloc and its family when the user lets calls fail: each may also return null."""

from __future__ import annotations

from collections.abc import Mapping

from unfork.environment.failing_calls import chosen, spent
from unfork.environment.kernel_tables import KERNEL, kernel_of
from unfork.environment.linux import ENOMEM
from unfork.execute.library_objects import set_errno
from unfork.execute.step import Step
from unfork.library.memory_functions import MODELS as HEAP
from unfork.library.model import Model
from unfork.llvm.ir import Call
from unfork.logic.term import Value
from unfork.state.state import RegisterValue

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


MODELS: Mapping[str, Model] = {name: _failing(name, HEAP[name]) for name in MAY_FAIL}
"""Models that replace the heap's own."""
