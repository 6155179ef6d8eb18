"""JUnit XML for CI systems: each test is a case, and errors are failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from unfork.program.c.escape import escape_text
from unfork.report.formats import xml
from unfork.report.record.kept_run import KeptRun
from unfork.report.record.words_of_tests import expectation_words, inputs_text, world_text
from unfork.world.inputs.testcase import Error, TestCase

EXPLORATION = "exploration"
"""The case of the exploration as a whole: whether it explored every path."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case. ``bad`` is a tag, a type and a message; the tag is "failure", or "error" if it may be none."""

    name: str
    location: Mapping[str, Any]
    bad: tuple[str, str, str] | None
    details: str
    output: str = ""


def write(run: KeptRun) -> bytes:
    """The file: a suite for a run, or for each proved function."""
    summary = run.summary
    program = " ".join(summary["program"])
    if run.is_of_proofs:
        suites = [
            (f"{program}: {proof['function']}", list(_of_proof(proof)), proof["seconds"])
            for proof in summary["functions"]
        ]
    else:
        suites = [(program, [*_of_tests(run), _of_exploration(summary)], summary["seconds"])]
    every = [case for _, cases, _ in suites for case in cases]
    root = xml.root("testsuites", name="unfork", **_counts(every, summary["seconds"]))
    for name, cases, seconds in suites:
        suite = xml.child(root, "testsuite", name=name, **_counts(cases, seconds))
        properties = xml.child(suite, "properties")
        for key in ("verdict", "version"):
            xml.child(properties, "property", name=key, value=summary[key])
        for case in cases:
            _add_case(suite, name, case)
    return xml.document(root).encode()


def _counts(cases: list[Case], seconds: float) -> dict[str, object]:
    bad = [case.bad[0] for case in cases if case.bad is not None]
    failures, errors = bad.count("failure"), bad.count("error")
    return {"tests": len(cases), "failures": failures, "errors": errors, "time": f"{seconds:.3f}"}


def _add_case(suite: Element, name: str, case: Case) -> None:
    where = {key: case.location[key] for key in ("file", "line") if case.location.get(key)}
    element = xml.child(suite, "testcase", classname=name, name=case.name, **where, time=0)
    if case.bad is not None:
        tag, kind, message = case.bad
        xml.child(element, tag, type_=kind, message=message).text = _shown_lines(case.details)
    if case.output:
        xml.child(element, "system-out").text = _shown_lines(case.output)


def _shown_lines(text: str) -> str:
    return "\n".join(map(escape_text, text.split("\n")))


def _of_tests(run: KeptRun) -> Iterator[Case]:
    errors = {finding["test"]: finding for finding in run.summary["errors"]}
    alarms = {finding["test"]: finding for finding in run.summary["alarms"]}
    for name, test in run.tests():
        given = "\n".join([f"ends with: {expectation_words(test)}", *world_text(test), *inputs_text(test)])
        stem = name.removesuffix(".json")
        if (finding := errors.get(name)) is not None:
            report = run.root / "errors" / f"{stem.removeprefix('tests/')}.txt"
            details = report.read_text("utf-8", "replace") if report.is_file() else ""
            yield Case(stem, finding, ("failure", finding["kind"], _message(finding)), details, given)
        elif (finding := alarms.get(name)) is not None:
            message = f"{_message(finding)} (an alarm: {finding['reason']})"
            yield Case(stem, finding, ("error", finding["kind"], message), "", given)
        else:
            yield _of_test(stem, test, given)


def _of_test(stem: str, test: TestCase, given: str) -> Case:
    """The case of a test without a finding of its own; it may end in an error that another test shows."""
    if isinstance(test.expect, Error):
        location = {"file": test.expect.file, "line": test.expect.line}
        return Case(stem, location, ("failure", test.expect.kind, test.expect.words()), "", given)
    return Case(stem, {}, None, "", given)


def _message(finding: Mapping[str, Any]) -> str:
    location = f"{finding['file']}:{finding['line']}: " if finding["file"] is not None else ""
    return f"{location}{finding['kind']}: {finding['message']}"


def _of_exploration(summary: Mapping[str, Any]) -> Case:
    """An error if the verdict is unknown: passing tests prove nothing then."""
    if summary["verdict"] != "unknown":
        return Case(EXPLORATION, {}, None, "", f"verdict: {summary['verdict']}")
    why = [f"stopped by {summary['stopped_by']}"] if summary["stopped_by"] else []
    why += [f"{loss['paths']} given up: {loss['reason']}: {loss['detail']}" for loss in summary["given_up"]]
    why += [f"{len(summary['alarms'])} alarms"] if summary["alarms"] else []
    if summary["internal_error"]:
        why.append(f"internal error: {summary['internal_error']['line']}")
    message = "not everything could be explored"
    return Case(EXPLORATION, {}, ("error", "unknown", message), "\n".join(map(escape_text, why)))


def _of_proof(proof: Mapping[str, Any]) -> Iterator[Case]:
    for each in proof["obligations"]:
        name = f"{each['kind']} at line {each['line']}: {each['text']}" if each["line"] else each["kind"]
        is_proved = each["ending"] == "proved"
        bad = None if is_proved else ("error", each["ending"], f"not proved: {each['text']}")
        yield Case(name, each, bad, each["detail"])
    broken = proof["counterexample"]
    if broken is not None:
        message = f"{broken['kind']} is broken: {broken['text']}"
        yield Case("counterexample", broken, ("failure", broken["kind"], message), broken["call"])
    if proof["reasons"]:
        yield Case(EXPLORATION, {}, ("error", "unknown", "the proof is not complete"), "\n".join(proof["reasons"]))
