"""Where the headers of a folder are that has no compile_commands.json: found by the names that its files include."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

HEADERS = frozenset((".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".inl", ".ipp"))
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)


def header_flags(files: Iterable[Path], headers: Sequence[Path]) -> tuple[str, ...]:
    """Flags by which ``files`` and ``headers`` find the headers among these that they include and that are not beside
    them. A name that several headers end with is left alone. What the system has under a name in <> comes first.
    """
    of_name: dict[str, list[Path]] = defaultdict(list)
    for header in headers:
        of_name[header.name].append(header)
    found: dict[tuple[str, str], None] = {}
    for file in (*files, *headers):
        for quote, name in included(file):
            folder = _folder_of(name, of_name)
            if folder is not None and not (quote == '"' and (file.parent / name).is_file()):
                found["-iquote" if quote == '"' else "-idirafter", str(folder)] = None
    return tuple([word for pair in found for word in pair])


def included(file: Path) -> list[tuple[str, str]]:
    """The names that a file includes, each with the quote before it; comments that say so count, too."""
    try:
        text = file.read_bytes()
    except OSError:
        return []
    return [(quote.decode(), name.decode("utf-8", "replace")) for quote, name in _INCLUDE.findall(text)]


def _folder_of(name: str, of_name: dict[str, list[Path]]) -> Path | None:
    """The folder in which an included name is the name of one header alone."""
    parts = PurePosixPath(name).parts
    fitting = [path for path in of_name.get(parts[-1], ()) if path.parts[-len(parts) :] == parts] if parts else []
    return Path(*fitting[0].parts[: -len(parts)]) if len(fitting) == 1 else None
