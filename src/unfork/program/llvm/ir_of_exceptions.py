"""The instructions that only exceptions need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unfork.program.llvm.types import Position, Type

if TYPE_CHECKING:
    from unfork.program.llvm.ir import Operand


@dataclass(frozen=True, slots=True)
class Invoked:
    """The end of an invoke, after its call: to ``target``, or to ``landing`` with an exception."""

    result: int
    target: int
    landing: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class LandingPad:
    """landingpad: the exception that came out of an invoke's call, and which clause takes it.

    ``clauses`` are a type's information each (null: any type), or an array of those of types that may pass (a filter).
    """

    result: int
    type: Type
    clauses: tuple[Operand, ...]
    is_cleanup: bool
    position: Position | None


@dataclass(frozen=True, slots=True)
class Resume:
    """resume: the exception in ``value`` goes on to the callers."""

    result: int
    value: Operand
    position: Position | None
