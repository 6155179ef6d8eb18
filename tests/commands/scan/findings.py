"""Results of scans made by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unfork.commands.afterwards.export import open_run
from unfork.commands.scan.judgement import CERTAIN
from unfork.commands.scan.results import Explored, ScanFinding, Texts, as_dict
from unfork.report.record.kept_run import KeptRun

SOURCE = """\
#include <stdlib.h>
int first(int *p) {
  char *q = malloc(3);
  return p[0];
}
int second(int *p) {
  return p[0] + first(p);
}
"""


def found(line: int, kind: str = "null-dereference", certainty: str = CERTAIN, **more: Any) -> ScanFinding:
    """A finding in a.c."""
    fields: dict[str, Any] = {
        "function": "first",
        "message": f"a {kind}",
        "reason": "it is so",
        "precondition": "",
        "stack": [],
        "requires": "",
        "path": (),
        "rule": "every-input",
    }
    files = {"test": "out/functions/0000/tests/000001.json", "reproducer": "out/functions/0000/tests/000001.c"}
    return ScanFinding(kind, "a.c", line, certainty=certainty, **{**fields, **files, **more})


def explored(*findings: ScanFinding, name: str = "first", extent: str = "all", line: int = 2) -> Explored:
    """What is known of a function of a.c."""
    return Explored(name, "a.c", line, extent, "" if extent == "all" else "stopped", findings, (), 1, 2, 0.5)


def texts(source: str = SOURCE) -> Texts:
    """The text of a.c in the current folder."""
    Path("a.c").write_text(source)
    return Texts(KeptRun(Path("out"), {"program": ["a.c"], "options": {}}))


def kept(folder: Path, *functions: Explored) -> KeptRun:
    """A scan in a folder of the current one, as it is read again."""
    for each in [finding for function in functions for finding in function.found]:
        (folder / each.reproducer).parent.mkdir(parents=True, exist_ok=True)
        (folder / each.reproducer).write_text('int a;\n#line 1 "unfork"\nint main(void) { return 0; }\n')
    (folder / "out").mkdir(exist_ok=True)
    about = {
        "tool": "unfork",
        "version": "1",
        "program": ["a.c"],
        "options": {},
        "left_out": ["b.c:1: error: x"],
        "kept": 0,
    }
    (folder / "out" / "scan.json").write_text(json.dumps(about | as_dict(functions, len(functions), 1.0, texts())))
    return open_run(Path("out"))


def numbers(rows: Sequence[dict[str, Any]]) -> list[int]:
    """The lines of findings."""
    return [row["line"] for row in rows]
