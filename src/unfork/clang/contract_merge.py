"""Puts the contracts of several texts, or of several notations, together; what contradicts itself is refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unfork.clang.contracts import Assertion, Assigns, Behavior, Clause, Contracts, FunctionContract, LoopContract
from unfork.clang.expressions import Expression, Place
from unfork.errors import InputError


def merged(*several: Contracts) -> Contracts:
    """All of the contracts. Raises InputError if two of one function, or of one loop, differ."""
    return gathered(
        [contract for each in several for contract in each.functions.values()],
        [loop for each in several for loop in each.loops],
        [assertion for each in several for assertion in each.assertions],
    )


def gathered(
    functions: Iterable[FunctionContract], loops: Iterable[LoopContract], assertions: Iterable[Assertion]
) -> Contracts:
    """The record of contracts, those of functions by name. Raises InputError if two of one function differ."""
    by_name: dict[str, FunctionContract] = {}
    for contract in functions:
        first = by_name.setdefault(contract.function, contract)
        if _function_said(first) != _function_said(contract):
            place = f"{contract.file}:{contract.line}"
            raise InputError(f"{place}: {contract.function} has another contract in {first.file}:{first.line}")
    by_place: dict[tuple[str, int, int], LoopContract] = {}
    for loop in loops:
        before = by_place.setdefault((loop.file, loop.line, loop.column), loop)
        if _loop_said(before) != _loop_said(loop):
            raise InputError(f"{loop.file}:{loop.line}: this loop has two different contracts")
    return Contracts(by_name, tuple(by_place.values()), tuple(dict.fromkeys(assertions)))


@dataclass(frozen=True, slots=True)
class _Said:
    """What a contract says, wherever it stands."""

    parameters: tuple[str, ...]
    clauses: tuple[tuple[Expression, ...], ...]
    assigns: tuple[Place, ...] | None
    behaviors: tuple[_Said, ...]
    names: tuple[object, ...]


def _function_said(contract: FunctionContract) -> _Said:
    named = [tuple(each.names for each in kind) for kind in (contract.complete, contract.disjoint)]
    return _Said(
        contract.parameters,
        (_said(contract.requires), _said(contract.ensures), _measure(contract.decreases)),
        _places(contract.assigns),
        tuple(_behavior_said(behavior) for behavior in contract.behaviors),
        (contract.mathematical, *named),
    )


def _behavior_said(behavior: Behavior) -> _Said:
    clauses = (_said(behavior.assumes), _said(behavior.requires), _said(behavior.ensures))
    return _Said((), clauses, _places(behavior.assigns), (), (behavior.name,))


def _loop_said(loop: LoopContract) -> _Said:
    clauses = (_said(loop.invariants), _measure(loop.variant))
    return _Said((), clauses, _places(loop.assigns), (), (loop.mathematical,))


def _said(clauses: Iterable[Clause]) -> tuple[Expression, ...]:
    return tuple(clause.expression for clause in clauses)


def _measure(measure: Clause | None) -> tuple[Expression, ...]:
    return () if measure is None else (measure.expression,)


def _places(assigns: Assigns | None) -> tuple[Place, ...] | None:
    return None if assigns is None else assigns.places
