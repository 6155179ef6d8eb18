"""Reads dictionaries of fuzzers: a line for each word, NAME="WORD" or "WORD", with \\xNN, \\\\ and \\" in it."""

from __future__ import annotations

import re
from pathlib import Path

from unfork.errors import InputError

LONGEST = 64
"""The most bytes of a word; longer ones are left out."""
_LINE = re.compile(rb'[^"]*"(.*)"')
"""A quote within needs no backslash, as for libFuzzer."""
_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|(.))", re.S)


def read(file: Path) -> tuple[Path, list[bytes]]:
    """The file, and its words. Raises InputError."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise InputError(f"--dictionary {file}: cannot be read ({error.strerror})") from None
    words = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith(b"#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(f"--dictionary {file}:{number}: not a word in quotes")
        words.append(_ESCAPE.sub(_byte, match[1]))
    return file, [word for word in words if 0 < len(word) <= LONGEST]


def _byte(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)]) if match[1] else match[2]
