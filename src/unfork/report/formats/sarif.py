"""SARIF 2.1.0: errors, alarms and broken contracts for code scanners and editors."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

from unfork.errors import InputError
from unfork.options.options import VERSION
from unfork.program.c.escape import escape_text
from unfork.report.formats.error_rules import CWE_URI, RULES, WEAKNESSES, kind_of, weakness
from unfork.report.record.fingerprints import Fingerprints
from unfork.report.record.kept_run import KeptRun, read_test
from unfork.report.record.tables import Birth
from unfork.report.record.text import is_broken
from unfork.report.record.words_of_tests import contents
from unfork.world.inputs.testcase import TestCase, readable_number

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "unforkFinding/v1"
_INPUTS_SHOWN = 40
_MOST_STEPS = 200
"""The most steps of a path; earlier ones are left out."""
_NUMBERS = list(RULES)
_KINDS_OF_INPUTS = ("symbolic", "nondet", "argument", "file")

Data = dict[str, Any]


def write(run: KeptRun) -> bytes:
    """The log with a single run."""
    return (json.dumps(_log(_Writer(run)), indent=1, ensure_ascii=True) + "\n").encode("ascii")


def _log(writer: _Writer) -> Data:
    run = writer.run
    if run.is_of_scan:
        results = list(writer.of_scan())
    else:
        results = list(writer.of_proofs() if run.is_of_proofs else writer.of_findings())
    log: Data = {
        "tool": {"driver": _driver()},
        "taxonomies": [_taxonomy()],
        "invocations": [_invocation(run)],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder in which unfork ran."}}},
        "artifacts": [writer.artifact(name) for name in run.summary["program"]],
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {"verdict": run.summary["verdict"]},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [log]}


def text(words: str) -> Data:
    """A message; text of the program cannot become a placeholder, a link or a control character."""
    return {"text": escape_text(words).replace("{", "{{").replace("}", "}}").replace("](", "] (")}


def uri(name: str) -> Data:
    """A file's location: relative to the folder in which unfork ran, or absolute outside it."""
    path = os.path.normpath(name)
    if os.path.isabs(path):
        below = os.path.relpath(path)
        if below.startswith(os.pardir):
            return {"uri": f"file://{quote(os.fsencode(path))}"}
        path = below
    return {"uri": quote(os.fsencode(path)), "uriBaseId": ROOT}


class _Writer:
    """Makes the results of one run."""

    def __init__(self, run: KeptRun) -> None:
        self.run = run
        self._lines = cache(run.lines)
        self._fingerprints = Fingerprints(self._lines)

    def of_findings(self) -> Iterator[Data]:
        summary = self.run.summary
        ways = self._ways([finding["test"] for finding in (*summary["errors"], *summary["alarms"])])
        for finding in summary["errors"]:
            yield {**self._finding(finding, ways), "kind": "fail", "level": "error"}
        for finding in summary["alarms"]:
            why = f"{finding['message']} (an alarm: {finding['reason']})"
            yield {**self._finding(finding, ways), "kind": "review", "level": "none", "message": text(why)}

    def of_scan(self) -> Iterator[Data]:
        """A scan's certain findings, unless ignored. Its other findings are preconditions: the duty of callers."""
        for finding in self.run.summary["findings"]:
            if finding["certainty"] != "certain":
                continue
            words = f"{finding['message']}: {finding['reason']}"
            yield {
                **self._flow(finding, [self._stated(step) for step in finding["path"]]),
                **self._result(finding["kind"], words, finding, finding["fingerprint"]),
                "kind": "fail",
                "level": "error",
                "attachments": [
                    {
                        "description": text("a C program that fails by itself"),
                        "artifactLocation": uri(str(self.run.root / finding["reproducer"])),
                    }
                ],
                "properties": {"test": escape_text(finding["test"]), "known": finding["known"]},
            }

    def _ways(self, tests: list[str]) -> dict[str, list[Birth]]:
        with contextlib.suppress(InputError), contextlib.closing(self.run.tables()) as tables:
            return {test: tables.way(test, _MOST_STEPS) for test in tests}
        return {}

    def _finding(self, finding: Mapping[str, Any], ways: Mapping[str, Sequence[Birth]]) -> Data:
        return {
            **self._result(finding["kind"], finding["message"], finding),
            **self._flow(finding, [self._step(step) for step in ways.get(finding["test"], ())]),
            "properties": {
                "test": escape_text(finding["test"]),
                "replayed": finding["replayed"],
                "natively": finding["native"],
            },
        }

    def _flow(self, finding: Mapping[str, Any], steps: Sequence[Data]) -> Data:
        flow: Data = {}
        stack, test = finding["stack"], self._test(finding["test"])
        frames = [self._frame(frame) for frame in stack]
        if frames:
            flow["stacks"] = [{"message": text("the calls where it fails, with values"), "frames": frames}]
        way = [*steps, *self._calls(stack, finding["message"])]
        if way:
            thread: Data = {"locations": [{**at, "executionOrder": order} for order, at in enumerate(way, 1)]}
            if test is not None and (given := _inputs_of(test)):
                thread["initialState"] = given
            flow["codeFlows"] = [
                {"message": text(f"the path of {finding['test']}, with values"), "threadFlows": [thread]}
            ]
        return flow

    def of_proofs(self) -> Iterator[Data]:
        for proof in self.run.summary["functions"]:
            broken = proof["counterexample"]
            name = proof["function"]
            if broken is not None:
                words = f"{broken['kind']} of {name} is broken: {broken['text']}; {broken['call']} shows it"
                location = {**broken, "function": name, "message": words}
                result = self._result(kind_of(broken["kind"]), words, location)
                here = {**self._location(location), "message": text(broken["call"])}
                flow = [{"location": here, "executionOrder": 1}]
                result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
                yield {**result, "kind": "fail", "level": "error"}
            for each in proof["obligations"]:
                if each["ending"] == "proved" or is_broken(proof, each):
                    continue
                words = f"{each['kind']} of {name} is not proved: {each['text']}"
                words += f" ({'; '.join(each['detail'].splitlines())})" if each["detail"] else ""
                location = {**each, "function": name}
                yield {**self._result(kind_of(each["kind"]), words, location), "kind": "open", "level": "none"}

    def artifact(self, name: str) -> Data:
        """A file of the program, with its hash if it still exists."""
        file: Data = {"location": uri(name), "roles": ["analysisTarget"]}
        data = self.run.contents(name)
        if data is not None:
            file["hashes"] = {"sha-256": hashlib.sha256(data).hexdigest()}
        if name.endswith((".c", ".i", ".h")):
            file["sourceLanguage"] = "c"
        return file

    def _result(self, kind: str, message: str, location: Mapping[str, Any], fingerprint: str = "") -> Data:
        number = weakness(kind, location.get("access"))
        return {
            "ruleId": kind,
            "ruleIndex": _NUMBERS.index(kind),
            "message": text(message),
            "locations": [self._location(location)],
            "taxa": [{"id": str(number), "toolComponent": {"name": "CWE", "index": 0}}],
            "partialFingerprints": {FINGERPRINT: fingerprint or self._fingerprints.of(kind, message, location)},
        }

    def _location(self, location: Mapping[str, Any]) -> Data:
        located: Data = {}
        if location["file"] is not None:
            physical: Data = {"artifactLocation": uri(location["file"])}
            if location["line"]:
                physical["region"] = self._region(location["file"], location["line"], location.get("column"))
            located["physicalLocation"] = physical
        if location.get("function"):
            located["logicalLocations"] = [{"name": escape_text(location["function"]), "kind": "function"}]
        return located

    def _region(self, file: str, line: int, column: int | None) -> Data:
        """A line with its text; the column in characters (clang counts bytes)."""
        region: Data = {"startLine": line}
        lines = self._lines(file)
        if line > len(lines):
            return region
        code = lines[line - 1]
        if column and column <= len(code) + 1:
            region["startColumn"] = len(code[: column - 1].decode("utf-8", "replace")) + 1
        return region

    def _test(self, name: str) -> TestCase | None:
        path = self.run.root / name
        return read_test(path) if path.is_file() else None

    def _frame(self, frame: Mapping[str, Any]) -> Data:
        values = ", ".join(f"{name} = {value}" for name, value in frame["values"].items())
        return {"location": {**self._location(frame), "message": text(values or frame["function"])}}

    def _step(self, step: Birth) -> Data:
        location = step.at._asdict()
        what = "paths are joined here" if step.is_join else "a branch leads here"
        return {
            "location": {**self._location(location), "message": text(what)},
            "kinds": ["branch"],
            "importance": "unimportant",
        }

    def _stated(self, step: Mapping[str, Any]) -> Data:
        kind = "call" if step.get("calls") else "branch"
        return {"location": {**self._location(step), "message": text(step["what"])}, "kinds": [kind]}

    def _calls(self, stack: Sequence[Mapping[str, Any]], message: str) -> Iterator[Data]:
        for depth, frame in enumerate(reversed(stack)):
            is_last = depth == len(stack) - 1
            inner = "" if is_last else stack[len(stack) - 2 - depth]["function"]
            what = message if is_last else f"{frame['function']} calls {inner}"
            at: Data = {
                "location": {**self._location(frame), "message": text(what)},
                "nestingLevel": depth,
                "importance": "essential" if is_last else "important",
                "kinds": ["danger"] if is_last else ["call", "function"],
            }
            if frame["values"]:
                at["state"] = {escape_text(name): text(value) for name, value in frame["values"].items()}
            yield at


def _inputs_of(test: TestCase) -> Data:
    state: Data = {}
    for entry in test.inputs:
        if entry.kind in _KINDS_OF_INPUTS and len(state) < _INPUTS_SHOWN:
            number = readable_number(entry)
            state[escape_text(entry.name)] = text(contents(entry.data) if number is None else str(number))
    return state


def _driver() -> Data:
    rules = []
    for kind, rule in RULES.items():
        tags = [f"external/cwe/cwe-{rule.weakness:03d}", *(["security"] if rule.severity else ["correctness"])]
        properties: Data = {"tags": tags, "precision": "very-high", "problem.severity": "error"}
        if rule.severity:
            properties["security-severity"] = rule.severity
        rules.append(
            {
                "id": kind,
                "name": "".join(part.capitalize() for part in kind.split("-")),
                "shortDescription": {"text": rule.title},
                "fullDescription": {"text": rule.text},
                "help": {
                    "text": f"{rule.text} {rule.remedy}",
                    "markdown": f"{rule.text}\n\n{rule.remedy}\n\n"
                    f"[CWE-{rule.weakness}]({CWE_URI.format(rule.weakness)}): {WEAKNESSES[rule.weakness]}. "
                    "Every error has a test that reproduces it: `unfork replay RUN_DIR`.",
                },
                "helpUri": CWE_URI.format(rule.weakness),
                "defaultConfiguration": {"level": "error"},
                "relationships": [
                    {
                        "target": {"id": str(rule.weakness), "toolComponent": {"name": "CWE", "index": 0}},
                        "kinds": ["superset"],
                    }
                ],
                "properties": properties,
            }
        )
    return {
        "name": "unfork",
        "version": VERSION,
        "semanticVersion": VERSION,
        "shortDescription": {"text": "Symbolic execution of C"},
        "supportedTaxonomies": [{"name": "CWE", "index": 0}],
        "rules": rules,
    }


def _taxonomy() -> Data:
    return {
        "name": "CWE",
        "organization": "MITRE",
        "informationUri": "https://cwe.mitre.org/",
        "shortDescription": {"text": "The Common Weakness Enumeration"},
        "isComprehensive": False,
        "taxa": [
            {"id": str(number), "name": name, "shortDescription": {"text": name}, "helpUri": CWE_URI.format(number)}
            for number, name in WEAKNESSES.items()
        ],
    }


def _invocation(run: KeptRun) -> Data:
    """How the run went, and its limitations."""
    summary = run.summary
    invocation: Data = {"executionSuccessful": summary.get("internal_error") is None}
    notes = [("error", f"internal error: {summary['internal_error']['line']}")] if summary.get("internal_error") else []
    if summary.get("stopped_by"):
        notes.append(("warning", f"stopped by {summary['stopped_by']}: not everything was explored"))
    notes += [
        ("warning", f"{loss['paths']} given up: {loss['reason']}: {loss['detail']}")
        for loss in summary.get("given_up", ())
    ]
    notes += [("note", f"bounded by {bound}") for bound in summary.get("bounds_hit", ())]
    notes += [("note", f"assumed: {assumption}") for assumption in summary.get("assumptions", ())]
    notes += _of_scanned(summary) if run.is_of_scan else ()
    for proof in summary["functions"] if run.is_of_proofs else ():
        notes += [("warning", f"{proof['function']} is not proved: {reason}") for reason in proof["reasons"]]
    if notes:
        invocation["toolExecutionNotifications"] = [{"level": level, "message": text(words)} for level, words in notes]
    return invocation


def _of_scanned(summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from (("warning", f"left out: {line}") for line in summary["left_out"])
    for each in summary["functions"]:
        if each["explored"] != "all":
            extent = "not explored" if each["explored"] == "not" else "explored in part"
            yield "warning", f"{each['name']} was {extent}: {each['reason']}"
