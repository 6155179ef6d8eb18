"""Predicates that nobody wrote: the programs of Table 3 of Scheurer16, and programs of the corpus, joined by them.

Of the corpus, those count that ``--join ite`` proves with joins: in the order of their names, programs that have inputs
and are said to be safe, one per topic, until there are twenty. Inferred predicates must leave no alarm on any.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.measure import EXAMPLES, table
from bench.proved import proved
from tests.support.corpus import Expected, programs
from tests.support.runs import explore

NONE = ("--merge", "none")
ITE = ("--merge", "marked", "--join", "ite")
INFERRED = ("--merge", "marked", "--join", "abstract:inferred")
JOINING = ("--merge", "static", "--similar", "always", "--cores", "1", "--max-time", "20")
"""How programs of the corpus are joined: as much as can be."""
WANTED = 20
TABLE_3 = ("dist", "abs", "gcd", "pos_sum")


def _predicates(inferred: dict[str, Any]) -> list[str]:
    return [f"{place['function']}: {text}" for place in inferred.get("places", ()) for text in place["predicates"]]


PROOF_HEAD = ("program", "joined by", "joins", "instructions", "operators", "explored again", "verdict")


def proofs() -> Iterator[tuple[tuple[str, ...], bool]]:
    """The rows of proofs."""
    for name in TABLE_3:
        for how, options in (("-", NONE), ("ite", ITE), ("inferred", INFERRED)):
            proof = proved(EXAMPLES / "proofs" / f"{name}.c", options)
            inferred = [function.get("inferred") or {} for function in proof.functions]
            again = sum(said.get("again", 0) for said in inferred)
            counts = (proof.count("joins"), proof.count("instructions"), proof.count("operators"), again)
            yield (name, how, *[f"{count:,}" for count in counts], proof.verdict), proof.verdict == "safe"
            for text in [text for said in inferred for text in _predicates(said)]:
                print(f"{name}: {text}", file=sys.stderr)


CORPUS_HEAD = (
    "program",
    "ite: joins",
    "instructions",
    "inferred: joins",
    "instructions",
    "again",
    "exact",
    "alarms",
    "verdict",
)


def corpus() -> Iterator[tuple[tuple[str, ...], bool]]:
    """The rows of the corpus."""
    for program, exact in chosen():
        with tempfile.TemporaryDirectory() as scratch:
            result = explore(program, Path(scratch, "out"), *JOINING, "--join", "abstract:inferred")
        data = result.summary
        inferred = data["merges"]["inferred"]
        yield (
            (
                program.name,
                f"{exact['merges']['done']:,}",
                f"{exact['instructions']:,}",
                f"{data['merges']['done']:,}",
                f"{data['instructions']:,}",
                str(inferred["again"]),
                inferred["exact"] if inferred["exact"] == "everywhere" else str(len(inferred["exact"])),
                str(len(result.alarms)),
                result.verdict,
            ),
            not result.alarms and result.verdict == "safe",
        )


def chosen() -> Iterator[tuple[Expected, dict[str, Any]]]:
    """The programs that count, with what exact joins come to."""
    topics: set[str] = set()
    for program in programs():
        topic = program.path.parent.name
        if topic in topics or program.verdict != "safe" or not program.forks or len(topics) == WANTED:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            result = explore(program, Path(scratch, "out"), *JOINING, "--join", "ite")
        if result.verdict == "safe" and result.summary["merges"]["done"]:
            topics.add(topic)
            yield program, result.summary


def main() -> int:
    """The tables that are asked for."""
    parser = argparse.ArgumentParser(description="What inferred predicates prove.")
    parser.add_argument("what", nargs="*", choices=("proofs", "corpus"), default=("proofs", "corpus"))
    given = parser.parse_args().what
    status = 0
    if "proofs" in given:
        status |= table("Proofs of Table 3: work and what its queries hold", PROOF_HEAD, proofs())
    if "corpus" in given:
        status |= table("Programs of the corpus that exact joins prove", CORPUS_HEAD, corpus())
    return status


if __name__ == "__main__":
    sys.exit(main())
