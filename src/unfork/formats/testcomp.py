"""Test suites in the exchange format of Test-Comp: metadata.xml and one testcase file per test."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from unfork.clang.escape import shown
from unfork.inputs.testcase import Error, TestCase, TestInput, number_of
from unfork.options import VERSION

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
_DOCTYPE = (
    '<!DOCTYPE {root} PUBLIC "+//IDN sosy-lab.org//DTD test-format {name} 1.0//EN" '
    '"https://sosy-lab.org/test-format/{name}-1.0.dtd">\n'
)
ARCHITECTURES = {"LP64": "64bit", "ILP32": "32bit"}
BRANCHES = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"


def of_program(name: str, path: Path, function: str, specification: str = BRANCHES, data_model: str = "LP64") -> str:
    """The text of metadata.xml for tests of the program in the file ``path``, which start in ``function``."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return metadata(name, digest, f"unfork {VERSION}", function, created, (specification, data_model))


def metadata(
    program: str, digest: str, producer: str, function: str, created: str, wanted: tuple[str, str] = (BRANCHES, "LP64")
) -> str:
    """The text of metadata.xml. ``digest`` is the SHA-256 of the program file, ``created`` an ISO 8601 time.

    ``wanted`` is what the tests are for, and the data model.
    """
    rows = (
        ("sourcecodelang", "C"),
        ("producer", producer),
        ("specification", wanted[0]),
        ("programfile", program),
        ("programhash", digest),
        ("entryfunction", function),
        ("architecture", ARCHITECTURES[wanted[1]]),
        ("creationtime", created),
    )
    body = "".join(f"  <{name}>{escape(shown(value))}</{name}>\n" for name, value in rows)
    return (
        f"{_HEAD}{_DOCTYPE.format(root='test-metadata', name='test-metadata')}<test-metadata>\n{body}</test-metadata>\n"
    )


def testcase(test: TestCase) -> str:
    """The text of one testcase: the values of the __VERIFIER_nondet_* calls in the order of the calls."""
    attribute = ' coversError="true"' if isinstance(test.expect, Error) else ""
    rows = "".join(_rows(entry) for entry in test.inputs if entry.kind == "nondet")
    return f"{_HEAD}{_DOCTYPE.format(root='testcase', name='testcase')}<testcase{attribute}>\n{rows}</testcase>\n"


def _rows(entry: TestInput) -> str:
    number = number_of(entry)
    if number is None and entry.type is None:
        return "".join(f'  <input type="unsigned char">{byte}</input>\n' for byte in entry.data)
    value = str(number) if number is not None else str(int.from_bytes(entry.data, "little"))
    kind = f" type={quoteattr(shown(entry.type))}" if entry.type else ""
    return f"  <input variable={quoteattr(shown(entry.name))}{kind}>{value}</input>\n"
