"""Models of the functions of unfork.h."""

from __future__ import annotations

from unfork.clang.calls import ASSERTED
from unfork.execute.handlers import nothing, plain
from unfork.execute.lazy_objects import stated_length
from unfork.execute.resolve import single_candidate
from unfork.execute.step import Step
from unfork.execute.strings import text_at
from unfork.library.make_symbolic import make_symbolic
from unfork.library.model import Arguments, Model
from unfork.library.settle import settle
from unfork.llvm import layout
from unfork.llvm.ir import Call
from unfork.logic import build
from unfork.logic.term import Term, Value

MOST_GOALS = 256
"""Goals that one call of unfork_cover may reach."""


def holds(arguments: Arguments, call: Call) -> Value:
    """Whether the first argument, of any width, is not 0: 1 bit."""
    return build.ne(arguments[0], 0, layout.bits_of(call.arguments[0].type))


def symbolic(step: Step, arguments: Arguments, call: Call) -> None:
    """Make a range of memory a new input."""
    pointer, size, name = arguments
    make_symbolic(step, pointer, size, text_at(step, name, ""), "symbolic")


def assume(step: Step, arguments: Arguments, call: Call) -> None:
    """Go on only where the argument is not 0."""
    step.assume(holds(arguments, call))


def _check(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "assert", "unfork_check does not hold")


def _ensure(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "contract", "UNFORK_ENSURES does not hold")


def _invariant(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "contract", "UNFORK_INVARIANT does not hold")


def _cover(step: Step, arguments: Arguments, call: Call) -> None:
    goal = step.concretize(arguments[0], 32, MOST_GOALS, "the id of a coverage goal")
    step.coverage.reach(step.state, goal - (goal >> 31 << 32))


def _print(step: Step, arguments: Arguments, call: Call) -> None:
    value = arguments[0]
    text = repr(value) if isinstance(value, Term) else str(value - (value >> 63 << 64))
    step.output(2, f"unfork_print: {text}\n".encode())


def _length(step: Step, arguments: Arguments, call: Call) -> Value:
    candidate = single_candidate(step, arguments[0])
    if candidate is not None and candidate.address == 0:
        return 0
    length = None
    if candidate is not None and candidate.offset == 0:
        length = stated_length(step, candidate.number)
    if length is None:
        step.unsupported("unfork_length of what is not the start of a lazily initialised array")
    return length


MODELS = {
    "unfork_symbolic": Model("plp", "v", symbolic),
    "unfork_assume": Model("?", "v", assume),
    "unfork_check": Model("?", "v", _check),
    "unfork_ensure": Model("?", "v", _ensure),
    "unfork_invariant": Model("?", "v", _invariant),
    "unfork_merge_begin": Model("", "v", nothing),
    "unfork_merge_end": Model("", "v", nothing),
    "unfork_merge_block": Model("pii", "v", nothing),
    ASSERTED: Model("ii", "v", nothing),
    "unfork_subsume": Model("i", "v", nothing),
    "unfork_settle": Model("p", "v", plain(settle)),
    "unfork_index": Model("l", "v", nothing),
    "unfork_length": Model("p", "l", _length),
    "unfork_cover": Model("i", "v", _cover),
    "unfork_print": Model("l", "v", _print),
}
