"""The standard streams that stand for a caller's ``FILE *``: one to read, which holds anything, and one to write."""

from __future__ import annotations

_TYPE = "struct _IO_FILE"
"""The type that musl's headers declare for ``FILE``: without members in C, with one character in C++."""
STREAMS = {"stdin": "__stdin_FILE", "stdout": "__stdout_FILE"}
"""Streams by their names in C, in the order in which they are tried, with their linker names in musl."""
TEXT = "".join(
    f"extern const char {symbol}[];\n__attribute__((used)) static const void *const unfork_{name} = {symbol};\n"
    for name, symbol in STREAMS.items()
)
"""C that links the streams into a program."""


def is_stream(name: str, size: int) -> bool:
    """Whether a type is the ``FILE`` of musl's headers, of which only musl knows the members."""
    return name == _TYPE and size <= 1
