"""How tests replay natively: enclosed, or not where the system grants no namespaces; their programs are harmless."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from unfork.errors import InputError
from unfork.report.replay.binary import Enclosure, NativeBinary


def best_enclosure() -> Enclosure:
    """What the system grants."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            NativeBinary(Path(sys.executable), "python", Path(folder), {}, Enclosure.REQUIRED)
        except InputError:
            return Enclosure.NONE
    return Enclosure.REQUIRED


ENCLOSURE = best_enclosure()
NATIVE = ["--native"] if ENCLOSURE is Enclosure.REQUIRED else ["--native", "--unenclosed"]
