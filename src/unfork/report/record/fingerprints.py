"""Names that identify a finding across versions of its program."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Lines = Callable[[str], Sequence[bytes]]
"""The lines of a source file, by its name; none if it cannot be read."""


class Fingerprints:
    """Names findings. A name stays while the function and the text of the line stay, wherever the line is. Equal
    ones are numbered.
    """

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._seen: Counter[str] = Counter()

    def of(self, kind: str, message: str, location: Mapping[str, Any]) -> str:
        """The name of a finding; ``message`` stands for a line of unknown text."""
        lines = () if location["file"] is None else self._lines(location["file"])
        number = location["line"] or 0
        code = b" ".join(lines[number - 1].split()) if 0 < number <= len(lines) else message.encode("utf-8", "replace")
        parts = (kind, location.get("function") or "", os.path.basename(location["file"] or ""))
        own = [*(part.encode("utf-8", "surrogateescape") for part in parts), code]
        digest = hashlib.sha256(b"\0".join(own)).hexdigest()[:32]
        self._seen[digest] += 1
        return f"{digest}:{self._seen[digest]}"
