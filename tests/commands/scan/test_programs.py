"""What is certain in each small program, and nothing else: its first comment says so (bench/scan.py reads it)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.scan import PROGRAMS, expectation, programs
from tests.commands.scan.rule_programs import PROGRAMS as RULE_PROGRAMS
from tests.support.power import IS_FULL, part
from unfork.cli import main
from unfork.commands.scan.siblings import Siblings

MISSED: dict[str, str] = {
    "table_full": "the counter of a table is a variable that the code never tests",
    "method_index_le": "sanitizers put nothing around the static variable of an inline function",
}
"""Programs whose certain bug is not told yet, or told as conditional."""
LONG = (
    "buffer_bytes_agree",
    "call_with_null_result",
    "division_by_own_count",
    "file_written",
    "format_of_caller",
    "needs_a_count",
    "needs_a_dimension",
    "needs_a_list_without_cycle",
    "needs_a_position_inside",
    "needs_a_quotient",
    "needs_a_tree",
    "needs_an_end",
    "needs_room",
    "null_from_search",
    "null_list_end",
    "number_beside_number",
    "own_block_leak",
    "own_block_short_copy",
    "own_buffer_sprintf",
    "range_end_less_one",
    "requires_in_list",
    "size_beside_pointer",
    "scanner_word",
    "size_loop_le",
    "table_index_of_text",
    "void_bytes_fixed",
)
"""Programs that take more than some seconds."""
QUICK_CPP = ("exception_leaks_block", "vector_argument_index", "virtual_before_delete")
OF_RULES = {name for names in RULE_PROGRAMS.values() for name in names}
CHOSEN = [path for path in programs() if path.name in OF_RULES]
CHOSEN += part([path for path in programs() if path.name not in OF_RULES], lambda path: path.stem, 3)
NAMES = [
    path.name for path in CHOSEN if IS_FULL or path.stem in QUICK_CPP or (path.suffix == ".c" and path.stem not in LONG)
]


def _row(name: str) -> object:
    stem = Path(name).stem
    marks = [pytest.mark.xfail(reason=MISSED[stem], strict=True)] if stem in MISSED else []
    return pytest.param(name, marks=marks)


@pytest.mark.native_check
@pytest.mark.parametrize("name", [_row(name) for name in NAMES])
def test_what_is_certain_is_what_the_program_says(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if Path(name).stem in LONG:
        request.getfixturevalue("clock_of_seconds")
    program = PROGRAMS / name
    certain, likely, _, options = expectation(program)
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--per-function", "60", "--no-progress"]
    words += ["--no-cache", "--quiet"]
    status = main(["scan", str(program), *words, *options])
    told = json.loads((tmp_path / "out" / "scan.json").read_text())
    places = {name: set[tuple[str, int]]() for name in ("certain", "likely", "conditional", "undecided")}
    for each in told["findings"]:
        places[each["certainty"]].add((each["kind"], each["line"]))
    assert (places["certain"], places["likely"]) == (certain, likely)
    assert status == bool(certain)
    rules = {each["rule"] for each in told["findings"]}
    assert rules >= {rule for rule, (decided, _) in RULE_PROGRAMS.items() if decided == name}
    assert rules.isdisjoint(rule for rule, (_, other) in RULE_PROGRAMS.items() if other == name)


@pytest.mark.native_check
def test_a_limit_that_lets_a_number_by_is_shown_by_that_number(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--no-progress", "--no-cache", "--quiet"]
    assert main(["scan", str(PROGRAMS / "table_index_signed_le.c"), *words]) == 1
    [finding] = json.loads((tmp_path / "out" / "scan.json").read_text())["findings"]
    assert "return (int)weight(/* kind = */ 4);" in (tmp_path / "out" / finding["reproducer"]).read_text()


@pytest.mark.native_check
def test_calls_that_use_what_is_gone_are_likely_where_not_all_inputs_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Siblings, "are_known", lambda self, lazy: False)
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--no-progress", "--no-cache", "--quiet"]
    assert main(["scan", str(PROGRAMS / "queue_tail_left.c"), *words]) == 0
    told = json.loads((tmp_path / "out" / "scan.json").read_text())["findings"]
    [finding] = [each for each in told if each["certainty"] == "likely"]
    assert (finding["kind"], finding["rule"], finding["calls"][0]) == ("use-after-free", "after-calls", "queue_new")


@pytest.mark.native_check
@pytest.mark.parametrize(("block", "certainty"), [("malloc(sizeof *p)", "likely"), ("given", "undecided")])
def test_an_own_block_that_is_gone_is_likely_where_not_all_inputs_are_known(
    block: str, certainty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Siblings, "are_known", lambda self, lazy: False)
    file = tmp_path / "gone.c"
    file.write_text(f"""#include <stdlib.h>
int f(int *given, int n) {{
  int *p = {block};
  if (p == NULL) return 0;
  *p = 1;
  if (n > 3) free(p);
  return *p;
}}
""")
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--no-progress", "--no-cache", "--quiet"]
    main(["scan", str(file), *words])
    told = json.loads((tmp_path / "out" / "scan.json").read_text())["findings"]
    assert {each["certainty"] for each in told if each["kind"] == "use-after-free"} == {certainty}
