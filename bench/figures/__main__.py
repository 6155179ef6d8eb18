"""What do the papers' figures and tables come to here? Kuznetsov12, Scheurer16 and Anand06, ours beside theirs.

``python -m bench.figures NAME [...]`` prints one of them as a table:

- ``all``: the figures of Kuznetsov12, with their runs side by side.
- ``2`` to ``9``, of Kuznetsov12: what merging gains in paths, time and coverage. All but 2 run tools of coreutils:
  ``--programs DIR`` is a tree that bench.coreutils has built, or a folder of PROGRAM.bc files.
- ``table3`` and ``table4``, of Scheurer16: what joins save in proofs.
- ``heap``, of Anand06: what state matching saves.
- ``tuning``, of ours: the parameters of query count estimation, chosen on tools that no figure shows.

``python -m bench.figures NAME --help`` says more of each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from bench.figures import (
    everything,
    figure2,
    figure3,
    figure4,
    figure5,
    figure6,
    figure7,
    figure8,
    figure9,
    heap,
    table3,
    table4,
    tuning,
)

FIGURES: dict[str, Callable[[Sequence[str]], int]] = {
    "all": everything.main,
    "2": figure2.main,
    "3": figure3.main,
    "4": figure4.main,
    "5": figure5.main,
    "6": figure6.main,
    "7": figure7.main,
    "8": figure8.main,
    "9": figure9.main,
    "table3": table3.main,
    "table4": table4.main,
    "heap": heap.main,
    "tuning": tuning.main,
}


def main() -> int:
    """The figure that the command line names; its own status."""
    parser = argparse.ArgumentParser(
        prog="bench.figures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=[*FIGURES])
    given = parser.parse_args(sys.argv[1:2])
    return FIGURES[given.name](sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
