"""The properties of SV-COMP and Test-Comp: the texts of their files, and the options of a run for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from unfork.engine.protocols.fault import Aspect
from unfork.errors import InputError

_UNDEFINED = ("memory", "div", "shift", "unreachable")
_PROVING = (*_UNDEFINED, "uninitialised", "indeterminate")
"""To prove a property: the values of unwritten bytes must not matter."""
_ENDLESS = ("nontermination", "deadlock")
"""For properties of the end of a run."""


@dataclass(frozen=True, slots=True)
class Property:
    """``name`` is that of verdicts, ``formula`` that of witnesses; ``checks`` are those of a run.

    ``violations`` says which kinds of errors violate which part of it. ``strategies`` are those that may prove it, if
    not all may.
    """

    name: str
    lines: tuple[str, ...]
    checks: tuple[str, ...] = _UNDEFINED
    violations: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    strategies: tuple[str, ...] = ()

    @property
    def covers(self) -> bool:
        """Whether it asks for tests, as Test-Comp does."""
        return self.lines[0].startswith("COVER")

    @property
    def specification(self) -> str:
        return "\n".join(self.lines)

    @property
    def formula(self) -> str:
        return " && ".join(line.removeprefix("CHECK( init(main()), LTL(").removesuffix(") )") for line in self.lines)

    def violated(self, kind: str, aspect: str | None) -> str | None:
        """The part of the property that an error violates; ``aspect`` is the value of an Aspect.

        Of overflows and shifts, only results that do not fit do: a remainder may fit, and some shifts have no result.
        """
        if kind in ("overflow", "shift") and aspect != Aspect.RESULT.value:
            return None
        if kind == "out-of-bounds" and aspect == Aspect.NO_ACCESS.value:
            return None
        return self.violations.get(kind)


def _ltl(formula: str) -> str:
    return f"CHECK( init(main()), LTL({formula}) )"


def _fql(goal: str) -> str:
    return f"COVER( init(main()), FQL(COVER EDGES({goal})) )"


_PATHS = ("plain", "join")
"""Strategies that follow every path to its end: a state that is covered may be in a loop that never ends."""
_ACCESSES = ("out-of-bounds", "null-dereference", "use-after-free")
PROPERTIES = (
    Property("unreach-call", (_ltl("G ! call(reach_error())"),), _PROVING, {"reach-error": "unreach-call"}),
    Property(
        "valid-memsafety",
        (_ltl("G valid-free"), _ltl("G valid-deref"), _ltl("G valid-memtrack")),
        (*_PROVING, "leak", "lost", *_ENDLESS),
        {
            **dict.fromkeys(_ACCESSES, "valid-deref"),
            **dict.fromkeys(("double-free", "invalid-free"), "valid-free"),
            "leak": "valid-memtrack",
        },
        _PATHS,
    ),
    Property(
        "valid-memcleanup",
        (_ltl("G valid-memcleanup"),),
        (*_PROVING, "leak", "lost", "cleanup", *_ENDLESS),
        {"leak": "valid-memcleanup"},
        _PATHS,
    ),
    Property(
        "no-overflow",
        (_ltl("G ! overflow"),),
        (*_PROVING, "shift-base", "overflow"),
        dict.fromkeys(("overflow", "shift"), "no-overflow"),
    ),
    Property(
        "termination",
        (_ltl("F end"),),
        (*_PROVING, "nontermination"),
        {"nontermination": "termination"},
        _PATHS,
    ),
    Property("no-data-race", (_ltl("G ! data-race"),), (*_PROVING, "race"), {"data-race": "no-data-race"}),
    Property("coverage-error-call", (_fql("@CALL(reach_error)"),), violations={"reach-error": "coverage-error-call"}),
    Property("coverage-branches", (_fql("@DECISIONEDGE"),)),
    Property("coverage-conditions", (_fql("@CONDITIONEDGE"),)),
    Property("coverage-statements", (_fql("@BASICBLOCKENTRY"),)),
)


def property_of(text: str, name: str) -> Property:
    """The property whose file ``name`` has this text. Raises InputError if there is none."""
    lines = frozenset("".join(line.split()) for line in text.splitlines() if line.strip())
    for each in PROPERTIES:
        if frozenset("".join(line.split()) for line in each.lines) == lines:
            return each
    known = ", ".join(each.name for each in PROPERTIES)
    raise InputError(f"{name}: no property that unfork decides ({known})")
