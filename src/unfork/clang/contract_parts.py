"""Clauses on their way into a contract: gathered one by one, then frozen."""

from __future__ import annotations

from dataclasses import dataclass, field

from unfork.clang.c_source import Source
from unfork.clang.contracts import (
    Assertion,
    Assigns,
    Behavior,
    Clause,
    FunctionContract,
    LoopContract,
    NamedBehaviors,
)
from unfork.clang.expressions import Place


@dataclass(slots=True)
class Parts:
    """The clauses of one contract, or of one behavior of it, in the order in which they came; it grows."""

    name: str = ""
    assumes: list[Clause] = field(default_factory=list)
    requires: list[Clause] = field(default_factory=list)
    ensures: list[Clause] = field(default_factory=list)
    assigns: Assigns | None = None
    invariants: list[Clause] = field(default_factory=list)
    measure: Clause | None = None
    """What decreases."""
    asserts: list[Clause] = field(default_factory=list)
    behaviors: list[Parts] = field(default_factory=list)
    complete: list[NamedBehaviors] = field(default_factory=list)
    disjoint: list[NamedBehaviors] = field(default_factory=list)

    def assign(self, text: str, places: tuple[Place, ...], file: str, line: int) -> None:
        """One more assigns clause: several name the places of all."""
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

    def of_function(
        self, name: str, parameters: tuple[str, ...], source: Source, offset: int, mathematical: bool
    ) -> FunctionContract:
        """These clauses as a contract of the function whose name stands at ``offset``."""
        file, line = source.position(offset)
        return FunctionContract(
            name,
            parameters,
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

    def of_loop(self, source: Source, offset: int, mathematical: bool) -> LoopContract:
        """These clauses as a contract of the loop whose keyword stands at ``offset``."""
        file, line = source.position(offset)
        invariants = tuple(self.invariants)
        return LoopContract(file, line, source.column(offset), invariants, self.assigns, self.measure, mathematical)

    def assertions(self, source: Source, offset: int, mathematical: bool) -> tuple[Assertion, ...]:
        """The assertions that stand in front of what is at ``offset``."""
        file, line = source.position(offset)
        column = source.column(offset)
        return tuple(Assertion(file, line, column, clause, mathematical) for clause in self.asserts)
