"""The command line: ``unfork`` and ``python -m unfork``. cc, c++ and ar start without loading the engine."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import sys

YOUNG = 50_000
"""New objects before the garbage collector runs: the engine makes many, and hardly any in cycles."""

# Ctrl-C while the modules are loaded ends the program without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)
gc.set_threshold(YOUNG, 20, 20)

if sys.argv[1:2] in (["cc"], ["c++"], ["ar"]):
    from unfork.commands.cc.start import main as _main
else:
    from unfork.cli import main as _main


def main() -> int:
    """Run one command. Returns the exit status."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ended: list[int] = []
    atexit.register(_leave, ended)  # registered first, so it runs last
    ended.append(_main(sys.argv[1:]))
    return ended[0]


def _leave(ended: list[int]) -> None:
    """End the process at once: freeing a large run object by object takes seconds."""
    if not ended:
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(ended[0])


if __name__ == "__main__":
    sys.exit(main())
