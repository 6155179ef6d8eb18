"""Text from the analysed program, made safe to show: control characters become visible, on a single line."""

from __future__ import annotations

import unicodedata

_UNSAFE = frozenset(["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])
_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\"}


def escape_text(text: str) -> str:
    """``text`` on one line, with every control, format or unassigned character as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escape(character) if unicodedata.category(character) in _UNSAFE else character for character in text
    )


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def quote_bytes(data: bytes) -> str:
    """Bytes as a string in double quotes on one line, as in C."""
    out = []
    for byte in data:
        escape = _ESCAPES.get(byte)
        out.append(escape if escape is not None else chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}")
    return '"' + "".join(out) + '"'


def c_string(text: str) -> str:
    """``text`` as a C string literal."""
    return c_text(text.encode("utf-8", "surrogateescape"))


def c_text(data: bytes) -> str:
    """Bytes as a C string literal."""
    out = []
    for byte in data:
        character = chr(byte)
        out.append(character if 0x20 <= byte < 0x7F and character not in '"\\?' else f"\\{byte:03o}")
    return '"' + "".join(out) + '"'


def c_comment(text: str) -> str:
    """``text`` so that it neither ends nor opens a comment."""
    return escape_text(text).replace("*/", "*\\/").replace("/*", "/\\*")
