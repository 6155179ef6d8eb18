"""What unfork verify prints and keeps: the obligations of each function, and how they ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unfork.clang.escape import shown
from unfork.later import Later

if TYPE_CHECKING:
    from unfork.spec import obligations as spec_obligations
    from unfork.spec.obligations import Obligation
else:
    spec_obligations = Later("unfork.spec.obligations")

_WORDS = {"proved": "proved", "open": "OPEN", "unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class Broken:
    """How a contract is broken: what fails where, and the call that shows it."""

    kind: str
    what: str
    file: str
    line: int
    call: str


@dataclass(frozen=True, slots=True)
class Proved:
    """How the proof of one function ended. ``reasons`` say why it is not safe."""

    function: str
    verdict: str
    obligations: Sequence[Obligation]
    reasons: Sequence[str]
    broken: Broken | None
    paths: int
    instructions: int
    joins: int
    operators: int
    """In all queries that were asked for obligations: the size of the proof."""
    operators_of_vacuity: int
    """In those that ask whether what is assumed can be."""
    seconds: float
    confirmed: int = 0
    """How often the other solver proved the same, if that was asked for."""
    unconfirmed: int = 0
    is_cached: bool = False
    inferred: Mapping[str, Any] | None = None
    """What joins inferred, and where they had to be exact; None unless predicates are inferred."""
    called: Sequence[str] = ()
    """The functions whose contracts it uses, by their names in the program."""


def as_data(proved: Proved) -> dict[str, Any]:
    """A function's proof for summary.json."""
    broken = proved.broken
    return {
        "function": proved.function,
        "verdict": proved.verdict,
        "obligations": [
            {
                "kind": each.place.kind,
                "file": each.place.file,
                "line": each.place.line,
                "text": each.place.text,
                "ending": each.ending,
                "paths": each.paths,
                "by": dict(each.by),
                "seconds": round(each.seconds, 3),
                "detail": each.detail,
            }
            for each in proved.obligations
        ],
        "reasons": list(proved.reasons),
        "counterexample": None
        if broken is None
        else {"kind": broken.kind, "text": broken.what, "file": broken.file, "line": broken.line, "call": broken.call},
        "paths": proved.paths,
        "instructions": proved.instructions,
        "joins": proved.joins,
        "operators": proved.operators,
        "operators_of_vacuity": proved.operators_of_vacuity,
        "seconds": round(proved.seconds, 3),
        "audit": {"confirmed": proved.confirmed, "unconfirmed": proved.unconfirmed},
        "cached": proved.is_cached,
        "inferred": proved.inferred,
        "called": list(proved.called),
    }


def from_data(data: Mapping[str, Any]) -> Proved:
    """A proof that was kept as data."""
    obligations = [
        spec_obligations.Obligation(
            spec_obligations.Place(each["kind"], each["file"], each["line"], each["text"]),
            each["ending"],
            each["paths"],
            each["seconds"],
            each["by"],
            each["detail"],
        )
        for each in data["obligations"]
    ]
    return Proved(
        data["function"],
        data["verdict"],
        obligations,
        data["reasons"],
        None,
        data["paths"],
        data["instructions"],
        data["joins"],
        data["operators"],
        data["operators_of_vacuity"],
        data["seconds"],
        inferred=data["inferred"],
        called=data["called"],
    )


def proof_lines(summary: Mapping[str, Any], directory: str) -> list[str]:
    """The lines for a reader, from the data of summary.json, and where that is."""
    is_conditional = summary["verdict"] == "safe" and summary.get("assumptions")
    condition = ", if what is assumed is true" if is_conditional else ""
    lines = [line for proof in summary["functions"] for line in table(proof)]
    return [*lines, f"verdict: {summary['verdict']}{condition} ({directory})"]


def table(proof: Mapping[str, Any]) -> list[str]:
    """The lines about the proof of one function."""
    cached = ", as before" if proof["cached"] else ""
    lines = [f"{proof['function']}: {proof['verdict']} ({_counted(proof)}, {proof['seconds']:.1f} s{cached})"]
    lines += _rows(proof["obligations"])
    audit = proof["audit"]
    if any(audit.values()):
        lines.append(
            f"  proved again by the other solver: {audit['confirmed']}; it did not say: {audit['unconfirmed']}"
        )
    broken = proof["counterexample"]
    if broken is not None:
        where = f"{broken['file']}:{broken['line']}"
        lines.append(f"  {shown(broken['call'])}")
        lines.append(f"  breaks {broken['kind']} at {shown(where)}: {shown(broken['text'])}")
    lines += [f"  not proved: {shown(reason)}" for reason in proof["reasons"]]
    lines += [f"  assumed, not proved: {shown(assumption)}" for assumption in proof.get("assumptions", ())]
    return lines


def is_of_proofs(summary: Mapping[str, Any]) -> bool:
    """Whether unfork verify wrote a summary.json with this data: it has functions with obligations, and no tests."""
    return summary.get("command") == "verify" and "functions" in summary


def is_broken(proof: Mapping[str, Any], obligation: Mapping[str, Any]) -> bool:
    """Whether the call that breaks a function's contract breaks this obligation."""
    broken = proof["counterexample"]
    return broken is not None and (obligation["text"], obligation["line"]) == (broken["text"], broken["line"])


def _counted(proof: Mapping[str, Any]) -> str:
    proved = sum(each["ending"] == "proved" for each in proof["obligations"])
    return f"{proved} of {len(proof['obligations'])} obligations proved"


def _rows(obligations: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = []
    for each in obligations:
        by = ", ".join(sorted(each["by"])) or "simplifying"
        place = f"line {each['line']}" if each["line"] else ""
        ending = _WORDS[each["ending"]]
        rows.append((ending, each["kind"], place, shown(each["text"]), by, f"{each['seconds']:.2f} s", each["detail"]))
    widths = [max([len(row[column]) for row in rows], default=0) for column in range(6)]
    widths[3] = min(widths[3], 60)
    lines = []
    for row in rows:
        text = row[3] if len(row[3]) <= 60 else row[3][:57] + "..."
        cells = [row[0], row[1], row[2], text, row[4], row[5]]
        padded = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        lines.append(f"  {padded}")
        lines += [f"      {shown(line)}" for line in row[6].splitlines()]
    return lines
