"""The contracts of a C text on its functions, loops and program points, in any notation.

program/c/contract_reader.py gathers clauses one by one, freezes them, and merges the contracts of several texts or
notations. Lines are those of the user's file, by the preprocessor's line markers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from unfork.program.c.expressions import BoundVariable, TypeName, without_names

if TYPE_CHECKING:
    from unfork.program.c.c_source import CSource
    from unfork.program.c.declarations import Declared
    from unfork.program.c.expressions import AssignedLocation, Expression, Integral


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition or term, with its text; ``name`` is ACSL's ``name: condition``.

    Clauses of any kind are equal if they mean the same, wherever and in whatever words.
    """

    text: str = field(compare=False)
    expression: Expression
    file: str = field(compare=False)
    line: int = field(compare=False)
    name: str | None = field(compare=False)


@dataclass(frozen=True, slots=True)
class Assigns:
    """The locations that may be written; nothing else is, except new memory. No locations: nothing is."""

    text: str = field(compare=False)
    places: tuple[AssignedLocation, ...]
    file: str = field(compare=False)
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Behavior:
    """The contract in the case that all of ``assumes`` hold at the function's entry."""

    name: str
    assumes: tuple[Clause, ...]
    requires: tuple[Clause, ...]
    ensures: tuple[Clause, ...]
    assigns: Assigns | None


@dataclass(frozen=True, slots=True)
class NamedBehaviors:
    """The named behaviors of a ``complete`` or ``disjoint`` clause."""

    text: str = field(compare=False)
    names: tuple[str, ...]
    file: str = field(compare=False)
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class FunctionContract:
    """A function's requirements and promises. Parameters in ``ensures`` have their values at the function's entry.

    ``assigns`` None: unspecified. ``mathematical``: its arithmetic is over unbounded integers, not C's.
    """

    function: str
    parameters: tuple[str, ...]
    """The names of the parameters in the contract; "" for one without a name. The definition may use others."""
    file: str = field(compare=False)
    line: int = field(compare=False)
    requires: tuple[Clause, ...]
    ensures: tuple[Clause, ...]
    assigns: Assigns | None
    behaviors: tuple[Behavior, ...]
    complete: tuple[NamedBehaviors, ...]
    disjoint: tuple[NamedBehaviors, ...]
    decreases: Clause | None
    mathematical: bool


@dataclass(frozen=True, slots=True)
class LoopContract:
    """Conditions that hold whenever control reaches the head of the loop with its keyword in ``line``.

    ``column`` counts from 1, for loops in the same line. ``variant`` decreases in each turn and is >= 0 before it.
    """

    file: str
    line: int
    column: int
    invariants: tuple[Clause, ...]
    assigns: Assigns | None
    variant: Clause | None
    mathematical: bool
    function: str = field(compare=False)
    """The function that contains the loop; "" if unknown."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A condition that must hold before the statement that begins in ``line`` (``column`` counts from 1)."""

    file: str
    line: int
    column: int
    clause: Clause
    mathematical: bool
    function: str = field(compare=False)
    """The function that contains it; "" if unknown."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A contract of a function, or one in its body, without a meaning here: nothing may be concluded from it.

    For a logic definition, the function is "": contracts that use it have no meaning, either.
    """

    function: str
    problem: str
    """With file and line."""


@dataclass(frozen=True, slots=True)
class LogicDefinition:
    """A predicate or a logic function about the states ``labels``. ``body`` None: only axioms define it.

    ``result`` is the function's type (None: integer).
    """

    name: str
    labels: tuple[str, ...]
    parameters: tuple[BoundVariable, ...]
    is_predicate: bool
    result: Integral | TypeName | None
    body: Expression | None
    file: str = field(compare=False)
    line: int = field(compare=False)
    problem: str = ""
    """Why it has no meaning, such as different definitions in several files: nor have its applications."""


@dataclass(frozen=True, slots=True)
class Lemma:
    """A statement about any states ``labels``: to be proved, or an axiom."""

    name: str
    labels: tuple[str, ...]
    clause: Clause
    is_axiom: bool


@dataclass(frozen=True, slots=True)
class Contracts:
    """All contracts of a text, or of several. ``functions`` is by name; the rest is in order.

    ``unread`` are the functions with unknown constructs in contracts, by name, each with the first problem;
    ``left_out`` are the problems in logic definitions.
    """

    functions: Mapping[str, FunctionContract]
    loops: tuple[LoopContract, ...]
    assertions: tuple[Assertion, ...]
    unread: Mapping[str, str] = field(default_factory=dict)
    definitions: tuple[LogicDefinition, ...] = ()
    lemmas: tuple[Lemma, ...] = ()
    left_out: tuple[str, ...] = ()


NO_CONTRACTS = Contracts({}, (), ())
Contract: TypeAlias = FunctionContract | LoopContract | Assertion | Unread | LogicDefinition | Lemma


@dataclass(slots=True)
class ContractClauses:
    """The clauses of one contract, or of one behavior, in order; it grows."""

    name: str = ""
    assumes: list[Clause] = field(default_factory=list)
    requires: list[Clause] = field(default_factory=list)
    ensures: list[Clause] = field(default_factory=list)
    assigns: Assigns | None = None
    invariants: list[Clause] = field(default_factory=list)
    measure: Clause | None = None
    """The term that decreases."""
    asserts: list[Clause] = field(default_factory=list)
    behaviors: list[ContractClauses] = field(default_factory=list)
    complete: list[NamedBehaviors] = field(default_factory=list)
    disjoint: list[NamedBehaviors] = field(default_factory=list)

    def assign(self, text: str, places: tuple[AssignedLocation, ...], file: str, line: int) -> None:
        """One more assigns clause; several clauses add up."""
        before = self.assigns
        if before is None:
            self.assigns = Assigns(text, places, file, line)
        else:
            self.assigns = Assigns(f"{before.text}, {text}", before.places + places, before.file, before.line)

    @property
    def is_of_function(self) -> bool:
        """Whether any clause is one of function contracts; ``measure`` may be of either kind."""
        return bool(self.requires or self.ensures or self.behaviors or self.complete or self.disjoint or self.assumes)

    def behavior(self) -> Behavior:
        """These clauses as a behavior."""
        return Behavior(self.name, tuple(self.assumes), tuple(self.requires), tuple(self.ensures), self.assigns)

    def of_function(self, source: CSource, function: Declared, mathematical: bool) -> FunctionContract:
        """These clauses as a contract of a function."""
        file, line = source.position(function.offset)
        return FunctionContract(
            function.name,
            function.parameters,
            file,
            line,
            tuple(self.requires),
            tuple(self.ensures),
            self.assigns,
            tuple(each.behavior() for each in self.behaviors),
            tuple(self.complete),
            tuple(self.disjoint),
            self.measure,
            mathematical,
        )

    def of_loop(self, source: CSource, offset: int, mathematical: bool) -> LoopContract:
        """These clauses as a contract of the loop whose keyword stands at ``offset``."""
        file, line = source.position(offset)
        invariants = tuple(self.invariants)
        name = source.function_at(offset)
        return LoopContract(
            file, line, source.column(offset), invariants, self.assigns, self.measure, mathematical, name
        )

    def assertions(self, source: CSource, offset: int, mathematical: bool) -> tuple[Assertion, ...]:
        """The assertions before the text at ``offset``."""
        file, line = source.position(offset)
        column = source.column(offset)
        name = source.function_at(offset)
        return tuple(Assertion(file, line, column, clause, mathematical, name) for clause in self.asserts)


def merge_contracts(*several: Contracts) -> Contracts:
    """All of the contracts. A function with two different ones, or with such a loop, is one of ``unread``."""
    contracts: list[Contract] = []
    for each in several:
        contracts += [*each.functions.values(), *each.loops, *each.assertions, *each.definitions, *each.lemmas]
        contracts += [Unread(name, problem) for name, problem in each.unread.items()]
        contracts += [Unread("", problem) for problem in each.left_out]
    return gather_contracts(contracts)


def gather_contracts(contracts: Iterable[Contract]) -> Contracts:
    """The record of contracts. A function with two different ones, or with such a loop, is one of ``unread``."""
    functions: dict[str, FunctionContract] = {}
    loops: dict[tuple[str, int, int], LoopContract] = {}
    assertions: dict[str, Assertion] = {}
    unread: dict[str, str] = {}
    left_out: dict[str, None] = {}
    definitions: dict[tuple[str, tuple[bool, ...]], LogicDefinition] = {}
    lemmas: dict[str, Lemma] = {}
    for contract in contracts:
        match contract:
            case FunctionContract(name):
                first = functions.setdefault(name, contract)
                if without_names(first) != without_names(contract):
                    problem = f"{name} has another contract in {first.file}:{first.line}"
                    unread.setdefault(name, f"{contract.file}:{contract.line}: {problem}")
            case LoopContract(file, line, column):
                if without_names(loops.setdefault((file, line, column), contract)) != without_names(contract):
                    unread.setdefault(contract.function, f"{file}:{line}: this loop has two different contracts")
            case Unread("", problem):
                left_out[problem] = None
            case Unread(name, problem):
                unread.setdefault(name, problem)
            case Assertion():
                # A file may be compiled several times; an assertion that its text repeats stays.
                assertions.setdefault(
                    repr(without_names(replace(contract, clause=replace(contract.clause, text="")))), contract
                )
            case LogicDefinition(name):
                key = name, tuple(map(is_pointer, contract.parameters))
                known = definitions.setdefault(key, contract)
                if without_names(known) != without_names(contract):
                    problem = (
                        f"{contract.file}:{contract.line}: {name} has another definition in {known.file}:{known.line}"
                    )
                    left_out[known.problem or contract.problem or problem] = None
                    definitions[key] = replace(known, problem=known.problem or contract.problem or problem, body=None)
            case Lemma(name, labels, clause, is_axiom):
                # Lemmas of one name in several files may differ: each is one of its own.
                lemmas.setdefault(repr((name, labels, without_names(clause.expression), is_axiom)), contract)
    return Contracts(
        functions,
        tuple(loops.values()),
        tuple(assertions.values()),
        unread,
        tuple(definitions.values()),
        tuple(lemmas.values()),
        tuple(left_out),
    )


def is_pointer(variable: BoundVariable) -> bool:
    """Whether a variable is a pointer: that distinguishes definitions of one name."""
    return isinstance(variable.type, TypeName)
