"""Test suites in Test-Comp's exchange format: metadata.xml, and a testcase file for each test."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import Element

from unfork.options.options import VERSION
from unfork.program.c.suffixes import has_cpp
from unfork.report.formats import xml
from unfork.world.inputs.testcase import Error, TestCase, TestInput, number_of

_HEAD = """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE {root} PUBLIC "+//IDN sosy-lab.org//DTD test-format {root} 1.0//EN" \
"https://sosy-lab.org/test-format/{root}-1.0.dtd">
"""
ARCHITECTURES = {"LP64": "64bit", "ILP32": "32bit"}
BRANCHES = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"


def of_program(name: str, path: Path, function: str, specification: str = BRANCHES, data_model: str = "LP64") -> str:
    """The text of metadata.xml for tests of the program in ``path`` that start in ``function``."""
    rows = {
        "sourcecodelang": "C++" if has_cpp([name]) else "C",
        "producer": f"unfork {VERSION}",
        "specification": specification,
        "programfile": name,
        "programhash": hashlib.sha256(path.read_bytes()).hexdigest(),
        "entryfunction": function,
        "architecture": ARCHITECTURES[data_model],
        "creationtime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    root = xml.root("test-metadata")
    for tag, text in rows.items():
        xml.child(root, tag, text)
    return xml.document(root, _HEAD.format(root="test-metadata"))


def testcase(test: TestCase) -> str:
    """The text of a testcase: the values of __VERIFIER_nondet_* calls in order."""
    root = xml.root("testcase", **({"coversError": "true"} if isinstance(test.expect, Error) else {}))
    for entry in test.inputs:
        if entry.kind == "nondet":
            _add_values(root, entry)
    return xml.document(root, _HEAD.format(root="testcase"))


def _add_values(root: Element, entry: TestInput) -> None:
    number = number_of(entry)
    if number is None and entry.type is None:
        for byte in entry.data:
            xml.child(root, "input", str(byte), type="unsigned char")
        return
    value = int.from_bytes(entry.data, "little") if number is None else number
    xml.child(root, "input", str(value), variable=entry.name, **({"type": entry.type} if entry.type else {}))
