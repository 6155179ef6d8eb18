"""Models of the functions of CBMC's that programs call without declaring them."""

from __future__ import annotations

from unfork.execute.handlers import nothing
from unfork.execute.step import Step
from unfork.library.model import Arguments, Model
from unfork.library.unfork_api import assume, holds
from unfork.llvm.ir import Call


def _assert(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "assert", "__CPROVER_assert does not hold")


MODELS = {
    "__CPROVER_assume": Model("?", "v", assume),
    "__CPROVER_assert": Model("?p", "v", _assert),
    "__CPROVER_precondition": Model("?p", "v", _assert),
    "__CPROVER_postcondition": Model("?p", "v", _assert),
    "__CPROVER_cover": Model("?", "v", nothing),
}
