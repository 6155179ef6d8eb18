"""The tasks of bench/benchexec are those that the tests answer, and the benchmark includes all of their properties."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import yaml

from tests.support.svcomp_tasks import HEADER, PROPERTY_FILES, TASKS

HERE = Path(__file__).parents[2] / "bench" / "benchexec"


def test_each_task_has_the_verdict_that_the_tests_know() -> None:
    known = {(name, HEADER + body + "\n"): verdict for name, body, verdict in TASKS}
    included = {each.text for each in ElementTree.parse(HERE / "unfork.xml").iter("propertyfile")}
    described = sorted((HERE / "tasks").glob("*.yml"))
    assert len(described) == len(list((HERE / "tasks").glob("*.c"))) > 10
    for path in described:
        task = yaml.safe_load(path.read_text())
        (asked,) = task["properties"]
        file = (HERE / "tasks" / asked["property_file"]).resolve()
        assert file.read_text() == PROPERTY_FILES[file.stem]
        assert f"properties/{file.name}" in included
        verdict = known[file.stem, (HERE / "tasks" / task["input_files"]).read_text()]
        assert verdict.startswith(str(asked["expected_verdict"]).lower())
        assert asked.get("subproperty") in (None, verdict.removeprefix("false(").removesuffix(")"))
