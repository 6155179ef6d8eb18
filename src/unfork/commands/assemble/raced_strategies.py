"""Which strategies a run races, each with its options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unfork.commands.assemble.choices import choose
from unfork.errors import InputError
from unfork.options.option_rules import alone, check, complete, preset
from unfork.options.options import AUTO, BUNDLED, Options, flag_of
from unfork.options.strategies import BUNDLES, DETAILS, StrategyKind, is_exact

RACE = ("plain", "join", "learn", "match", "sample", "prove")
"""What "auto" races."""
OF_THREADS = RACE[:2]
"""What "auto" races for programs with threads: pruners do not know these."""
_OWN = (*BUNDLED, *DETAILS, "predicate")
"""Options of a strategy: with one of them, a run without --strategy has one strategy and no race."""


def as_strategy(options: Options, name: str) -> Options:
    """The options with a strategy's values in their places, as if they were given."""
    bundle = BUNDLES[name].options
    return replace(options, **bundle, strategy=(AUTO,), given=(options.given | bundle.keys()) - {"strategy"})


def strategies(options: Options, *, has_threads: bool = False) -> list[tuple[str, Options]]:
    """The strategies that a run races, by name, each with its options; the first one begins.

    Options that name a part of a strategy, or need all of one exploration, make one strategy. Exact ones come first.
    Raises InputError for a strategy that does not go with other options, or with threads.
    """
    chosen = _chosen(options, has_threads=has_threads)
    if has_threads:
        for _, each in chosen:
            _check_threads(each)
    return chosen


def _check_threads(options: Options) -> None:
    """Raises InputError for options that do not work with threads."""
    for name, plain in (("prune", ("none",)), ("loops", ("exact", "run")), ("audit", (False,))):
        if (value := getattr(options, name)) not in plain:
            words = flag_of(name) if value is True else f"{flag_of(name)} {value}"
            raise InputError(f"{words}: not for programs with threads")


def _chosen(options: Options, *, has_threads: bool) -> list[tuple[str, Options]]:
    is_own = bool(alone(options)) or any(options.is_given(name) for name in _OWN)
    if has_threads and options.strategy == (AUTO,) and not is_own:
        return [(name, preset(options, name)) for name in OF_THREADS]
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
