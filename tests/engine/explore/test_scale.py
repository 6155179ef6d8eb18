"""Programs that once took longer than their time: what they cost is counted, not measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.commands.run.run import Result

CASES = 300
ELEMENTS = 1000


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def outcome(text: str, **chosen: object) -> Result:
    source = written(f"#include <stdlib.h>\n#include <unfork.h>\n{text}\n", Path())
    return explore(source, Path("out"), **chosen)


def test_a_switch_costs_no_query_per_case() -> None:
    cases = " ".join(f"case {i * 3}: r = {i}; break;" for i in range(CASES))
    result = outcome(
        f'int main(void) {{ int x, r = 7; unfork_symbolic(&x, 4, "x"); switch (x) {{ {cases} }} return r & 1; }}',
        merge="none",
    )
    assert (result.verdict, result.summary["paths"]["completed"]) == ("safe", CASES + 1)
    assert result.summary["solver"]["queries"] <= 2
    assert result.summary["tests"] == CASES + 1


def test_functions_are_read_when_they_are_called() -> None:
    result = outcome("int g(void) { return 1; }\nint main(void) { int s = 0; exit(3); s += g(); return s; }")
    assert result.verdict == "safe"
    assert "g" not in result.program.functions
    assert result.summary["coverage"]["lines"]["total"] == 2
    assert result.summary["coverage"]["lines"]["covered"] == 1


def test_a_long_unwritten_array_is_one_input_of_the_test() -> None:
    result = outcome(
        f"int main(void) {{ int a[{ELEMENTS}], s = 0; for (int i = 0; i < {ELEMENTS}; i++) s += a[i];\n"
        "  unfork_check(s != 77); return 0; }",
        merge="none",
    )
    assert result.verdict == "unsafe"
    assert [found.replayed for found in result.errors] == [True]
    inputs = json.loads((Path("out") / result.errors[0].test).read_text())["inputs"]
    assert [(one["name"], one["size"]) for one in inputs] == [("uninit:a[0]", 4 * ELEMENTS)]
    assert (
        sum(int.from_bytes(bytes.fromhex(inputs[0]["bytes"])[4 * i : 4 * i + 4], "little") for i in range(ELEMENTS))
        % (1 << 32)
        == 77
    )


def test_arrays_without_an_end_are_compared_up_to_a_limit() -> None:
    result = outcome(
        "#include <string.h>\nint same(const unsigned char *a, const unsigned char *b)\n"
        "{ return strcmp((const char *)a, (const char *)b) == 0; }",
        function="same",
    )
    assert [each["reason"] for each in result.summary["given_up"]] == ["capacity"]
    assert result.summary["solver"]["queries"] < ELEMENTS
