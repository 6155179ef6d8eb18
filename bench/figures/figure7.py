"""Figure 7 of Kuznetsov12: which alpha is best? Seconds to the end of every path for each, and without merging."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figures.runs import SCHEDULES, Ran, arguments
from bench.tables import markdown
from unfork.options.options import Options

TOOLS = ("link", "nice", "paste", "pr")
ALPHAS = ("0", "1e-4", "0.01", "0.1")
WORLD = ("--sym-args", "0", "1", "2")


def seconds(ran: Ran) -> str:
    """How long it took, or what had been done when the time was over."""
    return f"{ran.seconds:.1f}" if ran.exhausted else f"over {ran.seconds:.0f} ({ran.completed} ended)"


def main(words: Sequence[str]) -> int:
    """The table: a line per alpha."""
    given = arguments(words, __doc__, 15, TOOLS)
    modes = {"(no merge)": SCHEDULES["none"]}
    for alpha in ALPHAS:
        modes[alpha] = (*SCHEDULES["static"], "--qce", alpha, *[f"{number:g}" for number in Options().qce[1:]])
    modes["infinite"] = ("--merge", "static", "--similar", "always")
    rows = [
        [name, *[seconds(given.runner.run(tool, given.seconds, options, WORLD)) for tool in given.tools]]
        for name, options in modes.items()
    ]
    print(markdown(["alpha", *given.tools], rows))
    return 0
