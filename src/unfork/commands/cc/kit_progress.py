"""Makes the kit for ``unfork cc``, and shows the progress."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from unfork.errors import InputError
from unfork.report.record import progress
from unfork.world.libc import make_kit
from unfork.world.libc.kit import NoKit


def main(words: Sequence[str]) -> int:
    """Make the kit, with the word c++ its part for C++ as well. Returns an exit status."""
    tool = "c++" if words else "cc"
    try:
        make_kit.obtain(lambda name: progress.building(f"unfork {tool}: building {name} (once)"), is_cpp=bool(words))
    except (NoKit, InputError) as problem:
        sys.stderr.write(f"unfork {tool}: {problem}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
