"""What unfork verify prints: the obligations of each function, and how they ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unfork.clang.escape import shown

_WORDS = {"proved": "proved", "open": "OPEN", "unknown": "unknown"}


def proof_lines(summary: Mapping[str, Any], directory: str) -> list[str]:
    """The lines for a reader, from the data of summary.json, and where that is."""
    is_conditional = summary["verdict"] == "safe" and summary["assumptions"]
    condition = ", if what is assumed is true" if is_conditional else ""
    lines = [line for proof in summary["functions"] for line in table(proof)]
    return [*lines, f"verdict: {summary['verdict']}{condition} ({directory})"]


def table(proof: Mapping[str, Any]) -> list[str]:
    """The lines about the proof of one function."""
    cached = ", as before" if proof["cached"] else ""
    lines = [f"{proof['function']}: {proof['verdict']} ({_counted(proof)}, {proof['seconds']:.1f} s{cached})"]
    lines += _rows(proof["obligations"])
    audit = proof["audit"]
    if any(audit.values()):
        lines.append(
            f"  proved again by the other solver: {audit['confirmed']}; it did not say: {audit['unconfirmed']}"
        )
    broken = proof["counterexample"]
    if broken is not None:
        where = f"{broken['file']}:{broken['line']}"
        lines.append(f"  {shown(broken['call'])}")
        lines.append(f"  breaks {broken['kind']} at {shown(where)}: {shown(broken['text'])}")
    lines += [f"  not proved: {shown(reason)}" for reason in proof["reasons"]]
    lines += [f"  assumed, not proved: {shown(assumption)}" for assumption in proof["assumptions"]]
    return lines


def is_broken(proof: Mapping[str, Any], obligation: Mapping[str, Any]) -> bool:
    """Whether the call that breaks a function's contract breaks this obligation."""
    broken = proof["counterexample"]
    return broken is not None and (obligation["text"], obligation["line"]) == (broken["text"], broken["line"])


def _counted(proof: Mapping[str, Any]) -> str:
    proved = sum(each["ending"] == "proved" for each in proof["obligations"])
    return f"{proved} of {len(proof['obligations'])} obligations proved"


def _rows(obligations: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = []
    for each in obligations:
        by = ", ".join(sorted(each["by"])) or "simplifying"
        place = f"line {each['line']}" if each["line"] else ""
        ending = _WORDS[each["ending"]]
        rows.append((ending, each["kind"], place, shown(each["text"]), by, f"{each['seconds']:.2f} s", each["detail"]))
    widths = [max([len(row[column]) for row in rows], default=0) for column in range(6)]
    widths[3] = min(widths[3], 60)
    lines = []
    for row in rows:
        text = row[3] if len(row[3]) <= 60 else row[3][:57] + "..."
        cells = [row[0], row[1], row[2], text, row[4], row[5]]
        padded = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        lines.append(f"  {padded}")
        lines += [f"      {shown(line)}" for line in row[6].splitlines()]
    return lines
