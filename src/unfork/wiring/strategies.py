"""The strategies by name: bundles of options that are good at something, and which of them a run races."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unfork.errors import InputError
from unfork.option_rules import check
from unfork.options import AUTO, BUNDLED, Options, alone

_JOINING = ("merge", "similar", "join", "qce", "delta", "count_paths", "audit")
"""Options of joins: where one is given, states are joined as --merge says."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """What --search, --merge, --similar, --join and --prune are, and for which programs that is good."""

    options: Mapping[str, Any]
    good_at: str


BUNDLES: Mapping[str, Strategy] = {
    "plain": Strategy(
        {"search": ("coverage",), "merge": "none", "prune": "none"},
        "covering code and finding bugs soon: path by path, towards what nothing has covered",
    ),
    "join": Strategy(
        {"search": ("coverage",), "merge": "static", "similar": "always", "join": "summary", "prune": "none"},
        "programs whose paths multiply by design, such as checksums and validators: whatever meets becomes one state",
    ),
    "learn": Strategy(
        {"search": ("dfs",), "merge": "none", "prune": "interpolate"},
        "asserts that hold for the same reason on many paths: why finished paths were safe covers others",
    ),
    "count": Strategy(
        {"search": ("coverage",), "merge": "dynamic", "similar": "qce", "join": "summary", "prune": "none"},
        "programs where some joins pay and others cost: query counts decide, and who lags behind catches up",
    ),
    "match": Strategy(
        {"search": ("dfs",), "merge": "none", "prune": "subsume"},
        "reactive programs and data structures that come to the same states again: a state is explored once",
    ),
}
RACE = ("plain", "join", "learn", "match")
"""What "auto" races."""
_OWN = (*BUNDLED, "predicate", "qce", "delta", "interpolants")
"""Options that choose a strategy, or that say how one does its work."""


def as_strategy(options: Options, name: str) -> Options:
    """The options with a strategy's bundle in their places, as if they were given."""
    bundle = BUNDLES[name].options
    return replace(options, **bundle, strategy=(AUTO,), given=(options.given | bundle.keys()) - {"strategy"})


def strategies(options: Options) -> list[tuple[str, Options]]:
    """The strategies that a run races, each with its options; the first is the one that begins.

    Options that are a strategy of their own, or that only one exploration can have, are taken as they are.
    """
    is_own = bool(alone(options)) or any(options.is_given(name) for name in _OWN)
    if is_own and not options.is_given("strategy"):
        return [("", _alone(options))]
    return [(name, as_strategy(options, name)) for name in _raced(options)]


def _alone(options: Options) -> Options:
    """The options as they are, but that nothing is joined where the user names an order or a pruner and no joins."""
    joins = any(options.is_given(name) for name in _JOINING)
    others = options.is_given("search") or options.is_given("prune")
    return replace(options, merge="none") if others and not joins else options


def _raced(options: Options) -> Sequence[str]:
    """The strategies that are named; of "auto", those that the other options allow."""
    if options.strategy != (AUTO,):
        return options.strategy
    return [name for name in RACE if _is_allowed(options, name)]


def _is_allowed(options: Options, name: str) -> bool:
    try:
        check(as_strategy(options, name))
    except InputError:
        return False
    return True


def text() -> str:
    """The strategies, for a terminal."""
    lines = []
    for name, strategy in BUNDLES.items():
        flags = " ".join(
            f"--{key} {','.join(value) if isinstance(value, tuple) else value}"
            for key, value in strategy.options.items()
        )
        lines += [name, f"    good at {strategy.good_at}", f"    {flags}"]
    return "\n".join(lines)
