"""Models of CBMC's built-in functions, which include/cprover.h declares, so that its harnesses run unchanged."""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.memory import heap
from unfork.engine.memory.lazy_objects import settle
from unfork.engine.memory.resolve import PointerTarget, candidates, named_candidates, within
from unfork.engine.memory.strings import text_at
from unfork.engine.state.memory import MemoryObject
from unfork.engine.step.handlers import nothing
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm.ir import Call
from unfork.world.library.model import Arguments, FunctionModel
from unfork.world.library.unfork_api import assume, holds, make_symbolic, make_whole_symbolic

PREFIX = "__CPROVER_"
_HAVOC = "havoc"
"""The name of inputs that replace memory's contents."""


def _require(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "assert", text_at(step, arguments[1], "__CPROVER_assert does not hold"))


# --- pointers


def _targets(step: Step, pointer: Value) -> list[PointerTarget]:
    """The possible targets of a pointer, each under its guard; outside all guards it points to no object."""
    alternatives = candidates(step, pointer)
    return named_candidates(step, pointer) if alternatives is None else alternatives


def _object(step: Step, target: PointerTarget) -> MemoryObject | None:
    return settle(step, target.number) if target.number in step.state.memory.objects else None


def _has_room(step: Step, target: PointerTarget, size: Value, writes: bool) -> Value:
    item = _object(step, target)
    if item is None or (writes and item.read_only):
        return 0
    return build.both(build.negate(item.gone), within(target.offset, size, item))


def _may_access(writes: bool) -> Callable[[Step, Value, Value], Value]:
    """A model of a query whether bytes are accessible. Zero bytes are at the end of an object, but not at null."""

    def run(step: Step, pointer: Value, size: Value) -> Value:
        targets = _targets(step, pointer)
        return build.disjunction([build.both(each.guard, _has_room(step, each, size, writes)) for each in targets])

    return run


def _by_target(step: Step, pointer: Value, name: str, value_of: Callable[[PointerTarget], Value]) -> Value:
    """64 bits that depend on a pointer's target. A pointer of unknown origin is unsupported."""
    alternatives = candidates(step, pointer)
    if alternatives is None:
        step.unsupported(f"{PREFIX}{name} of a pointer of unknown origin")
    value = value_of(alternatives[-1])
    for each in reversed(alternatives[:-1]):
        value = build.ite(each.guard, value_of(each), value, 64)
    return value


def _pointer_object(step: Step, pointer: Value) -> Value:
    return _by_target(step, pointer, "POINTER_OBJECT", lambda target: target.number)


def _same_object(step: Step, first: Value, second: Value) -> Value:
    return build.eq(_pointer_object(step, first), _pointer_object(step, second), 64)


def _pointer_offset(step: Step, pointer: Value) -> Value:
    return _by_target(step, pointer, "POINTER_OFFSET", lambda target: target.offset)


def _object_size(step: Step, pointer: Value) -> Value:
    def size(target: PointerTarget) -> Value:
        item = _object(step, target)
        return 0 if item is None else item.size

    return _by_target(step, pointer, "OBJECT_SIZE", size)


def _is_dynamic(step: Step, pointer: Value) -> Value:
    def is_block(target: PointerTarget) -> Value:
        item = step.state.memory.objects.get(target.number) or step.state.memory.freed.get(target.number)
        return int(item is not None and item.kind == "heap")

    return build.trunc(_by_target(step, pointer, "DYNAMIC_OBJECT", is_block), 64, 1)


# --- memory


def _allocate(step: Step, size: Value, is_zeroed: Value) -> Value:
    name = f"{PREFIX}allocate"
    if step.decide(is_zeroed):
        return heap.allocate_zeroed(step, size, name)
    return heap.allocate(step, size, name)


def _havoc_object(step: Step, pointer: Value) -> None:
    make_whole_symbolic(step, pointer, _HAVOC, "nondet")


def _havoc_slice(step: Step, pointer: Value, size: Value) -> None:
    make_symbolic(step, pointer, size, _HAVOC, "nondet")


MODELS = {
    f"{PREFIX}{name}": model
    for name, model in {
        "assume": FunctionModel("?", "v", assume),
        **dict.fromkeys(("assert", "precondition", "postcondition"), FunctionModel("?p", "v", _require)),
        "cover": FunctionModel("?", "v", nothing),
        **dict.fromkeys(("input", "output"), FunctionModel("p*", "v", nothing)),
        "r_ok": FunctionModel.of("pn", "b", _may_access(writes=False)),
        **dict.fromkeys(("w_ok", "rw_ok"), FunctionModel.of("pn", "b", _may_access(writes=True))),
        "same_object": FunctionModel.of("pp", "b", _same_object),
        "POINTER_OBJECT": FunctionModel.of("p", "l", _pointer_object),
        "POINTER_OFFSET": FunctionModel.of("p", "l", _pointer_offset),
        "OBJECT_SIZE": FunctionModel.of("p", "l", _object_size),
        "DYNAMIC_OBJECT": FunctionModel.of("p", "b", _is_dynamic),
        "allocate": FunctionModel.of("nb", "p", _allocate),
        "havoc_object": FunctionModel.of("p", "v", _havoc_object),
        "havoc_slice": FunctionModel.of("pn", "v", _havoc_slice),
    }.items()
}
