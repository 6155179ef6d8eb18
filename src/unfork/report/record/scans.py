"""The results of a scan as lines of a terminal: findings, then how far functions were explored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unfork.program.c.escape import escape_text
from unfork.report.record.text import clipped, plural

_ROWS = 30
"""The most functions listed."""
_NAMED = 8
"""The most functions named that were not looked at."""
_LONGEST_NAME, _LONGEST_REMARK = 32, 100
EXTENTS = {"not": "not", "part": "in part", "all": "completely"}
"""How far a function was explored; the worst is first."""


def reported(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The reported findings: certain, and not in the baseline."""
    return [each for each in data["findings"] if each["certainty"] == "certain" and not each["known"]]


def finding_lines(data: Mapping[str, Any], directory: str) -> Iterator[str]:
    """The reported findings, and those that are likely: each with the reason for its class and its C program."""
    for each in [*reported(data), *_of_class(data, "likely")]:
        yield f"{_place(each)}: {each['kind']}: {escape_text(each['message'])} in {escape_text(each['function'])}"
        others = len(each["reached_from"]) - 1
        more = f" ({plural(others, 'other function')} reached it, too)" if others else ""
        how_far = f"; {each['followed']}" if each["followed"] else ""
        yield f"    {each['certainty']}: {escape_text(each['reason'] + more + how_far)}"
        yield f"    {escape_text(os.path.normpath(os.path.join(directory, each['reproducer'])))}"


def _failures(failures: Sequence[Mapping[str, Any]], directory: str) -> Iterator[str]:
    """What fails if an allocation, or a call of the system, does."""
    if failures:
        yield "if an allocation or a call of the system fails:"
    for each in failures:
        yield f"  {_place(each)}: {each['kind']}: {escape_text(each['message'])} in {escape_text(each['function'])}"
        yield f"    {escape_text(os.path.normpath(os.path.join(directory, each['test'])))}"


def _of_class(data: Mapping[str, Any], certainty: str) -> list[Mapping[str, Any]]:
    return [each for each in data["findings"] if each["certainty"] == certainty]


def _place(finding: Mapping[str, Any]) -> str:
    return f"{escape_text(finding['file'] or '?')}:{finding['line']}"


def _undecided(data: Mapping[str, Any], directory: str) -> Iterator[str]:
    """The findings that could not be decided, with the reason."""
    undecided = _of_class(data, "undecided")
    for each in undecided[:_ROWS]:
        words = f"{each['kind']} in {escape_text(each['function'])}: {escape_text(each['reason'])}"
        yield f"undecided: {_place(each)}: {clipped(words, _LONGEST_REMARK)}"
    if len(undecided) > _ROWS:
        yield f"and {len(undecided) - _ROWS:,} more undecided: unfork report {escape_text(directory)}"


def scan_lines(data: Mapping[str, Any], directory: str) -> list[str]:
    """All lines, from the data of scan.json."""
    functions = data["functions"]
    lines = [*finding_lines(data, directory)]
    lines += _failures(data["failures"], directory)
    lines += [f"ignored: {_ignored(each)}" for each in data["ignored"]]
    lines += [escape_text(line) for line in data["comments"]["unmatched"]]
    lines += [f"left out: {escape_text(line)}" for line in data["left_out"]]
    lines += _undecided(data, directory)
    lines += _table(functions, directory)
    lines += _not_looked_at(data["not_looked_at"])
    lines.append(_extents(data))
    lines.append(_counts(data, directory))
    return lines


def _not_looked_at(names: Sequence[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        yield f"not looked at: {escape_text(', '.join(names[:_NAMED]))}{more}"


def _extents(data: Mapping[str, Any]) -> str:
    """How far functions were explored, and how many not at all."""
    functions = data["functions"]
    counts = {word: sum(1 for each in functions if each["explored"] == word) for word in EXTENTS}
    extents = f"{counts['all']} explored completely, {counts['part']} in part, {counts['not']} not"
    taken = f"; {data['kept']:,} as kept from before" if data["kept"] else ""
    left = data["unscanned"]
    of = f" of {plural(len(functions) + left, 'function')}" if left else ""
    done = f"{len(functions):,}{of}" if left else plural(len(functions), "function")
    return f"{done}: {extents}, in {data['seconds']:.1f} s{taken}"


def _counts(data: Mapping[str, Any], directory: str) -> str:
    """How many findings there are of each class."""
    known = len(_of_class(data, "certain")) - len(reported(data))
    rest = [plural(len(reported(data)), "certain finding")]
    rest += [f"{known:,} in the baseline"] * (known > 0) + [f"{len(data['ignored']):,} ignored"] * bool(data["ignored"])
    rest += [f"{len(_of_class(data, word)):,} {word}" for word in ("likely",) if _of_class(data, word)]
    rest.append(f"{len(_of_class(data, 'conditional')):,} that the callers must rule out")
    rest += [f"{len(_of_class(data, 'undecided')):,} undecided"] * bool(_of_class(data, "undecided"))
    rest += [f"{len(data['failures']):,} if a call fails"] * bool(data["failures"])
    rest += [f"{len(data['excluded']):,} that all callers exclude"] * bool(data["excluded"])
    if data["is_cut"]:
        left = f"{plural(data['unscanned'], 'function')} not looked at" if data["unscanned"] else "not all was done"
        rest.append(f"{left}: the time was over")
    return f"{', '.join(rest)}, in {escape_text(directory)}"


def _ignored(finding: Mapping[str, Any]) -> str:
    where = f"{_place(finding)}: {finding['kind']}"
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
        said += [f"undecided: {each['undecided']:,}"] * bool(each["undecided"])
        row = f"{EXTENTS[each['explored']]:<10}  {share:>8}  {escape_text(each['name']):<{width}}"
        yield f"{row}  {clipped(escape_text('; '.join(said)), _LONGEST_REMARK)}".rstrip()
    if len(functions) > _ROWS:
        yield f"and {len(functions) - _ROWS:,} more: unfork report {escape_text(directory)}"
