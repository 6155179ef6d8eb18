"""The C sources of a run, as they are now, and whether they still are what the run saw."""

from __future__ import annotations

import hashlib
import stat
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from unfork.page.highlight import Piece, highlighted
from unfork.program.escape import shown

SAME, CHANGED, UNKNOWN, MISSING = "same", "changed", "unknown", "missing"
_LARGEST = 4 << 20
"""Bytes; a larger source is not shown."""
_TAB = 8
_PICTURES = 0x2400
"""The first of the characters that picture control characters."""


def sources(names: Iterable[str], checksums: Mapping[str, str]) -> list[dict[str, Any]]:
    """The files as data of the page; ``checksums`` are the MD5 sums that the compiler noted, by name."""
    return [_source(name, checksums.get(name)) for name in names]


def _source(name: str, checksum: str | None) -> dict[str, Any]:
    try:
        data = _read(Path(name))
    except (OSError, ValueError) as problem:
        reason = (problem.strerror if isinstance(problem, OSError) else None) or str(problem)
        return {"name": shown(name), "status": MISSING, "note": f"cannot be read: {shown(reason)}", "lines": []}
    status, note = UNKNOWN, "the run kept no checksum of it, so it may have changed since"
    if checksum is not None:
        same = hashlib.md5(data, usedforsecurity=False).hexdigest() == checksum
        status, note = (SAME, "") if same else (CHANGED, "has changed since the run: figures may stand at other lines")
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = [_visible(line) for line in highlighted(text)]
    if lines and not lines[-1]:
        lines.pop()
    return {"name": shown(name), "status": status, "note": note, "lines": lines}


def _read(path: Path) -> bytes:
    """What is in a file that the program names (#line): it may be anything. Raises OSError, and ValueError."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("it is no file")
    if about.st_size > _LARGEST:
        raise ValueError("it is too large")
    return path.read_bytes()


def _visible(line: list[Piece]) -> list[str]:
    """Sorts and texts in turn. Tabs become spaces; control and format characters become pictures or escapes."""
    column = 0
    pieces: list[str] = []
    for sort, text in line:
        out = []
        for character in text:
            seen = _seen(character, column)
            column += len(seen)
            out.append(seen)
        pieces += [sort, "".join(out)]
    return pieces


def _seen(character: str, column: int) -> str:
    if character == "\t":
        return " " * (_TAB - column % _TAB)
    if ord(character) < 0x20:
        return chr(_PICTURES + ord(character))
    return shown(character) if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn") else character
