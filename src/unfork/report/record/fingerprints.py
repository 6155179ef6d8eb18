"""By what a finding is known again in another version of its program."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Lines = Callable[[str], Sequence[bytes]]
"""The lines of a source file, by its name; none if it cannot be read."""


class Fingerprints:
    """Names findings so that each keeps its name as long as function and line of code read the same, wherever in the
    file the line is. Of several that read the same, each has a number.
    """

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._seen: Counter[str] = Counter()

    def of(self, kind: str, message: str, location: Mapping[str, Any]) -> str:
        """The name of a finding, whose ``message`` counts where the text of its line is not known."""
        lines = () if location["file"] is None else self._lines(location["file"])
        number = location["line"] or 0
        code = b" ".join(lines[number - 1].split()) if 0 < number <= len(lines) else message.encode("utf-8", "replace")
        parts = (kind, location.get("function") or "", os.path.basename(location["file"] or ""))
        own = [*(part.encode("utf-8", "surrogateescape") for part in parts), code]
        digest = hashlib.sha256(b"\0".join(own)).hexdigest()[:32]
        self._seen[digest] += 1
        return f"{digest}:{self._seen[digest]}"
