"""Errors in gcc's form, FILE:LINE:COLUMN: error: TEXT [KIND], for the problem matchers of editors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unfork.program.c.escape import escape_text
from unfork.report.record.kept_run import KeptRun


def write(run: KeptRun) -> bytes:
    """A line for each error, alarm, broken contract and certain finding."""
    return "".join(f"{line}\n" for line in lines(run.summary)).encode("utf-8", "backslashreplace")


def lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """The lines, from the data of summary.json or scan.json."""
    if "findings" in summary:
        for finding in summary["findings"]:
            if finding["certainty"] == "certain":
                yield _line(finding, "error", str(finding["message"]), finding["kind"])
        return
    for finding in summary.get("errors", ()):
        yield _line(finding, "error", str(finding["message"]), finding["kind"])
    for finding in summary.get("alarms", ()):
        yield _line(finding, "warning", f"{finding['message']} ({finding['reason']})", finding["kind"])
    for proof in summary.get("functions", ()):
        broken = proof["counterexample"]
        if broken is not None:
            yield _line(broken, "error", f"{broken['text']}, broken by {broken['call']}", broken["kind"])


def _line(finding: Mapping[str, Any], grade: str, text: str, kind: str) -> str:
    if finding["file"] is None:
        return f"{grade}: {escape_text(text)} [{kind}]"
    column = f":{finding['column']}" if finding.get("column") else ""
    return f"{escape_text(finding['file'])}:{finding['line']}{column}: {grade}: {escape_text(text)} [{kind}]"
