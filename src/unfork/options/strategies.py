"""The strategies by name: presets of options that are good at something, and which options choose one."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

PRUNING, JOINING = ("search", "prune"), ("merge", "similar", "join")
"""The two halves of a strategy: in which order states come and which are dropped, and how states are joined."""


class StrategyKind(Enum):
    """What a strategy explores: what the program does, more than that (loops for any number of turns), or a part of it
    (values at hand where a query is hard). A strategy that is not exact joins a race once its occasion comes up.
    """

    EXACT = "exact"
    OVER = "over"
    SAMPLED = "sampled"


@dataclass(frozen=True, slots=True)
class Strategy:
    """Values of --search, --merge, --similar, --join, --prune, --loops and --hard, and what they are good at."""

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
    "prove": Strategy(
        {
            "search": ("coverage",),
            "merge": "static",
            "similar": "always",
            "join": "summary",
            "prune": "subsume",
            "loops": "abstract",
        },
        "showing that a program is safe whose loops have no bound in sight: what holds in any of their turns",
    ),
    "sample": Strategy(
        {"search": ("coverage",), "merge": "none", "prune": "none", "hard": "sample"},
        "floating point and products of inputs: where a query takes long, a path goes on with the values at hand",
    ),
}
DETAILS: Mapping[str, tuple[str, str]] = {
    "interpolants": ("prune", "interpolate"),
    "abstract": ("prune", "subsume"),
    "qce": ("similar", "qce"),
    "delta": ("merge", "dynamic"),
}
"""Options that say how a value of another option does its work: to name one is to name that value, too."""
EXPLORING_PRESETS: Mapping[str, str] = {"interpolate": "learn", "subsume": "match", "none": "plain"}
"""By --prune, named or not: the strategy that gives --search, and the joins if no option of joins is named."""
JOINING_PRESETS: Mapping[tuple[str, str], str] = {
    ("merge", "static"): "join",
    ("merge", "dynamic"): "count",
    ("similar", "always"): "join",
    ("similar", "qce"): "count",
}
"""The strategy that gives --merge, --similar and --join: of the first of these values that is named, else ``JOINS``."""
JOINS = "count"
WIDTH = 118
"""Columns of a terminal that shows the strategies."""
RULE = "A strategy is a preset that named options override; without --strategy, the named options choose the preset."
HALVES = (
    "If several rows fit, --search and --prune follow the first of the upper rows, and --merge, --similar and --join "
    "the first of the lower ones."
)
"""What the table of presets says of itself."""


def is_exact(name: str) -> bool:
    """Whether a strategy explores only what the program does."""
    return "loops" not in BUNDLES[name].options


def presets() -> list[tuple[list[str], str]]:
    """For each preset, the options that choose it, as a user would type them; the upper rows come first."""
    upper = [
        (["--prune interpolate", "--interpolants"], "learn"),
        (["--prune subsume", "--abstract"], "match"),
        (["--hard sample"], "sample"),
        (["--search", "--prune none", "--hard wait"], "plain"),
    ]
    return [
        *upper,
        (["--merge static", "--similar always"], "join"),
        (["--qce", "--delta", "any other value of --merge, --similar or --join"], JOINS),
    ]


def flags(name: str) -> str:
    """The options of a strategy, as a user would type them."""
    return " ".join(
        f"--{part} {','.join(value) if isinstance(value, tuple) else value}"
        for part, value in BUNDLES[name].options.items()
    )


def strategies_text() -> str:
    """The strategies, for a terminal."""
    lines = []
    for name, strategy in BUNDLES.items():
        chosen = [", ".join(named) for named, preset in presets() if preset == name]
        lines += [name, f"    good at {strategy.good_at}", f"    {flags(name)}"]
        lines += [f"    preset of {named}" for named in chosen]
    return "\n".join([*lines, "", *textwrap.wrap(f"{RULE} {HALVES}", WIDTH)])
