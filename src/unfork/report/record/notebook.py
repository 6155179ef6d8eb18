"""Results of a run or of proofs as HTML for a notebook, with escaped text and no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from unfork.program.c.escape import escape_text
from unfork.report.record.findings import Finding, error_text, location
from unfork.report.record.text import final_lines, meaning_of, plural, proof_table

_MOST = 20
"""The most errors shown; the run directory has the others."""


def run_html(summary: Mapping[str, Any], errors: Sequence[Finding], alarms: Sequence[Finding], directory: str) -> str:
    """A run: verdict, coverage, errors that fold out, and the other final lines."""
    parts = [_verdict(summary["verdict"], meaning_of(summary["verdict"]))]
    if summary["coverage"] is not None:
        parts.append(_row("".join(_meter(what, summary["coverage"][what]) for what in ("branches", "lines"))))
    parts += [_finding(error, "") for error in errors[:_MOST]]
    parts += [_finding(alarm, "alarm: ") for alarm in alarms[:_MOST]]
    more = max(len(errors) - _MOST, 0) + max(len(alarms) - _MOST, 0)
    parts += [_row(f"and {plural(more, 'finding')} more")] * bool(more)
    lines = final_lines({**summary, "errors": (), "alarms": ()}, directory)
    return _whole([*parts, _details("the run", "\n".join(lines))])


def proofs_html(summary: Mapping[str, Any]) -> str:
    """Proofs: the verdict, and the obligations of each function, which fold out."""
    parts = [_verdict(summary["verdict"], plural(len(summary["functions"]), "function"))]
    for proof in summary["functions"]:
        lines = proof_table(proof)
        parts.append(_details(lines[0], "\n".join(lines[1:])))
    return _whole(parts)


def _whole(parts: Sequence[str]) -> str:
    return "<div>" + "".join(parts) + "</div>"


def _verdict(word: str, meaning: str) -> str:
    return _row(f"<b>{escape(word)}</b> ({escape(meaning)})")


def _row(inside: str) -> str:
    return f"<div>{inside}</div>"


def _meter(what: str, counts: Mapping[str, int]) -> str:
    covered, total = counts["covered"], counts["total"]
    return f'{what} {covered:,}/{total:,} <meter min="0" max="{max(total, 1)}" value="{covered}"></meter> '


def _finding(finding: Finding, kind: str) -> str:
    head = f"{kind}{finding.kind} at {location(finding)}: {escape_text(finding.message)}"
    return _details(head, error_text(finding))


def _details(head: str, text: str) -> str:
    return f"<details><summary>{escape(head)}</summary><pre>{escape(text)}</pre></details>"
