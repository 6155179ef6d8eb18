"""The results of a scan as lines of a terminal: findings, then how far functions were explored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unfork.program.c.escape import escape_text
from unfork.report.record.text import clipped, plural

_ROWS = 30
"""The most functions listed."""
_LONGEST_NAME, _LONGEST_REMARK = 32, 100
EXTENTS = {"not": "not", "part": "in part", "all": "completely"}
"""How far a function was explored; the worst is first."""


def reported(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The reported findings: certain, and not in the baseline."""
    return [each for each in data["findings"] if each["certainty"] == "certain" and not each["known"]]


def finding_lines(data: Mapping[str, Any], directory: str) -> Iterator[str]:
    """The reported findings, each with the reason for its certainty and its C program."""
    for each in reported(data):
        where = f"{escape_text(each['file'] or '?')}:{each['line']}"
        yield f"{where}: {each['kind']}: {escape_text(each['message'])} in {escape_text(each['function'])}"
        others = len(each["reached_from"]) - 1
        more = f" ({plural(others, 'other function')} reached it, too)" if others else ""
        yield f"    certain: {escape_text(each['reason'] + more)}"
        yield f"    {escape_text(os.path.normpath(os.path.join(directory, each['reproducer'])))}"


def scan_lines(data: Mapping[str, Any], directory: str) -> list[str]:
    """All lines, from the data of scan.json."""
    functions = data["functions"]
    lines = [*finding_lines(data, directory)]
    lines += [f"ignored: {_ignored(each)}" for each in data["ignored"]]
    lines += [escape_text(line) for line in data["comments"]["unmatched"]]
    lines += [f"left out: {escape_text(line)}" for line in data["left_out"]]
    lines += _table(functions, directory)
    counts = {word: sum(1 for each in functions if each["explored"] == word) for word in EXTENTS}
    extents = f"{counts['all']} explored completely, {counts['part']} in part, {counts['not']} not"
    taken = f"; {data['kept']:,} as kept from before" if data["kept"] else ""
    lines.append(f"{plural(len(functions), 'function')}: {extents}, in {data['seconds']:.1f} s{taken}")
    certain = sum(1 for each in data["findings"] if each["certainty"] == "certain")
    known = certain - len(reported(data))
    rest = [plural(len(reported(data)), "certain finding")]
    rest += [f"{known:,} in the baseline"] * (known > 0) + [f"{len(data['ignored']):,} ignored"] * bool(data["ignored"])
    rest.append(f"{len(data['findings']) - certain:,} that the callers must rule out")
    lines.append(f"{', '.join(rest)}, in {escape_text(directory)}")
    return lines


def _ignored(finding: Mapping[str, Any]) -> str:
    where = f"{escape_text(finding['file'])}:{finding['line']}: {finding['kind']}"
    return f"{where} in {escape_text(finding['function'])}: {escape_text(finding['ignored'])}"


def _table(functions: Sequence[Mapping[str, Any]], directory: str) -> Iterator[str]:
    order = list(EXTENTS)

    def rank(row: Mapping[str, Any]) -> tuple[int, bool, str, int]:
        return order.index(row["explored"]), not row["preconditions"], row["file"], row["line"]

    ranked = sorted(functions, key=rank)  # and not by which worker ended first
    shown = ranked[:_ROWS]
    if not shown:
        return
    width = max(len("function"), *(min(len(escape_text(each["name"])), _LONGEST_NAME) for each in shown))
    yield "explored    branches  function"
    for each in shown:
        branches = each["branches"]
        share = f"{branches['covered']}/{branches['total']}" if each["explored"] != "not" else "-"
        said = [each["reason"]] * bool(each["reason"])
        said += [f"requires: {'; '.join(each['preconditions'])}"] * bool(each["preconditions"])
        row = f"{EXTENTS[each['explored']]:<10}  {share:>8}  {escape_text(each['name']):<{width}}"
        yield f"{row}  {clipped(escape_text('; '.join(said)), _LONGEST_REMARK)}".rstrip()
    if len(functions) > _ROWS:
        yield f"and {len(functions) - _ROWS:,} more: unfork report {escape_text(directory)}"
