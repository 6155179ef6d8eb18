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
    **dict.fromkeys((120, 121, 122, 124, 125, 126, 127, 129, 131, 170, 193, 786, 787, 788, 805, 806), "out-of-bounds"),
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
    (r"string.?null|unterminated", "out-of-bounds"),
    (r"null", "null-dereference"),
    (r"uninit|undefined.?(?:assign|binary)|garbage", "uninitialised"),
    (r"div|zero", "div-by-zero"),
    (r"shift", "shift"),
    (r"(?:integer|signed|arith)\w*.?(?:over|under)flow", "overflow"),
    (r"bound|overrun|overread|overflow|underrun|underflow", "out-of-bounds"),
)
"""Words in the names of rules that say a kind, the narrower first."""
_SENTENCES = (
    (r"leak", "leak"),
    (r"free(?:d| released memory| the same)\b.*\b(?:twice|again)|attempt to free released", "double-free"),
    (r"after (?:it is |being |it was )?(?:freed|free|released|deallocat)", "use-after-free"),
    (r"null pointer", "null-dereference"),
    (r"uninitiali[sz]ed|garbage value", "uninitialised"),
    (r"division by zero|divide by zero", "div-by-zero"),
    (r"out.of.bounds?|buffer over", "out-of-bounds"),
)
"""Words of messages that say a kind, if neither a weakness nor the rule does."""
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
            rule = rules.get(name, {})
            about = json.dumps([rule, result.get("properties", {}), *_taxa(rule, result)])
            file = _file(bases.get(uri.get("uriBaseId", ""), ""), uri["uri"])
            yield LineClaim(file, int(line), kind_of(name, about, said), said, name)


def _taxa(rule: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[str]:
    """The weaknesses that a result, or its rule, refers to, such as "CWE-787"."""
    for each in [*result.get("taxa", []), *[each.get("target", {}) for each in rule.get("relationships", [])]]:
        name = str(each.get("toolComponent", {}).get("name", ""))
        yield f"{name}-{str(each.get('id', '')).upper().removeprefix('CWE-')}"


def kind_of(rule: str, about: str, said: str = "") -> str:
    """The kind that a rule of another tool is about, by the weakness that is named with it, by its name, or by what it
    says; ANY.
    """
    if rule in RULES:
        return rule
    for number in _WEAKNESS.findall(f"{rule} {about}"):
        if int(number) in _WEAKNESSES:
            return _WEAKNESSES[int(number)]
    named = (kind for words, kind in _WORDS if re.search(words, rule, re.I))
    return next(named, next((kind for words, kind in _SENTENCES if re.search(words, said, re.I)), ANY))


def _file(base: str, uri: str) -> str:
    parts = urlsplit(uri)
    if parts.scheme == "file" or uri.startswith("/"):
        return unquote(parts.path)
    folder = urlsplit(base)
    return unquote(f"{folder.path if folder.scheme == 'file' else ''}{parts.path}")
