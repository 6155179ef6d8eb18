"""The part of YAML that witnesses are written in: mappings, lists and scalars, in blocks or as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from unfork.errors import InputError

_KEY = re.compile(r"([A-Za-z_][\w.\-]*|\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')[ \t]*:(?:[ \t]+|$)")
_DEEPEST = 200
"""Columns by which blocks may be indented, and brackets in a row."""
_WIDE = re.compile(r"\\(?:U([0-9a-fA-F]{8})|.)")
_NUMBER = re.compile(r"-?\d+")
_FLOW = re.compile(r"\s*(?:([\[\]{},:])|(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')|([^\[\]{},:\s][^\[\]{},:]*))")


def written(data: Any) -> str:
    """The text of mappings, lists, strings and numbers; every string is quoted as in JSON."""
    return "".join(f"{line}\n" for line in _lines(data))


def _lines(data: Any) -> Iterator[str]:
    if isinstance(data, dict) and data:
        for key, value in data.items():
            name = key if re.fullmatch(r"[A-Za-z_]\w*", key) else _quoted(key)
            if isinstance(value, dict | list) and value:
                yield f"{name}:"
                yield from (f"  {line}" for line in _lines(value))
            else:
                yield f"{name}: {_scalar_text(value)}"
    elif isinstance(data, list) and data:
        for value in data:
            for number, line in enumerate(_lines(value)):
                yield f"{'  ' if number else '- '}{line}"
    else:
        yield _scalar_text(data)


def _scalar_text(value: Any) -> str:
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """As in JSON, but that YAML has no pairs of surrogates."""
    return '"' + "".join(f"\\U{ord(each):08x}" if ord(each) > 0xFFFF else json.dumps(each)[1:-1] for each in text) + '"'


def _unquoted(text: str) -> str:
    """The string in double quotes. Raises ValueError for an escape that JSON lacks."""
    return str(json.loads(_WIDE.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[0], text)))


def read(text: str, name: str) -> Any:
    """The data of a text in this part of YAML. Raises InputError, with the line, for all else."""
    rows = [
        (number, len(line) - len(line.lstrip(" ")), line.strip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#") and line.strip() not in ("---", "...")
    ]
    reader = _Reader(rows, name)
    return reader.all()


class _Reader:
    """Reads rows (line number, indentation, text) from the first to the last."""

    def __init__(self, rows: list[tuple[int, int, str]], name: str) -> None:
        self._rows = rows
        self._name = name
        self._at = 0

    def all(self) -> Any:
        if not self._rows:
            return None
        data = self._block(self._rows[0][1])
        if self._at < len(self._rows):
            raise self._refused("indentation")
        return data

    def _block(self, indent: int) -> Any:
        """The mapping, list or scalar whose rows begin at ``indent``."""
        text = self._rows[self._at][2]
        if indent > _DEEPEST:
            raise self._refused("nested too deep")
        if text == "-" or text.startswith("- "):
            return self._list(indent)
        if _KEY.match(text):
            return self._mapping(indent)
        self._at += 1
        return self._scalar(text)

    def _list(self, indent: int) -> list[Any]:
        items = []
        while self._is_at(indent) and (self._rows[self._at][2] == "-" or self._rows[self._at][2].startswith("- ")):
            number, _, text = self._rows[self._at]
            rest = text[1:].lstrip()
            if rest:
                inner = indent + len(text) - len(rest)
                self._rows[self._at] = (number, inner, rest)
                items.append(self._block(inner))
            else:
                self._at += 1
                items.append(self._below(indent))
        return items

    def _mapping(self, indent: int) -> dict[str, Any]:
        items: dict[str, Any] = {}
        while self._is_at(indent) and (key := _KEY.match(self._rows[self._at][2])):
            rest = self._rows[self._at][2][key.end() :]
            self._at += 1
            items[str(self._scalar(key[1]))] = self._scalar(rest) if rest else self._below(indent, is_key=True)
        return items

    def _below(self, indent: int, is_key: bool = False) -> Any:
        """What stands on the rows below a key or a dash; a list may begin right under its key."""
        if self._at < len(self._rows):
            _, inner, text = self._rows[self._at]
            if inner > indent or (is_key and inner == indent and (text == "-" or text.startswith("- "))):
                return self._block(inner)
        return None

    def _is_at(self, indent: int) -> bool:
        return self._at < len(self._rows) and self._rows[self._at][1] == indent

    def _scalar(self, text: str) -> Any:
        if text[0] in "[{":
            return self._flow(text)
        if text[0] in "\"'":
            return self._quoted(text)
        text = text.partition(" #")[0].rstrip()
        if text[0] in "|>&*!%@`":
            raise self._refused(text[0])
        if _NUMBER.fullmatch(text):
            return int(text)
        return {"true": True, "false": False, "null": None, "~": None}.get(text, text)

    def _quoted(self, text: str) -> str:
        closed = re.fullmatch(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')(?:\s+#.*)?", text)
        if closed is None:
            raise self._refused("a string that goes on")
        if text[0] == "'":
            return closed[1][1:-1].replace("''", "'")
        try:
            return _unquoted(closed[1])
        except ValueError:
            raise self._refused("an escape in a string") from None

    def _flow(self, text: str) -> Any:
        """A mapping or list in brackets, which ends on its line."""
        parts = list(_FLOW.finditer(text))
        if sum(match[1] in ("[", "{") for match in parts) > _DEEPEST:
            raise self._refused("nested too deep")
        data, end = self._flow_value([match[1] or match[2] or match[3].strip() for match in parts], 0)
        if end != len(parts) or "".join(match[0] for match in parts) != text.rstrip():
            raise self._refused("brackets")
        return data

    def _flow_value(self, parts: list[str], at: int) -> tuple[Any, int]:
        opening = parts[at] if at < len(parts) else ""
        if opening not in ("[", "{"):
            if opening in ("", "]", "}", ",", ":"):
                raise self._refused("brackets")
            return self._scalar(opening), at + 1
        items: list[Any] = []
        keyed: dict[str, Any] = {}
        at += 1
        while at < len(parts) and parts[at] not in ("]", "}"):
            value, at = self._flow_value(parts, at)
            if opening == "{":
                if at >= len(parts) or parts[at] != ":":
                    raise self._refused("brackets")
                keyed[str(value)], at = self._flow_value(parts, at + 1)
            items.append(value)
            at += at < len(parts) and parts[at] == ","
        if at >= len(parts) or parts[at] != ("]" if opening == "[" else "}"):
            raise self._refused("brackets")
        return (items if opening == "[" else keyed), at + 1

    def _refused(self, what: str) -> InputError:
        row = self._rows[min(self._at, len(self._rows)) - 1][0] if self._at else 1
        return InputError(f"{self._name}:{row}: not the YAML that witnesses are written in ({what})")
