"""The strategies by name: bundles of options that are good at something, and which of them a run races."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from unfork.options import STRATEGIES, Options


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
assert tuple(BUNDLES) == STRATEGIES


def as_strategy(options: Options, name: str) -> Options:
    """The options with a strategy's bundle in their places, as if they were given."""
    bundle = BUNDLES[name].options
    return replace(options, **bundle, given=options.given | bundle.keys())


def strategies(options: Options) -> list[tuple[str, Options]]:
    """The strategies that a run races, each with its options; without any, the options as they are."""
    if not options.strategy:
        return [("", options)]
    most = options.max_memory
    share = None if most is None else max(most // len(options.strategy), 1)
    chosen = [(name, as_strategy(options, name)) for name in options.strategy]
    return [(name, replace(each, max_memory=share)) for name, each in chosen]


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
