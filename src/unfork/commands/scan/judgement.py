"""What a scan says of a fault: how certain it is, and why."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.commands.scan.decisions import PathStep
from unfork.logic.terms.term import Value

CERTAIN, LIKELY, CONDITIONAL, UNDECIDED = "certain", "likely", "conditional", "undecided"
"""An entry fails (certain); a function fails, and it is not known whether its callers or users allow it (likely); it
needs what the code never tests (conditional); time, solver or engine did not suffice (undecided).
"""
CLASSES = (CERTAIN, LIKELY, CONDITIONAL, UNDECIDED)
"""In the order in which findings are listed."""
SHOWN = (CERTAIN, LIKELY)
"""Those of findings whose tests have failed again."""


@dataclass(frozen=True, slots=True)
class NotNull:
    """An input pointer, by its C expression, leads somewhere."""

    pointer: str


@dataclass(frozen=True, slots=True)
class NumbersAllow:
    """A condition (1 bit) over the numbers of the input holds."""

    condition: Value


@dataclass(frozen=True, slots=True)
class NotNullUnless:
    """An input pointer, by its C expression, leads somewhere, or a condition (1 bit) over the numbers holds."""

    pointer: str
    condition: Value


@dataclass(frozen=True, slots=True)
class Apart:
    """An input pointer does not lead where another one does; both are C expressions."""

    pointer: str
    other: str


@dataclass(frozen=True, slots=True)
class LongText:
    """A text of the input, by its C expression, has at least so many characters."""

    pointer: str
    least: int


Demand = NotNull | NumbersAllow | NotNullUnless | Apart | LongText


@dataclass(frozen=True, slots=True)
class Grounds:
    """Why a rule applies. ``precondition`` says in words what a caller must ensure, "" if that is not known;
    ``requires`` says it as a condition in C, "" if C cannot say it.

    ``demand`` is the same for a check; without one, there is none. ``plain`` is what remains to be said if the check
    fails. ``about`` names the pointers and numbers of the input that it is about, by their C expressions. Inputs for
    which ``example`` holds (1 bit) show it best.
    """

    reason: str
    precondition: str = ""
    requires: str = ""
    demand: Demand | None = None
    plain: str = ""
    about: tuple[str, ...] = ()
    example: Value | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """``certainty`` as the rule named ``rule`` decides it. ``path`` has the decisions that lead to the fault.
    ``arguments`` names those on which a fault depends that is certain or likely.
    """

    rule: str
    certainty: str
    grounds: Grounds
    path: tuple[PathStep, ...] = ()
    arguments: tuple[str, ...] = ()
