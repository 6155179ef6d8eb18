"""How many of the 150 weaknesses of CASTLE does one command line find? Programs by weakness, and the benchmark's score.

``python -m bench.castle --sources DIR [NAMES] [--jobs N] [--json FILE]``

``DIR/CASTLE-Benchmark`` is a clone of github.com/CASTLE-Benchmark/CASTLE-Benchmark (COMMIT), made unless it is there.
A name is a program's (``125-1``) or a weakness (``125``). Some programs need headers of Debian's packages PACKAGES.

The score is that of the benchmark's notebook (CASTLE-Source, charts.ipynb): 5 for a program whose weakness is reported,
2 for one without a weakness and without a report, -1 for each further report. A report counts if its line is labelled,
or if its CWE number is the labelled one, a parent or a child of it. Programs of the Top 25 earn a bonus, which the
notebook gives from the first hit on, whether or not that program was hit. ``earned`` is the score with the bonus for
hits alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.processors import run
from bench.trees import clone

REPOSITORY = "https://github.com/CASTLE-Benchmark/CASTLE-Benchmark"
COMMIT = "c7391c9ec5dd944653103fbf55e7ebbf85842d82"
PACKAGES = ("libssl-dev", "libsqlite3-dev", "libcurl4-openssl-dev", "libmariadb-dev-compat")
GCC = "-Wno-error=int-conversion -Wno-error=implicit-function-declaration"
"""What gcc before 14 takes for warnings: the programs were written for it."""
COMMAND = (
    *("run", "--sym-args", "0", "3", "16", "--sym-stdin", "64", "--sym-files", "1", "16", "--fail", "1"),
    *("--sym-env", "HOME", "16", "--sym-env", "USER", "16", "--sym-env", "PATH", "16"),
    *("--check", "memory,div,shift,unreachable,race,deadlock,overflow,leak,nontermination"),
    *("--max-time", "15s", "--cores", "1", "--formats", "sarif", "--cflags", GCC),
)
"""The command line, the same for each program; its file and ``--out`` follow."""
LONGEST = 600
"""Seconds of the clock after which a program's run is killed."""
TOP_25 = (
    *(79, 787, 89, 352, 22, 125, 78, 416, 862, 434, 94, 20, 77, 287, 269, 502, 200, 863, 918, 119, 476, 798, 190),
    *(400, 306),
)
"""CWE's most dangerous weaknesses of 2024, worst first."""
HIT, SILENT, FALSE, BONUS = 5, 2, -1, 5
"""Points of the score."""
PUBLISHED = (
    ("ESBMC 7.8.1", 53, 99, 12, 697),
    ("CodeQL 2.20.1", 35, 84, 43, 600),
    ("Snyk 1.1295.4", 30, 86, 28, 594),
    ("CBMC 5.95.1", 41, 97, 12, 547),
    ("SonarQube 25.3.0", 45, 73, 104, 542),
    ("GCC -fanalyzer 13.3.0", 41, 81, 74, 523),
    ("Coverity 2024.12.1", 31, 87, 61, 428),
    ("Cppcheck 2.13.0", 18, 100, 5, 405),
    ("Clang Analyzer 18.1.3", 13, 99, 2, 381),
)
"""Tools of the benchmark's table (its README, March 2025): true positives, true negatives, false positives, score."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a run reports: a CWE number, a line of the program, and a sentence."""

    weakness: int
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program's run came to."""

    name: str
    weakness: int
    vulnerable: bool
    findings: Sequence[Finding]
    hits: int
    verdict: str
    seconds: float

    @property
    def false(self) -> int:
        """Reports that are not of the labelled weakness."""
        return len(self.findings) - self.hits

    @property
    def silent(self) -> bool:
        """Whether the program has no weakness, and none is reported."""
        return not self.vulnerable and not self.findings


@dataclass(frozen=True, slots=True)
class Score:
    """The points of all programs; see the module."""

    hits: int
    silent: int
    false: int
    castle: int
    earned: int


def programs(sources: Path) -> Mapping[str, Any]:
    """The benchmark's own description, cloned if it is not there yet."""
    place = sources / "CASTLE-Benchmark"
    if not place.exists():
        sources.mkdir(parents=True, exist_ok=True)
        clone(REPOSITORY, COMMIT, place)
    described: Mapping[str, Any] = json.loads((place / "datasets" / "CASTLE-C250.json").read_text())
    return described


def accepted(described: Mapping[str, Any], weakness: int) -> frozenset[int]:
    """The CWE numbers that count for a labelled one: itself, its children and its parents."""
    entry = described["cwes"][str(weakness)]
    return frozenset({weakness, *(int(number) for each in (*entry["children"], *entry["parents"]) for number in each)})


def findings(log: Path) -> list[Finding]:
    """The results of a SARIF file, alarms excepted."""
    return [
        Finding(
            int(result["taxa"][0]["id"]) if result.get("taxa") else 0,
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
            result["message"]["text"],
        )
        for result in json.loads(log.read_text())["runs"][0]["results"]
        if result.get("kind", "fail") == "fail"
    ]


def answer(described: Mapping[str, Any], test: Mapping[str, Any], kept: Path | None) -> Answer:
    """Run one program; ``kept`` is a folder for run directories, None to keep none."""
    name = test["id"]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "main.c").write_text(test["code"])
        out = (kept or folder) / f"run-{name}"
        shutil.rmtree(out, ignore_errors=True)
        command = [sys.executable, "-m", "unfork", *COMMAND, "main.c", "--out", str(out)]
        done = run(command, folder, {**os.environ, "COLUMNS": "200"}, LONGEST)
        log = out / "results.sarif"
        reported = findings(log) if log.exists() else []
        summary = out / "summary.json"
        verdict = json.loads(summary.read_text())["verdict"] if summary.exists() else done.stderr.strip()[-200:]
    numbers = accepted(described, test["cwe"])
    hits = sum(each.line in test["lines"] or each.weakness in numbers for each in reported) if test["vulnerable"] else 0
    return Answer(name, test["cwe"], test["vulnerable"], reported, hits, verdict, done.cpu)


def bonus(weakness: int) -> int:
    """What a program of the Top 25 earns beside its points."""
    return BONUS - TOP_25.index(weakness) // BONUS if weakness in TOP_25 else 0


def score(answers: Sequence[Answer]) -> Score:
    """The points of programs in the benchmark's order."""
    hits = sum(each.hits > 0 for each in answers)
    silent = sum(each.silent for each in answers)
    false = sum(each.false for each in answers)
    points = HIT * hits + SILENT * silent + FALSE * false
    first = next((place for place, each in enumerate(answers) if each.hits), len(answers))
    given = sum(bonus(each.weakness) for each in answers[first:])
    earned = sum(bonus(each.weakness) for each in answers if each.hits)
    return Score(hits, silent, false, points + given, points + earned)


def table(answers: Sequence[Answer], names: Mapping[int, str]) -> Iterable[str]:
    """Rows by weakness, in Markdown."""
    yield "| CWE | weakness | found | silent | others |"
    yield "| ---: | --- | ---: | ---: | ---: |"
    for weakness in dict.fromkeys(each.weakness for each in answers):
        group = [each for each in answers if each.weakness == weakness]
        found = f"{sum(each.hits > 0 for each in group)}/{sum(each.vulnerable for each in group)}"
        silent = f"{sum(each.silent for each in group)}/{sum(not each.vulnerable for each in group)}"
        yield f"| {weakness} | {names[weakness]} | {found} | {silent} | {sum(each.false for each in group)} |"


def main() -> None:
    """Run the programs, print each and the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for the run directories")
    given = parser.parse_args()
    described = programs(given.sources)
    wanted = set(given.names)
    tests = [each for each in described["tests"] if not wanted or wanted & {each["id"], str(each["cwe"])}]
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    answers = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for each in pool.map(lambda test: answer(described, test, given.keep), tests):
            answers.append(each)
            label = "vulnerable" if each.vulnerable else "sound"
            print(f"{each.name}: {label}, {each.hits} hits, {each.false} others, {each.verdict}, {each.seconds:.1f} s")
            for finding in each.findings:
                print(f"    CWE-{finding.weakness} at {finding.line}: {finding.message}", flush=True)
    if given.json:
        given.json.write_text(json.dumps([asdict(each) for each in answers], indent=1))
    print(*table(answers, {int(number): entry["name"] for number, entry in described["cwes"].items()}), sep="\n")
    print("| tool | true positives | true negatives | false positives | score |")
    print("| --- | ---: | ---: | ---: | ---: |")
    total = score(answers)
    print(f"| unfork | {total.hits} | {total.silent} | {total.false} | {total.castle} ({total.earned} earned) |")
    for name, *figures in PUBLISHED:
        print(f"| {name} | {' | '.join(map(str, figures))} |")


if __name__ == "__main__":
    main()
