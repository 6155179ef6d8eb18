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
"""What "auto" races for programs that pruners do not know: with threads, or with pointers of 32 bits."""
_OWN = (*BUNDLED, *DETAILS, "predicate")
"""Options of a strategy: with one of them, a run without --strategy has one strategy and no race."""


def as_strategy(options: Options, name: str) -> Options:
    """The options with a strategy's values in their places, as if they were given."""
    bundle = BUNDLES[name].options
    return replace(options, **bundle, strategy=(AUTO,), given=(options.given | bundle.keys()) - {"strategy"})


@dataclass(frozen=True, slots=True)
class UnprunedPrograms:
    """A kind of program that pruners do not know, in words, with the values that options may have for one."""

    words: str
    allowed: Mapping[str, tuple[object, ...]]


_WITH_THREADS = UnprunedPrograms(
    "programs with threads", {"prune": ("none",), "loops": ("exact", "run"), "audit": (False,)}
)
_NARROW = UnprunedPrograms(
    "programs with pointers of 32 bits",
    {"prune": ("none", "subsume"), "abstract": ("none",), "loops": ("exact", "run"), "audit": (False,)},
)


def unprunable(program: Program) -> UnprunedPrograms | None:
    """The kind of program that ``program`` is, if pruners do not know it."""
    if makes_threads(program):
        return _WITH_THREADS
    return _NARROW if program.is_narrow else None


def strategies(options: Options, unprunable: UnprunedPrograms | None = None) -> list[tuple[str, Options]]:
    """The strategies that a run races, by name, each with its options; the first one begins.

    Options that name a part of a strategy, or need all of one exploration, make one strategy. Exact ones come first.
    Raises InputError for a strategy that does not go with other options, or with a program that is ``unprunable``.
    """
    chosen = _chosen(options, prunes=unprunable is None)
    if unprunable is not None:
        for _, each in chosen:
            _check_unpruned(each, unprunable)
    return chosen


def _check_unpruned(options: Options, unprunable: UnprunedPrograms) -> None:
    """Raises InputError for options that do not work with such programs."""
    for name, allowed in unprunable.allowed.items():
        if (value := getattr(options, name)) not in allowed:
            words = flag_of(name) if value is True else f"{flag_of(name)} {value}"
            raise InputError(f"{words}: not for {unprunable.words}")


def _chosen(options: Options, *, prunes: bool) -> list[tuple[str, Options]]:
    is_own = bool(alone(options)) or any(options.is_given(name) for name in _OWN)
    if not prunes and options.strategy == (AUTO,) and not is_own:
        return [(name, preset(options, name)) for name in WITHOUT_PRUNING]
    if is_own and not options.is_given("strategy"):
        return [("", complete(options))]
    raced = [(name, preset(options, name)) for name in sorted(_raced(options), key=is_exact, reverse=True)]
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


def _raced(options: Options) -> Sequence[str]:
    """The strategies that are named, or those of "auto" that the other options allow."""
    if options.strategy != (AUTO,):
        return sorted(options.strategy, key=lambda name: kind(preset(options, name)) is not StrategyKind.EXACT)
    return [name for name in RACE if _is_allowed(options, name)]


def _is_allowed(options: Options, name: str) -> bool:
    if not is_exact(name) and choose(options).loops.is_named:
        return False
    try:
        check(preset(options, name))
    except InputError:
        return False
    return True
