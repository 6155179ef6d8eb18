"""The strategies by name, as data: bundles of options that are good at something, and what naming one part brings."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

PRUNING, JOINING = ("search", "prune"), ("merge", "similar", "join")
"""The parts of a strategy: those that a pruner goes with, and how states are joined."""


class StrategyKind(Enum):
    """What a strategy explores: what the program does, more than that (loops for any number of turns), or a part of it
    (values at hand where a query is hard). Whoever is not exact joins a race once there is what it is for.
    """

    EXACT = "exact"
    OVER = "over"
    SAMPLED = "sampled"


@dataclass(frozen=True, slots=True)
class Strategy:
    """What --search, --merge, --similar, --join, --prune and --loops are, and for which programs that is good."""

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
"""Options that say how a value of another option does its work: who names one means that value."""
WIDTH = 118
"""Of a terminal that shows the strategies."""
WITHOUT_JOINS, WITH_JOINS = "plain", "count"
"""What fills in where no named value brings a strategy."""
RULE = (
    "A value that one strategy alone has brings the rest of that strategy, and so does an option that serves such a "
    "value. What is named stands. If parts of two strategies are named, --search and --prune come from that of the "
    "pruner, and --merge, --similar and --join from that of the joins. What other values leave open is as in "
    f"{WITHOUT_JOINS} if --search, --prune or --hard is named and no option of joins, else as in {WITH_JOINS}. What "
    "takes loops for any number of turns is named as a whole."
)
"""What options that choose a strategy part by part come to."""


def brings(part: str, value: object) -> str:
    """The exact strategy that alone has ``value`` for ``part``; "" if several have it, or none."""
    having = [name for name, each in BUNDLES.items() if is_exact(name) and each.options.get(part) == value]
    return having[0] if len(having) == 1 else ""


def is_exact(name: str) -> bool:
    """Whether a strategy explores nothing but what the program does."""
    return "loops" not in BUNDLES[name].options


def naming() -> list[tuple[str, str]]:
    """What is named, as flags and values, and the strategy that it brings."""
    values = {
        (part, value): strategy
        for name, bundle in BUNDLES.items()
        for part, value in bundle.options.items()
        if (strategy := brings(part, value)) == name
    }
    rows = [(f"--{part} {value}", strategy) for (part, value), strategy in values.items()]
    return rows + [(f"--{detail}", brings(part, value)) for detail, (part, value) in DETAILS.items()]


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
        named = ", ".join(each for each, brought in naming() if brought == name)
        lines += [name, f"    good at {strategy.good_at}", f"    {flags(name)}"]
        lines += [f"    named by {named}"] if named else []
    return "\n".join([*lines, "", *textwrap.wrap(RULE, WIDTH)])
