"""How many of a project's own contracts for CBMC does unfork prove, unchanged? A row for each function, then totals.

``python -m bench.real_proofs mlkem|mldsa --sources DIR [--cores N] [--per-function S] [--function GLOB] [--no-cache]
[--markdown]``

``mlkem`` is mlkem-native, ``mldsa`` its twin. ``--sources`` is a checkout at the commit that PROJECTS names; a warning
says if it is another. A row has the seconds of processors of a function's proof. The totals are the functions with
contracts, the share that is ``safe``, contracts that are assumed from outside, the longest proof, and the seconds of
all by the clock. bench/beside_cbmc.py compares some of them with CBMC.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST_TEXT = 100


@dataclass(frozen=True, slots=True)
class Project:
    """C files of a repository, how its own proofs compile them, and the commit that figures are of."""

    repository: str
    commit: str
    folders: Sequence[str]
    flags: str


PROJECTS = {
    "mlkem": Project(
        "https://github.com/pq-code-package/mlkem-native",
        "d1b2fe782888bdb761a50336012923180be7f502",
        ("mlkem/src", "mlkem/src/fips202"),
        "-DCBMC -I mlkem/src -I mlkem -DMLK_CONFIG_PARAMETER_SET=768 -w",
    ),
    "mldsa": Project(
        "https://github.com/sher280/mldsa-native",
        "1f9f9d1d288483117b53b9c69e857de6ec5d0158",
        ("mldsa", "mldsa/fips202"),
        "-DCBMC -I mldsa -DMLDSA_MODE=3 -w",
    ),
}
"""By the words that choose them. The second is a fork of pq-code-package/mldsa-native."""


def check_commit(project: Project, sources: Path) -> None:
    """Warn if the sources are not those that figures are of."""
    words = ["git", "-C", str(sources), "rev-parse", "HEAD"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.stdout.strip() != project.commit:
        found = done.stdout.strip() or "no git repository"
        print(f"{sources} is at {found}, not at {project.commit} of {project.repository}", file=sys.stderr)


def prove(project: Project, given: argparse.Namespace, out: Path) -> tuple[Mapping[str, Any], float]:
    """What summary.json holds when all is proved, and the seconds by the clock. Exits where there is none."""
    sources = given.sources.resolve()
    files = [
        str(path.relative_to(sources)) for each in project.folders for path in sorted((sources / each).glob("*.c"))
    ]
    words = [sys.executable, "-m", "unfork", "verify", *files, "--cflags", project.flags, "--out", str(out)]
    words += ["--per-function", str(given.per_function), "--quiet"]
    words += ["--cores", str(given.cores)] * (given.cores is not None) + ["--no-cache"] * given.no_cache
    words += [word for pattern in given.function for word in ("--function", pattern)]
    began = time.monotonic()
    done = subprocess.run(words, cwd=sources, env=environment(), check=False)
    seconds = time.monotonic() - began
    try:
        return json.loads((out / "summary.json").read_text("utf-8")), seconds
    except FileNotFoundError:
        sys.exit(done.returncode)


def environment() -> dict[str, str]:
    """The environment, with paths that hold from any folder."""
    paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def why(proof: Mapping[str, Any]) -> str:
    """Why a function is not proved; "" if it is."""
    left = [f"{each['kind']} at line {each['line']}" for each in proof["obligations"] if each["ending"] != "proved"]
    words = [*proof["reasons"][:1], *[f"open: {each}" for each in left[:1]]] if proof["verdict"] != "safe" else []
    return "; ".join(words).replace("\n", " ")[:LONGEST_TEXT]


def rows(data: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """A row for each function: its name, file, verdict, obligations, seconds and reason."""
    told = []
    for each in sorted(data["functions"], key=lambda each: (each["file"], each["line"])):
        proved = sum(one["ending"] == "proved" for one in each["obligations"])
        share = f"{proved}/{len(each['obligations'])}"
        cells = (
            each["function"],
            Path(each["file"]).name,
            each["verdict"],
            share,
            f"{each['processors']:.1f}",
            why(each),
        )
        told.append(cells)
    return told


def show(titles: Sequence[str], told: Sequence[Sequence[str]], *, markdown: bool) -> None:
    """A table."""
    if markdown:
        lines = [titles, ("---",) * len(titles), *told]
        print("\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines))
        return
    widths = [max(map(len, column)) for column in zip(titles, *told, strict=True)]
    for line in (titles, *told):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def main() -> int:
    """Prove a project and print the table. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", choices=PROJECTS)
    parser.add_argument("--sources", type=Path, required=True, metavar="DIR", help="a checkout of the project")
    parser.add_argument("--cores", type=int, metavar="N")
    parser.add_argument("--per-function", type=float, default=120.0, metavar="S")
    parser.add_argument("--function", action="append", default=[], metavar="GLOB")
    parser.add_argument("--no-cache", action="store_true")
    parser.add_argument("--markdown", action="store_true", help="the table as documents have it")
    given = parser.parse_args()
    project = PROJECTS[given.project]
    check_commit(project, given.sources)
    with tempfile.TemporaryDirectory() as scratch:
        data, seconds = prove(project, given, Path(scratch, "out"))
    show(("function", "file", "verdict", "proved", "CPU s", "why not"), rows(data), markdown=given.markdown)
    proofs = data["functions"]
    safe = sum(each["verdict"] == "safe" for each in proofs)
    slowest = max(proofs, key=lambda each: float(each["processors"]))
    used = sum(each["processors"] for each in proofs)
    print(f"\n{len(proofs)} functions with contracts: {safe} safe ({safe / len(proofs):.0%})")
    print(f"assumed from outside: {len(data['assumptions'])}", *data["assumptions"], sep="\n  ")
    print(f"left out: {len(data['left_out'])}", *data["left_out"], sep="\n  ")
    print(f"at most {slowest['processors']:.1f} CPU s ({slowest['function']}), {used:.0f} CPU s in all")
    print(f"the whole took {seconds:.0f} s by the clock; {sum(each['cached'] for each in proofs)} taken over")
    return 0


if __name__ == "__main__":
    sys.exit(main())
