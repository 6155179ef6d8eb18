"""``unfork`` and ``python -m unfork`` are the command line; cc, c++ and ar begin before the engine is loaded."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import sys

YOUNG = 50_000
"""Objects that are made before the collector looks for garbage: the engine makes many, and hardly any in circles."""

# Ctrl-C while the modules are loaded ends the program without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)
gc.set_threshold(YOUNG, 20, 20)

if sys.argv[1:2] in (["cc"], ["c++"], ["ar"]):
    from unfork.commands.cc.start import main as _main
else:
    from unfork.cli import main as _main


def main() -> int:
    """Run one command; the exit status."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ended: list[int] = []
    atexit.register(_leave, ended)  # the first to be registered is the last to run
    ended.append(_main(sys.argv[1:]))
    return ended[0]


def _leave(ended: list[int]) -> None:
    """End the process as it is: to take a large run apart object by object takes seconds."""
    if not ended:
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(ended[0])


if __name__ == "__main__":
    sys.exit(main())
