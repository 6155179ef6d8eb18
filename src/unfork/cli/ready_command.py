"""A command that has loaded what scans need before it knows its words: a line of standard input says folder and words.

``unfork lsp`` starts it beforehand, so that a scan does not begin with half a second of loading.
"""

from __future__ import annotations

import json
import os
import sys

from unfork import __main__ as command
from unfork.commands.afterwards import export
from unfork.commands.scan import scan, scan_jobs
from unfork.commands.witness import witnesses
from unfork.later import LaterModule, load
from unfork.program.llvm import compilation_cache, linking


def main() -> int:
    """Run one command. Returns the exit status; 0 if the server ends and there is none."""
    for module in (export, scan, scan_jobs, witnesses):
        if isinstance(module, LaterModule):
            load(module)
    compilation_cache.engine()
    linking.versions()
    line = sys.stdin.buffer.readline()
    if not line:
        return 0
    folder, words = json.loads(line)
    os.chdir(folder)
    sys.argv[1:] = words
    return command.main()


if __name__ == "__main__":
    sys.exit(main())
