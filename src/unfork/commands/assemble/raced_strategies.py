"""Which strategies a run races, each with its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from unfork.commands.assemble.choices import choose
from unfork.engine.step.statics import makes_threads
from unfork.errors import InputError
from unfork.options.option_rules import alone, check, complete, preset
from unfork.options.options import AUTO, BUNDLED, Options, flag_of
from unfork.options.strategies import BUNDLES, DETAILS, StrategyKind, is_exact
from unfork.program.llvm.module import Program

RACE = ("plain", "join", "learn", "match", "sample", "prove")
"""What "auto" races."""
WITHOUT_PRUNING = RACE[:2]
"""What "auto" races for programs that pruners do not know: those with threads."""
_OWN = (*BUNDLED, *DETAILS, "predicate")
"""Options of a strategy: with one of them, a run without --strategy has one strategy and no race."""


def names_strategy(options: Options) -> bool:
    """Whether the options name a strategy, a part of one, or need all of one exploration."""
    return bool(alone(options)) or any(options.is_given(name) for name in ("strategy", *_OWN))


def as_strategy(options: Options, name: str) -> Options:
    """The options with a strategy's values in their places, as if they were given."""
    bundle = BUNDLES[name].options
    return replace(options, **bundle, strategy=(AUTO,), given=(options.given | bundle.keys()) - {"strategy"})


@dataclass(frozen=True, slots=True)
class RestrictedPrograms:
    """A kind of program that some parts do not know: in words, with the values that options may have for one, and
    what "auto" races.
    """

    words: str
    allowed: Mapping[str, tuple[object, ...]]
    raced: tuple[str, ...]


_WITH_THREADS = RestrictedPrograms(
    "programs with threads", {"prune": ("none",), "loops": ("exact", "run"), "audit": (False,)}, WITHOUT_PRUNING
)
_NARROW = RestrictedPrograms("programs with pointers of 32 bits", {"abstract": ("none",)}, RACE)
"""Lists and arrays are told by words of 64 bits with pointers in them."""


def restriction(program: Program) -> RestrictedPrograms | None:
    """The kind of program that ``program`` is, if some parts do not know it."""
    if makes_threads(program):
        return _WITH_THREADS
    return _NARROW if program.is_narrow else None


def strategies(options: Options, restricted: RestrictedPrograms | None = None) -> list[tuple[str, Options]]:
    """The strategies that a run races, by name, each with its options; the first one begins.

    Options that name a part of a strategy, or need all of one exploration, make one strategy. Exact ones come first.
    Raises InputError for a strategy that does not go with other options, or with a program that is ``restricted``.
    """
    chosen = _chosen(options, RACE if restricted is None else restricted.raced)
    if restricted is not None:
        for _, each in chosen:
            _check_allowed(each, restricted)
    return chosen


def _check_allowed(options: Options, restricted: RestrictedPrograms) -> None:
    """Raises InputError for options that do not work with such programs."""
    for name, allowed in restricted.allowed.items():
        if (value := getattr(options, name)) not in allowed:
            words = flag_of(name) if value is True else f"{flag_of(name)} {value}"
            raise InputError(f"{words}: not for {restricted.words}")


def _chosen(options: Options, race: Sequence[str]) -> list[tuple[str, Options]]:
    if names_strategy(options) and not options.is_given("strategy"):
        return [("", complete(options))]
    raced = [(name, preset(options, name)) for name in sorted(_raced(options, race), key=is_exact, reverse=True)]
    for _, each in raced:
        check(each)
    return raced


def kind(options: Options) -> StrategyKind:
    """Whether these options explore all that the program does, more, or less."""
    choices = choose(options)
    if choices.loops.is_abstract:
        return StrategyKind.OVER
    return StrategyKind.SAMPLED if choices.queries.solvers.samples else StrategyKind.EXACT


def wants_tests(options: Options) -> bool:
    """Whether other paths than errors get tests."""
    return choose(options).tests.wanted != "errors"


def _raced(options: Options, race: Sequence[str]) -> Sequence[str]:
    """The strategies that are named, or those of "auto" that the other options allow."""
    if options.strategy != (AUTO,):
        return sorted(options.strategy, key=lambda name: kind(preset(options, name)) is not StrategyKind.EXACT)
    return [name for name in race if _is_allowed(options, name)]


def _is_allowed(options: Options, name: str) -> bool:
    if not is_exact(name) and choose(options).loops.is_named:
        return False
    try:
        check(preset(options, name))
    except InputError:
        return False
    return True
