"""What unfork verify has proved, as data of the page: each obligation, how it ended, and what breaks a contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unfork.clang.escape import shown
from unfork.page.places import Places
from unfork.report.proofs import is_broken


def proofs_data(summary: Mapping[str, Any], places: Places) -> dict[str, Any]:
    """The functions with their obligations, of which one that a call breaks has failed, and what there is by line."""
    return {
        "proofs": [_proof(proof, places) for proof in summary["functions"]],
        "lines": _lines(summary, places),
    }


def _lines(summary: Mapping[str, Any], places: Places) -> dict[str, dict[str, dict[str, Any]]]:
    """For each file by its number and each line: its obligations by how they ended, and the seconds that they took."""
    told: dict[str, dict[str, dict[str, Any]]] = {}
    for proof in summary["functions"]:
        for each in proof["obligations"]:
            if each["file"] is not None and each["line"]:
                line = told.setdefault(str(places.file(each["file"])), {}).setdefault(str(each["line"]), {})
                ending = _ending(proof, each)
                line[ending] = line.get(ending, 0) + 1
                line["seconds"] = round(line.get("seconds", 0) + each["seconds"], 3)
    return told


def _proof(proof: Mapping[str, Any], places: Places) -> dict[str, Any]:
    broken = proof["counterexample"]
    name = proof["function"]
    return {
        "function": shown(name),
        "verdict": proof["verdict"],
        "obligations": [
            {
                "kind": each["kind"],
                "place": places.number(each["file"], each["line"] or None, name),
                "text": shown(each["text"]),
                "ending": _ending(proof, each),
                "paths": each["paths"],
                "by": sorted(each["by"]),
                "seconds": each["seconds"],
                "detail": [shown(line) for line in each["detail"].splitlines()],
            }
            for each in proof["obligations"]
        ],
        "broken": None
        if broken is None
        else {
            "kind": broken["kind"],
            "text": shown(broken["text"]),
            "place": places.number(broken["file"], broken["line"], name),
            "call": shown(broken["call"]),
        },
        "reasons": [shown(reason) for reason in proof["reasons"]],
        "assumptions": [shown(assumption) for assumption in proof["assumptions"]],
        "called": [shown(callee) for callee in proof["called"]],
        "inferred": _inferred(proof["inferred"]),
        "figures": [
            ["paths", proof["paths"]],
            ["joins", proof["joins"]],
            ["instructions", proof["instructions"]],
            ["operators in queries", proof["operators"]],
            ["proved again", proof["audit"]["confirmed"]],
            ["not proved again", proof["audit"]["unconfirmed"]],
        ],
        "seconds": proof["seconds"],
        "cached": proof["cached"],
    }


def _ending(proof: Mapping[str, Any], obligation: Mapping[str, Any]) -> str:
    return "failed" if is_broken(proof, obligation) else str(obligation["ending"])


def _inferred(inferred: Mapping[str, Any] | None) -> list[list[str]]:
    """What joins inferred, by their places, and where they had to be exact; nothing unless predicates are inferred."""
    if inferred is None:
        return []
    exact = inferred["exact"]
    rows = [[_mark(place), shown("; ".join(place["predicates"]))] for place in inferred["places"]]
    rows.append(["exact", exact if isinstance(exact, str) else ", ".join(map(_mark, exact)) or "nowhere"])
    return [*rows, ["explored again", str(inferred["again"])], ["queries", str(inferred["queries"])]]


def _mark(place: Mapping[str, Any]) -> str:
    return f"{shown(place['function'])}, block {place['block']}"
