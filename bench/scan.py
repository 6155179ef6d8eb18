"""What does ``unfork scan`` find in libraries, without harnesses? A row for each known bug, program or release.

``python -m bench.scan MODE [NAMES] [--sources DIR] [--per-function S] [--table] [--tools]``

``bugs``: fifteen releases of C libraries with a bug that was found and fixed, chosen before ``unfork scan`` was first
run. A row says whether a certain or likely finding has the bug's kind and lies in the function that the fix changed,
whether the fixed version is silent there, and how many other such findings there are; with ``--narrow``, only the
functions of the bug are scanned. ``bugs-seen``, ``bugs-blind``: the same of twenty further bugs, chosen before any of
them was scanned; the latter were scanned once. ``bugs-again``, ``bugs-third`` to ``bugs-tenth``: the same of ten bugs
in ten libraries of no other list, chosen before any of them was scanned. ``programs``: the programs of
tests/commands/scan/programs, whose first comment states what is certain. ``releases``: ten libraries as they are now;
lists what is certain or likely, to be read by hand. ``seen``, ``blind``, ``blind-again``, ``blind-third`` to
``blind-twelfth``: the same of the whole folders of small libraries on GitHub, as a maintainer scans them. Rules were
made on the first list, none on the others, each of which was fixed before its first scan. ``speed``: how many functions
of the releases two processors explore in a minute, and what a second scan costs, which finds the results of the first.
With ``--tools``, clang's analyzer and cppcheck read the same sources where they are installed.
bench/scan_lists has the lists, and says how each was chosen.

Sources are fetched as bench/known_bugs.py fetches them, into ``--sources``, and never become part of this repository;
bench/scan/include has the few lines that a library's configure script would write. CPU seconds are those of all
processes of a command.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from bench.processors import Done, run
from bench.scan_lists.bugs import BUGS
from bench.scan_lists.bugs_again import BUGS_AGAIN
from bench.scan_lists.bugs_eighth import BUGS_EIGHTH
from bench.scan_lists.bugs_fifth import BUGS_FIFTH
from bench.scan_lists.bugs_fourth import BUGS_FOURTH
from bench.scan_lists.bugs_ninth import BUGS_NINTH
from bench.scan_lists.bugs_seventh import BUGS_SEVENTH
from bench.scan_lists.bugs_sixth import BUGS_SIXTH
from bench.scan_lists.bugs_tenth import BUGS_TENTH
from bench.scan_lists.bugs_third import BUGS_THIRD
from bench.scan_lists.entries import Bug, Finding, Release
from bench.scan_lists.folders import (
    BLIND,
    BLIND_AGAIN,
    BLIND_EIGHTH,
    BLIND_ELEVENTH,
    BLIND_FIFTH,
    BLIND_FOURTH,
    BLIND_NINTH,
    BLIND_SEVENTH,
    BLIND_SIXTH,
    BLIND_TENTH,
    BLIND_THIRD,
    BLIND_TWELFTH,
    SEEN,
)
from bench.scan_lists.later_bugs import LATER_BLIND, LATER_SEEN
from bench.scan_lists.releases import RELEASES
from unfork.program.c.syntax import name_of, syntax_of

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "tests" / "commands" / "scan" / "programs"
CLASSES = ("certain", "likely", "conditional", "undecided")
LISTED = CLASSES[:2]
"""What a maintainer is asked to fix."""
LONGEST = 3600
"""Seconds of the clock after which a command is killed."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan came to."""

    found: dict[str, Sequence[Finding]]
    """By their certainty, a key for each of CLASSES."""
    functions: dict[str, str]
    cpu: float
    trouble: str


def execute(words: Sequence[str], most: float) -> Done:
    """Run a command of this repository."""
    environment = os.environ | {"PYTHONPATH": str(HERE.parent / "src")}
    return run(words, Path.cwd(), environment, most)


def scan(
    files: Sequence[Path], flags: Sequence[str], given: argparse.Namespace, out: Path, *, is_first: bool = True
) -> Scanned:
    """One run of ``unfork scan``. Only one that ``is_first`` takes nothing over from earlier ones."""
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "unfork", "scan", *map(str, files), "--out", str(out)]
    words += ["--per-function", f"{given.per_function:g}", "--cflags", shlex.join(["-w", *flags])]
    words += shlex.split(given.options)
    if is_first:
        words.append("--no-cache")
    if given.show:
        print(shlex.join(words), flush=True)
    done = execute(words, LONGEST)
    report = out / "scan.json"
    if not report.exists():
        return Scanned(dict.fromkeys(CLASSES, ()), {}, done.cpu, f"status {done.status}: {done.stderr.strip()[-300:]}")
    told = json.loads(report.read_text())
    found: dict[str, list[Finding]] = {name: [] for name in CLASSES}
    for each in told["findings"]:
        finding = Finding(each["file"] or "", each["line"], each["function"], each["kind"], each["message"])
        found[each["certainty"]].append(finding)
    explored = {each["name"]: each["explored"] for each in told["functions"]}
    return Scanned({**found}, explored, done.cpu, "")


def extents(files: Iterable[Path], bug: Bug) -> list[range]:
    """The lines of the functions in which the bug is."""
    lines = []
    for path in files:
        if path.name == bug.file:
            for function in syntax_of(path.read_text(errors="replace")).functions:
                name = name_of(function.child_by_field_name("declarator"))
                if name is not None and name.text is not None and name.text.decode() in bug.functions:
                    lines.append(range(function.start_point.row + 1, function.end_point.row + 2))
    return lines


def names_function(files: Iterable[Path], bug: Bug) -> bool:
    """Whether the bug's file has its function, where macros before it keep the parser from seeing that."""
    texts = [path.read_text(errors="replace") for path in files if path.name == bug.file]
    return any(re.search(rf"\b{name}\(", text) for text in texts for name in bug.functions)


REPORT = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:warning|error): (?P<text>.*) \[(?P<kind>[^\]]+)\]$", re.M
)


COMPILER = ("-D__GNUC__=12", "-D__linux__", "-D__x86_64__", "-D__STDC_VERSION__=201112L")
"""What a compiler would define, which cppcheck does not know; without them headers stop with #error."""


def clang(files: Sequence[Path], flags: Sequence[str], given: argparse.Namespace) -> tuple[list[Finding], float] | None:
    """What clang's analyzer reports, file by file, and its CPU seconds."""
    program = shutil.which("clang") or shutil.which("clang-16")
    if program is None:
        return None
    words = [program, "--analyze", "-Xclang", "-analyzer-output=text", "-w", *flags]
    return reports([[*words, str(file)] for file in files])


def cppcheck(
    files: Sequence[Path], flags: Sequence[str], given: argparse.Namespace
) -> tuple[list[Finding], float] | None:
    """What cppcheck reports about all files at once, and its CPU seconds."""
    program = shutil.which("cppcheck")
    if program is None:
        return None
    template = "--template={file}:{line}: {severity}: {message} [{id}]"
    known = [*COMPILER, *(flag for flag in flags if flag[:2] in ("-I", "-D"))]
    return reports([[program, "--quiet", "--enable=warning", template, *known, *map(str, files)]])


def reports(commands: Iterable[Sequence[str]]) -> tuple[list[Finding], float]:
    """The distinct warnings that commands print."""
    found: dict[Finding, None] = {}
    cpu = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for words in commands:
            done = run(words, Path(folder), os.environ, LONGEST)
            cpu += done.cpu
            for match in REPORT.finditer(done.stdout + done.stderr):
                found[Finding(match["file"], int(match["line"]), "", match["kind"], match["text"])] = None
    return list(found), cpu


TOOLS = {"clang --analyze": clang, "cppcheck": cppcheck}


def table(rows: Sequence[Sequence[str]], given: argparse.Namespace) -> None:
    """Rows, the first of which is the head; with --table as Markdown."""
    if given.table:
        head, *others = rows
        for row in (head, ["---"] * len(head), *others):
            print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def narrowed(bug: Bug, given: argparse.Namespace) -> argparse.Namespace:
    """With --narrow, a scan of the functions of the bug and its callers alone."""
    if not given.narrow:
        return given
    names = " ".join(f"--functions {name}" for name in (*bug.functions, *bug.callers))
    return argparse.Namespace(**{**vars(given), "options": f"{given.options} {names}"})


def compare_bugs(bugs: Sequence[Bug], given: argparse.Namespace) -> int:
    """A row for each bug. The status is 1 where a bug is not found, or the fixed version is not silent."""
    rows = [["bug", "reference", "kind", "function", "found", "fixed", "others", "CPU s", "explored"]]
    tools: dict[str, list[str]] = {}
    good = True
    for bug in chosen(bugs, given):
        cells: list[str] = []
        others = cpu = 0.0
        explored = []
        for tree, library in ((bug.buggy, bug.library), (bug.fixed, bug.fixed_library or bug.library)):
            files, flags = library.unpack(tree, given.sources)
            places = extents(files, bug)
            side = "fixed" if tree is bug.fixed else "buggy"
            if not places and side == "buggy" and not names_function(files, bug):
                raise SystemExit(f"{bug.name}: no function {' or '.join(bug.functions)} in {bug.file}")
            if given.tools:
                for tool, ask in TOOLS.items():
                    answer = ask(files, flags, given)
                    if answer is not None:
                        for each in answer[0]:
                            if given.show and bug.explains(each, places):
                                print(f"{bug.name}, {side}, {tool}: line {each.line}: {each.message} [{each.kind}]")
                        near = sum(bug.explains(each, places) for each in answer[0])
                        tools.setdefault(f"{bug.name}, {tool}", []).extend(
                            [str(near), str(len(answer[0]) - near), f"{answer[1]:.1f}"]
                        )
                continue
            got = scan(files, flags, narrowed(bug, given), given.sources / "runs" / f"{bug.name}-{side}")
            here = {name: [each for each in got.found[name] if bug.is_shown(each, places)] for name in LISTED}
            others += sum(len(got.found[name]) - len(here[name]) for name in LISTED)
            named_here = [f"line {each.line} ({name})" for name, several in here.items() for each in several]
            cpu += got.cpu
            explored.append("/".join(got.functions.get(name, "-") for name in bug.functions if name in got.functions))
            if got.trouble:
                cells.append(got.trouble)
            elif side == "buggy":
                cells.append(named_here[0] if named_here else "no")
            else:
                cells.append(f"{named_here[0]} (!)" if named_here else "silent")
            good &= bool(named_here) == (side == "buggy") and not got.trouble
        if not given.tools:
            named = ", ".join(bug.functions[:1])
            rows.append(
                [bug.name, bug.reference, bug.kind, named, *cells, f"{others:g}", f"{cpu:.0f}", " ".join(explored)]
            )
            print(rows[-1], file=sys.stderr, flush=True)
    if given.tools:
        heads = [
            "bug, tool",
            "in its functions",
            "elsewhere",
            "CPU s",
            "in its functions, fixed",
            "elsewhere, fixed",
            "CPU s, fixed",
        ]
        table([heads, *([name, *row] for name, row in tools.items())], given)
        return 0
    table(rows, given)
    print(f"{sum(row[4].startswith('line') for row in rows[1:])} of {len(rows) - 1} found")
    return 0 if good else 1


EXPECTED = re.compile(r"scan: (?:(?P<certainty>certain|likely|conditional) (?P<kind>[a-z-]+) (?P<line>\d+)|nothing)")
OPTIONS = re.compile(r"options: (?P<words>.*)")


class Expectation(NamedTuple):
    """What is certain, likely and conditional in a program, by kind and line, and the options of its scan."""

    certain: set[tuple[str, int]]
    likely: set[tuple[str, int]]
    conditional: set[tuple[str, int]]
    options: list[str]


def expectation(program: Path) -> Expectation:
    """What the first comment of a program states. Raises ValueError if it states nothing."""
    header = program.read_text().partition("*/")[0]
    marks = list(EXPECTED.finditer(header))
    if not marks:
        raise ValueError(f"{program}: the first comment does not state what a scan finds")
    places: dict[str, set[tuple[str, int]]] = {"certain": set(), "likely": set(), "conditional": set()}
    for mark in marks:
        if mark["certainty"]:
            places[mark["certainty"]].add((mark["kind"], int(mark["line"])))
    options = OPTIONS.search(header)
    words = shlex.split(options["words"]) if options else []
    return Expectation(places["certain"], places["likely"], places["conditional"], words)


def programs() -> list[Path]:
    """The programs, in C and C++."""
    return sorted(path for path in PROGRAMS.iterdir() if path.suffix in (".c", ".cpp"))


def compare_programs(given: argparse.Namespace) -> int:
    """A row for each program that says something else than it must; all are counted."""
    heads = ["program", "certain", "expected", "likely", "expected", "conditional", "of these expected", "CPU s"]
    rows = [heads]
    selected = [path for path in programs() if matches(path.stem, given)]
    right = silent = preconditions = stated = 0
    cpu = 0.0
    given_options = given.options
    for program in selected:
        expected = expectation(program)
        given.options = f"{given_options} {shlex.join(expected.options)}"
        got = scan([program], [], given, given.sources / "runs" / program.stem)
        cpu += got.cpu
        said, likely = ({(each.kind, each.line) for each in got.found[name]} for name in ("certain", "likely"))
        weak = {(each.kind, each.line) for name in ("conditional", "undecided") for each in got.found[name]}
        is_right = said == expected.certain and likely >= expected.likely and not got.trouble
        right += is_right
        silent += not expected.certain and not said and not got.trouble
        preconditions += len(weak & expected.conditional)
        stated += len(expected.conditional)
        if not is_right:
            rows.append(
                [
                    program.stem,
                    got.trouble or places(said),
                    places(expected.certain),
                    places(likely),
                    places(expected.likely),
                    str(len(weak)),
                    f"{len(weak & expected.conditional)}/{len(expected.conditional)}",
                    f"{got.cpu:.1f}",
                ]
            )
    table(rows, given)
    print(
        f"{right} of {len(selected)} right, {silent} of those without a certain bug; "
        f"{preconditions} of {stated} preconditions told; {cpu:.0f} CPU s"
    )
    return 0 if right == len(selected) else 1


def places(found: Iterable[tuple[str, int]]) -> str:
    """Kinds and lines, for a cell."""
    return ", ".join(f"{kind} {line}" for kind, line in sorted(found)) or "nothing"


def list_releases(releases: Sequence[Release], given: argparse.Namespace) -> int:
    """Every certain finding in some releases, or with --tools the number of reports of each tool."""
    rows = [["library", "functions", "complete", *CLASSES, "CPU s"]]
    tools = [["library", "tool", "reports", "CPU s"]]
    for release in chosen(releases, given):
        files, flags = release.library.unpack(release.tree, given.sources)
        if given.tools:
            for tool, ask in TOOLS.items():
                answer = ask(files, flags, given)
                if answer is not None:
                    tools.append([release.name, tool, str(len(answer[0])), f"{answer[1]:.1f}"])
                    print(tools[-1], file=sys.stderr, flush=True)
                    for each in answer[0] if given.show else ():
                        print(f"{release.name}, {tool}: {each.file}:{each.line}: {each.message} [{each.kind}]")
            continue
        got = scan(files, flags, given, given.sources / "runs" / release.name)
        complete = sum(explored == "all" for explored in got.functions.values())
        counts = [len(got.functions), complete, *(len(got.found[name]) for name in CLASSES)]
        rows.append([release.name, *map(str, counts), f"{got.cpu:.0f}"])
        if got.trouble:
            print(f"{release.name}: {got.trouble}", flush=True)
        for each in (*got.found["certain"], *got.found["likely"]):
            place = f"{release.name}: {Path(each.file).name}:{each.line}: {each.function}"
            print(f"{place}: {each.kind}: {each.message}", flush=True)
    table(tools if given.tools else rows, given)
    return 0


def compare_speed(given: argparse.Namespace) -> int:
    """A row for each library."""
    rows = [["library", "functions", "complete", "CPU s", "a minute on two processors", "again: CPU s"]]
    for release in chosen(RELEASES, given):
        files, flags = release.library.unpack(release.tree, given.sources)
        out = given.sources / "runs" / release.name
        first = scan(files, flags, given, out)
        again = scan(files, flags, given, out, is_first=False)
        count, complete = len(first.functions), sum(explored == "all" for explored in first.functions.values())
        pace = 2 * 60 * count / first.cpu
        rows.append([release.name, str(count), str(complete), f"{first.cpu:.0f}", f"{pace:.0f}", f"{again.cpu:.1f}"])
        print(rows[-1], file=sys.stderr, flush=True)
    table(rows, given)
    return 0


Listed = TypeVar("Listed", Bug, Release)


def matches(name: str, given: argparse.Namespace) -> bool:
    """Whether the command line names it."""
    return not given.names or any(fnmatch(name, pattern) for pattern in given.names)


def chosen(every: Sequence[Listed], given: argparse.Namespace) -> list[Listed]:
    """Those that the command line names."""
    return [each for each in every if matches(each.name, given)]


Modes = Mapping[str, Callable[[argparse.Namespace], int]]


def arguments(about: str | None, modes: Modes, folder: str) -> argparse.ArgumentParser:
    """The command line of a script with these modes, whose sources and runs are in a temporary folder by default."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=modes)
    parser.add_argument("names", nargs="*", help="only these, with wildcards (default: all)")
    default = Path(tempfile.gettempdir()) / folder
    parser.add_argument("--sources", type=Path, default=default, help=f"for sources and runs (default {default})")
    parser.add_argument("--per-function", type=float, default=60, help="seconds for a function (default 60)")
    parser.add_argument("--table", action="store_true", help="print Markdown")
    parser.add_argument("--show", action="store_true", help="print the command lines, or the tools' reports")
    return parser


def perform(parser: argparse.ArgumentParser, modes: Modes) -> int:
    """Do what the command line says."""
    given = parser.parse_args()
    given.sources = given.sources.resolve()
    given.sources.mkdir(parents=True, exist_ok=True)
    return modes[given.mode](given)


def main() -> int:
    """The command."""
    lists = {"releases": RELEASES, "seen": SEEN, "blind": BLIND, "blind-again": BLIND_AGAIN}
    lists |= {"blind-third": BLIND_THIRD, "blind-fourth": BLIND_FOURTH, "blind-fifth": BLIND_FIFTH}
    lists |= {"blind-sixth": BLIND_SIXTH, "blind-seventh": BLIND_SEVENTH, "blind-eighth": BLIND_EIGHTH}
    lists |= {"blind-ninth": BLIND_NINTH, "blind-tenth": BLIND_TENTH, "blind-eleventh": BLIND_ELEVENTH}
    lists |= {"blind-twelfth": BLIND_TWELFTH}
    modes: Modes = {name: partial(list_releases, releases) for name, releases in lists.items()}
    known = {"bugs": BUGS, "bugs-seen": LATER_SEEN, "bugs-blind": LATER_BLIND}
    known |= {"bugs-again": BUGS_AGAIN, "bugs-third": BUGS_THIRD, "bugs-fourth": BUGS_FOURTH}
    known |= {"bugs-fifth": BUGS_FIFTH, "bugs-sixth": BUGS_SIXTH, "bugs-seventh": BUGS_SEVENTH}
    known |= {"bugs-eighth": BUGS_EIGHTH, "bugs-ninth": BUGS_NINTH, "bugs-tenth": BUGS_TENTH}
    modes = {**{name: partial(compare_bugs, bugs) for name, bugs in known.items()}, **modes}
    modes = {**modes, "programs": compare_programs, "speed": compare_speed}
    parser = arguments(__doc__, modes, "unfork-scan")
    parser.add_argument("--options", default="", help="further words for unfork scan")
    parser.add_argument("--narrow", action="store_true", help="bugs: scan the functions of each bug alone")
    parser.add_argument("--tools", action="store_true", help="clang --analyze and cppcheck in place of unfork")
    return perform(parser, modes)


if __name__ == "__main__":
    sys.exit(main())
