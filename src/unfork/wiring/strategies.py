"""Which strategies a run races, each with its options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unfork.errors import InputError
from unfork.option_rules import check, complete
from unfork.option_strategies import BUNDLES, DETAILS, is_exact
from unfork.options import AUTO, BUNDLED, Options, alone

RACE = ("plain", "join", "learn", "match", "sample", "prove")
"""What "auto" races."""
_OWN = (*BUNDLED, *DETAILS, "predicate")
"""Options that choose a strategy, or that say how one does its work."""


def as_strategy(options: Options, name: str) -> Options:
    """The options with a strategy's bundle in their places, as if they were given."""
    bundle = BUNDLES[name].options
    return replace(options, **bundle, strategy=(AUTO,), given=(options.given | bundle.keys()) - {"strategy"})


def strategies(options: Options) -> list[tuple[str, Options]]:
    """The strategies that a run races, each with its options; the first is the one that begins.

    Options that name a part of one, or that only one exploration can have, are one strategy. One that is not exact
    leads no race. Raises InputError for one that does not go with other options.
    """
    is_own = bool(alone(options)) or any(options.is_given(name) for name in _OWN)
    if is_own and not options.is_given("strategy"):
        return [("", complete(options))]
    raced = [(name, as_strategy(options, name)) for name in sorted(_raced(options), key=is_exact, reverse=True)]
    for _, each in raced:
        check(each)
    return raced


def is_over(options: Options) -> bool:
    """Whether a strategy explores more than the program does: loops for any number of turns."""
    return options.loops == "abstract"


def leaves_tests(options: Options) -> bool:
    """Whether tests are wanted of more than errors, and the strategy may explore what the program does not do."""
    return is_over(options) and options.tests != "errors"


def _raced(options: Options) -> Sequence[str]:
    """The strategies that are named; of "auto", those that the other options allow."""
    if options.strategy != (AUTO,):
        return sorted(options.strategy, key=lambda name: joins_late(as_strategy(options, name)))
    return [name for name in RACE if _is_allowed(options, name)]


def joins_late(options: Options) -> bool:
    """Whether a strategy, but for the first of a race, waits until there is what it is for: hard queries, or loops that
    have no bound in sight.
    """
    return samples(options) or is_over(options)


def samples(options: Options) -> bool:
    """Whether a strategy goes on with values at hand where a query is hard."""
    return options.hard == "sample"


def _is_allowed(options: Options, name: str) -> bool:
    if not is_exact(name) and options.is_given("loops"):
        return False
    try:
        check(as_strategy(options, name))
    except InputError:
        return False
    return True
