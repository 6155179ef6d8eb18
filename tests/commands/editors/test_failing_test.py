"""The input of a finding as a C test, for files that are linked with others, or that have a main."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.projects.test_scan import scanned, written
from unfork.commands.editors.failing_test import test_file as file_of_test
from unfork.commands.editors.failing_test import test_text as text_of_test
from unfork.commands.editors.file_results import results_of
from unfork.commands.editors.workspace import Workspace
from unfork.options.options import Options
from unfork.plugins.c_tests import Words, read, run

LEVEL = """\
int limit(void);
int level(int n)
{
    int known;
    if (n != 7)
        known = n;
    return known > limit() ? 2 : 1;
}
"""
LIMIT = "int limit(void) { return 3; }\n"
MAIN = "int main(void) { return level(1); }\n"


@pytest.mark.parametrize(("text", "others"), [(LEVEL, {"b": LIMIT, "m": MAIN}), (LEVEL + LIMIT + MAIN, {})])
def test_it_fails_until_the_source_is_repaired(text: str, others: dict[str, str], tmp_path: Path) -> None:
    file = written(tmp_path, a=text, **others) / "a.c"
    _, data = scanned(tmp_path, tmp_path / "out", "--in", str(file), "--functions", "level")
    [found] = results_of(text, file, tmp_path, data, tmp_path / "out").findings
    workspace = Workspace(tmp_path, (".",), Options(), 5.0)
    test = file_of_test(file, found.row)
    test.write_text(text_of_test(workspace, file, found, data["program"]))
    assert test.name == "test_level_uninitialised_7.c"
    assert read(test).entries[0].name == "main"
    assert outcome(test, tmp_path / "before") == "unsafe"
    file.write_text(text.replace("int known;", "int known = 0;"))
    assert outcome(test, tmp_path / "after") == "safe"


def outcome(test: Path, out: Path) -> str:
    """The verdict of the test, as pytest comes to it."""
    tests = read(test)
    given = Words(("--native-check", "never"), test.parent), Words(tests.words, test.parent)
    return run(test, tests.entries[0], given, out, frozenset(("safe",))).verdict
