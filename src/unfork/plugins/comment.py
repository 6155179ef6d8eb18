"""The result of a run or a scan as a comment on a pull request: python -m unfork.plugins.comment RUN_DIR."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from unfork.cli.streams import complain, say
from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.report.record.directory import WriteFailed
from unfork.report.record.kept_run import SCAN, read_exploration, read_run
from unfork.report.record.scans import reported
from unfork.report.record.text import meaning_of, plural
from unfork.report.record.verdict import EXIT_SAFE, EXIT_UNUSABLE

MARK = "<!-- unfork -->"
"""The line by which the comment is found, to be replaced."""
_MOST = 20
_MEANT = "<>&\"'\\`*_{}[]()#+!|~@$"


def comment(summary: Mapping[str, Any]) -> str:
    """Verdict, coverage and findings in Markdown. No text of the program is read as Markdown or HTML."""
    if "findings" in summary:
        return _scanned(summary)
    lines = [MARK, f"### unfork: {summary['verdict']}", "", f"{meaning_of(summary['verdict']).capitalize()}.", ""]
    if summary["coverage"] is not None:
        lines += ["| covered | | of | |", "| --- | ---: | ---: | ---: |"]
        lines += [_row(what, summary["coverage"][what]) for what in ("branches", "lines")]
        lines.append("")
    lines += _list(summary["errors"], "Errors, each replayed from its test")
    lines += _list(summary["alarms"], "Alarms, which did not replay")
    paths = f"{plural(summary['paths']['completed'], 'path')}, {plural(summary['tests'], 'test')}"
    lines.append(f"{paths}, {summary['seconds']:.1f} s; <code>{_plain(' '.join(summary['program']))}</code>")
    return "\n".join(lines) + "\n"


def _scanned(data: Mapping[str, Any]) -> str:
    """The findings of a scan that are certain and not in the baseline."""
    lines = [MARK, f"### unfork scan: {data['verdict']}", ""]
    lines += ["| functions | explored completely | in part | not |", "| ---: | ---: | ---: | ---: |"]
    extents = Counter(each["explored"] for each in data["functions"])
    counts = [len(data["functions"]), *(extents[word] for word in ("all", "part", "not"))]
    lines += [f"| {' | '.join(f'{count:,}' for count in counts)} |", ""]
    lines += _list(reported(data), "Certain, each with a C program that fails by itself")
    known, ignored = sum(1 for each in data["findings"] if each["known"]), len(data["ignored"])
    lines.append(f"{known:,} more in the baseline, {ignored:,} ignored, {data['seconds']:.1f} s")
    return "\n".join(lines) + "\n"


def _row(what: str, counts: Mapping[str, int]) -> str:
    covered, total = counts["covered"], counts["total"]
    return f"| {what} | {covered:,} | {total:,} | {100 * covered / max(total, 1):.0f} % |"


def _list(findings: Sequence[Mapping[str, Any]], title: str) -> list[str]:
    lines = [f"{title}:", ""] if findings else []
    for finding in findings[:_MOST]:
        file, line, function = finding["file"], finding["line"], finding["function"]
        location = _plain(f"{file}:{line}" if file is not None else function or "unknown place")
        lines.append(f"- {finding['kind']} at <code>{location}</code>: <code>{_plain(finding['message'])}</code>")
    more = len(findings) - _MOST
    lines += [f"- and {more:,} more"] * (more > 0)
    return [*lines, ""] if lines else []


def _plain(text: str) -> str:
    """The text with the characters that Markdown or HTML would interpret written as numbers."""
    return "".join(f"&#{ord(each)};" if each in _MEANT else each for each in escape_text(text))


def main(words: Sequence[str]) -> int:
    """Print the comment of a run. Returns the exit status."""
    if len(words) != 1:
        complain("usage: python -m unfork.plugins.comment RUN_DIR")
        return EXIT_UNUSABLE
    try:
        root = Path(words[0])
        say(comment((read_run(root) if (root / SCAN).is_file() else read_exploration(root)).summary))
    except (InputError, WriteFailed) as problem:
        complain(f"unfork.plugins.comment: {escape_text(str(problem))}")
        return EXIT_UNUSABLE
    return EXIT_SAFE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
