"""Witnesses of SV-COMP in their older format, GraphML 1.0: an automaton, an edge for each call that returns a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from unfork.clang.escape import shown
from unfork.formats.testcomp import ARCHITECTURES
from unfork.formats.witness import Task, Waypoint

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
)
_KEYS = (
    *[(name, "string", "graph") for name in ("witness-type", "sourcecodelang", "producer", "specification")],
    *[(name, "string", "graph") for name in ("programfile", "programhash", "architecture", "creationtime")],
    *[(name, "boolean", "node") for name in ("entry", "violation")],
    *[(name, "string", "edge") for name in ("assumption", "assumption.scope", "assumption.resultfunction")],
    ("control", "string", "edge"),
    ("startline", "int", "edge"),
)


def violation(task: Task, waypoints: Sequence[tuple[Waypoint, str]]) -> str:
    """The text of a violation witness. Each waypoint comes with the input's name; the last one is the violation."""
    return _document(task, "violation_witness", _automaton(waypoints))


def correctness(task: Task) -> str:
    """The text of a correctness witness without invariants."""
    return _document(task, "correctness_witness", iter((_node(0, is_violation=False),)))


def _automaton(waypoints: Sequence[tuple[Waypoint, str]]) -> Iterator[str]:
    count = len(waypoints)
    for number in range(count + 1):
        yield _node(number, is_violation=number == count)
    for number, (point, name) in enumerate(waypoints):
        rows = [("startline", str(point.line))]
        if point.kind == "function_return":
            rows += [
                ("assumption", f"{point.constraint};"),
                ("assumption.scope", point.function or "main"),
                ("assumption.resultfunction", f"__VERIFIER_{name}"),
            ]
        if point.kind == "branching":
            rows.append(("control", f"condition-{point.constraint}"))
        data = "".join(f"   {_data(key, value)}\n" for key, value in rows)
        yield f'  <edge source="N{number}" target="N{number + 1}">\n{data}  </edge>\n'


def _node(number: int, *, is_violation: bool) -> str:
    marks = [name for name, holds in (("entry", number == 0), ("violation", is_violation)) if holds]
    data = "".join(f"\n   {_data(name, 'true')}" for name in marks)
    return f'  <node id="N{number}">{data}\n  </node>\n' if data else f'  <node id="N{number}"/>\n'


def _document(task: Task, kind: str, parts: Iterator[str]) -> str:
    keys = "".join(
        f' <key id={quoteattr(name)} attr.name={quoteattr(name)} attr.type="{sort}" for="{owner}"/>\n'
        for name, sort, owner in _KEYS
    )
    rows = (
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", " ".join(task.producer)),
        ("specification", task.formula),
        ("programfile", task.program),
        ("programhash", task.digest),
        ("architecture", ARCHITECTURES[task.data_model]),
        ("creationtime", task.created),
    )
    graph = "".join(f"  {_data(name, value)}\n" for name, value in rows)
    return f'{_HEAD}{keys} <graph edgedefault="directed">\n{graph}{"".join(parts)} </graph>\n</graphml>\n'


def _data(key: str, value: str) -> str:
    return f"<data key={quoteattr(key)}>{escape(shown(value))}</data>"
