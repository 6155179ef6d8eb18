"""``unfork`` and ``python -m unfork`` are the command line; ``cc`` and ``ar`` begin before the engine is loaded."""

from __future__ import annotations

import signal
import sys

# Ctrl-C while the modules are loaded ends the program without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)

if sys.argv[1:2] in (["cc"], ["ar"]):
    from unfork.toolchain.start import main as _main
else:
    from unfork.cli import main as _main


def main() -> int:
    """Run one command; the exit status."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return _main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
