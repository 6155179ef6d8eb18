"""Claims that code fails at a line: a user's, or the results of another tool in its SARIF file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from unfork.errors import InputError
from unfork.report.formats.error_rules import RULES

ANY = ""
"""The kind of a claim that names none."""
_WEAKNESSES: Mapping[int, str] = {
    **{rule.weakness: kind for kind, rule in reversed(list(RULES.items()))},
    **dict.fromkeys((120, 121, 122, 124, 125, 126, 127, 129, 131, 193, 787, 788, 805), "out-of-bounds"),
    **dict.fromkeys((690, 395), "null-dereference"),
    **dict.fromkeys((672, 825), "use-after-free"),
    **dict.fromkeys((824, 908, 909), "uninitialised"),
    **dict.fromkeys((772, 775), "leak"),
    **dict.fromkeys((761, 762, 763), "invalid-free"),
    **dict.fromkeys((191, 680), "overflow"),
    617: "assert",
}
"""Kinds by their numbers in the Common Weakness Enumeration, and by those of narrower weaknesses."""
_WORDS = (
    (r"double.?free", "double-free"),
    (r"use.?after|dealloc|dangling", "use-after-free"),
    (r"leak", "leak"),
    (r"null", "null-dereference"),
    (r"uninit|undefined.?(?:assign|binary)|garbage", "uninitialised"),
    (r"div|zero", "div-by-zero"),
    (r"shift", "shift"),
    (r"(?:integer|signed|arith)\w*.?(?:over|under)flow", "overflow"),
    (r"bound|overrun|overread|overflow|underrun|underflow", "out-of-bounds"),
)
"""Words in the names of rules that say a kind, the narrower first."""
_WEAKNESS = re.compile(r"cwe[-_/ ]*0*(\d+)", re.I)


@dataclass(frozen=True, slots=True)
class LineClaim:
    """A line, the ``kind`` of failure (ANY: any), and what the tool said."""

    file: str
    line: int
    kind: str
    said: str = ""
    rule: str = ""


def claims_of(path: Path) -> list[LineClaim]:
    """The results of a SARIF file that have a line. Raises InputError."""
    try:
        data = json.loads(path.read_text("utf-8-sig"))
        return [claim for run in data["runs"] for claim in _of_run(run)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as problem:
        raise InputError(f"--sarif {path}: is no SARIF file ({problem})") from None


def _of_run(run: Mapping[str, Any]) -> Iterator[LineClaim]:
    rules = {rule["id"]: rule for rule in run.get("tool", {}).get("driver", {}).get("rules", [])}
    bases = {name: base.get("uri", "") for name, base in (run.get("originalUriBaseIds") or {}).items()}
    for result in run.get("results") or []:
        if result.get("kind", "fail") not in ("fail", "review", "open"):
            continue
        for location in result.get("locations", [])[:1]:
            place = location.get("physicalLocation", {})
            line = place.get("region", {}).get("startLine")
            uri = place.get("artifactLocation", {})
            if line is None or "uri" not in uri:
                continue
            name = str(result.get("ruleId", ""))
            said = str(result.get("message", {}).get("text", ""))
            about = json.dumps([rules.get(name, {}), result.get("properties", {}), result.get("taxa", [])])
            file = _file(bases.get(uri.get("uriBaseId", ""), ""), uri["uri"])
            yield LineClaim(file, int(line), kind_of(name, about), said, name)


def kind_of(rule: str, about: str) -> str:
    """The kind that a rule of another tool is about, by the weakness that is named with it, or by its name; ANY."""
    if rule in RULES:
        return rule
    for number in _WEAKNESS.findall(f"{rule} {about}"):
        if int(number) in _WEAKNESSES:
            return _WEAKNESSES[int(number)]
    return next((kind for words, kind in _WORDS if re.search(words, rule, re.I)), ANY)


def _file(base: str, uri: str) -> str:
    parts = urlsplit(uri)
    if parts.scheme == "file" or uri.startswith("/"):
        return unquote(parts.path)
    folder = urlsplit(base)
    return unquote(f"{folder.path if folder.scheme == 'file' else ''}{parts.path}")
