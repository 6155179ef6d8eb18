"""``python -m unfork`` is the command line."""

from __future__ import annotations

import signal
import sys

# Ctrl-C while the modules are loaded ends the program without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from unfork.cli import main  # noqa: E402  # after the line above, which is about this import

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
