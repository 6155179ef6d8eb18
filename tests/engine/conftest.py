"""Fixtures that run a handler of the engine on its own: a call instruction, and a step that has no path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from tests.support.modelled import bench, solver
from unfork.engine.step.step import Step
from unfork.errors import Unsupported
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.ir import Bits, Call, GlobalAddress
from unfork.program.llvm.types import FunctionType, Type
from unfork.world.library.intrinsics import Intrinsics

__all__ = ["bench", "call_of", "intrinsic", "pathless_step", "solver"]


class Refusing:
    """A step for operations that need none, but for refusing and for facts that are known."""

    def unsupported(self, construct: str) -> None:
        raise Unsupported(construct)

    def decide(self, condition: Value) -> bool:
        assert isinstance(condition, int)
        return bool(condition)

    def concretize(self, value: Value, width: int, limit: int, what: str) -> int:
        assert isinstance(value, int)
        return value

    def fresh(self, name: str, width: int, kind: str) -> Value:
        return symbol(name, width)


def call(name: str, result: Type, *kinds: Type) -> Call:
    return Call(
        result=0,
        type=FunctionType(result, kinds, variadic=False),
        callee=GlobalAddress(name),
        arguments=tuple([Bits(0, kind) for kind in kinds]),
        byval=(None,) * len(kinds),
        returns_twice=False,
        position=None,
    )


def apply(name: str, result: Type, kinds: tuple[Type, ...], *values: Any) -> Any:
    handler = Intrinsics().find(name)
    assert handler is not None
    return handler(cast(Step, Refusing()), values, call(name, result, *kinds))


@pytest.fixture
def pathless_step() -> Step:
    """A step that knows nothing of a path: it refuses, and settles facts that are constant."""
    return cast(Step, Refusing())


@pytest.fixture
def call_of() -> Callable[..., Call]:
    """The call instruction ``call_of(name, result type, *argument types)``."""
    return call


@pytest.fixture
def intrinsic() -> Callable[..., Any]:
    """The value of an intrinsic: ``intrinsic(name, result type, argument types, *values)``."""
    return apply
