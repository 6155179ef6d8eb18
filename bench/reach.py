"""Does ``unfork reach`` answer rightly? A row for each line of a public library, or report of another tool.

``python -m bench.reach lines|reports [NAMES] [--sources DIR] [--per-function S] [--table] [--show]``

``lines``: twenty claims about lines of libraries, ten true and ten false; each was decided by reading, before unfork
was first asked. The status is 1 where a true one is not confirmed, or a false one is. ``reports``: forty reports as
other tools make them, of the kinds that trackers are full of, about small programs in tests/commands/scan/reports;
their first comments say what is right. The status is 1 where fewer than nine of ten are answered rightly.

Sources are fetched with git into ``--sources``, and never become part of this repository; a folder that is there
already is taken as it is. CPU seconds are those of all processes of a command.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.scan import LONGEST, arguments, execute, matches, perform, table
from bench.scan_lists.entries import Library
from bench.trees import GitTree

HERE = Path(__file__).resolve().parent
REPORTS = HERE.parent / "tests" / "commands" / "scan" / "reports"
SHARE = 0.9
"""Of the reports, at least these are to be answered rightly."""
_STATED = re.compile(r"^\s*report: (confirmed|not reachable|conditional)$", re.M)


@dataclass(frozen=True, slots=True)
class Source:
    """A library, and the files of it that are looked at."""

    tree: GitTree
    library: Library


@dataclass(frozen=True, slots=True)
class Claim:
    """Code at a line runs, or fails as ``kind`` says. ``is_true`` is what reading said, for the reason ``why``."""

    source: Source
    place: str
    is_true: bool
    why: str
    kind: str = ""

    @property
    def name(self) -> str:
        return f"{self.source.tree.name}/{Path(self.place).name}"


CJSON = Source(GitTree("DaveGamble/cJSON", "a29814f285cc531c00223743ad3c55cd38c0dc56"), Library(("cJSON.c",)))
CWALK = Source(
    GitTree("likle/cwalk", "e98d23f68807208952c179b49e4fd1813f31298d"), Library(("src/cwalk.c",), ("include",))
)
HEATSHRINK = Source(
    GitTree("atomicobject/heatshrink", "7d419e1fa4830d0b919b9b6a91fe2fb786cf3280"),
    Library(("heatshrink_decoder.c", "heatshrink_encoder.c")),
)
INIPARSER = Source(
    GitTree("ndevilla/iniparser", "4bef811283e0ec1658c60e09950bd5a1ddc92e4b"),
    Library(("src/iniparser.c", "src/dictionary.c"), ("src",)),
)
MD4C = Source(GitTree("mity/md4c", "c4be8625eb11725d604232b028df10c2ddf9b577"), Library(("src/md4c.c",), ("src",)))
MICROTAR = Source(GitTree("rxi/microtar", "27076e1b9290e9c7842bb7890a54fcf172406c84"), Library(("src/microtar.c",)))
PARSON = Source(GitTree("kgabis/parson", "ba29f4eda9ea7703a9f6a9cf2b0532a2605723c3"), Library(("parson.c",)))
PICOHTTP = Source(
    GitTree("h2o/picohttpparser", "f8326098f63eefabfa2b6ec595d90e9ed5ed958a"), Library(("picohttpparser.c",))
)

CLAIMS = (
    Claim(CJSON, "cJSON.c:785", True, "a pair of surrogates gives a character of four bytes"),
    Claim(CWALK, "src/cwalk.c:541", True, "a network path has a server and a share"),
    Claim(CWALK, "src/cwalk.c:162", True, "in the other style, equal paths are compared to their ends"),
    Claim(HEATSHRINK, "heatshrink_decoder.c:283", True, "a back reference ends with its last byte"),
    Claim(INIPARSER, "src/iniparser.c:244", True, "a section has no value"),
    Claim(MD4C, "src/md4c.c:7013", True, "a line of = makes a heading of the line above"),
    Claim(MICROTAR, "src/microtar.c:102", True, "the sum in a header is wrong"),
    Claim(MICROTAR, "src/microtar.c:152", True, "any other number has no text"),
    Claim(PARSON, "parson.c:356", True, "a text of one byte begins a sequence of two", "out-of-bounds"),
    Claim(PICOHTTP, "picohttpparser.c:573", True, "a letter follows the size of a chunk"),
    Claim(CJSON, "cJSON.c:631", False, "%1.17g makes at most 24 characters, and the buffer has 26"),
    Claim(CJSON, "cJSON.c:689", False, "the number of four digits is shifted three times", "shift"),
    Claim(CWALK, "src/cwalk.c:667", False, "an absolute path has a root, so that its position is not zero", "assert"),
    Claim(CWALK, "src/cwalk.c:710", False, "at most three of four pointers are set", "out-of-bounds"),
    Claim(HEATSHRINK, "heatshrink_decoder.c:174", False, "all states that the decoder takes have a case"),
    Claim(HEATSHRINK, "heatshrink_decoder.c:82", False, "a decoder has at most 15 bits of window", "shift"),
    Claim(INIPARSER, "src/iniparser.c:58", False, "the loop leaves a byte for the end", "out-of-bounds"),
    Claim(MICROTAR, "src/microtar.c:45", False, "both callers round to 512", "div-by-zero"),
    Claim(PARSON, "parson.c:347", False, "every first byte that is left has one of the four forms"),
    Claim(PICOHTTP, "picohttpparser.c:535", False, "the character is a digit", "overflow"),
)
"""Decided by reading the libraries, before unfork was first asked."""


def ask(words: Sequence[str], out: Path, given: argparse.Namespace) -> tuple[list[dict[str, Any]], float, str]:
    """The answers of one run of ``unfork reach``, its CPU seconds, and what went wrong."""
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "unfork", "reach", *words, "--out", str(out), "--no-progress", "--quiet"]
    words += ["--per-function", f"{given.per_function:g}"]
    if given.show:
        print(" ".join(words), flush=True)
    done = execute(words, LONGEST)
    report = out / "scan.json"
    if not report.exists():
        return [], done.cpu, f"status {done.status}: {done.stderr.strip()[-200:]}"
    return json.loads(report.read_text())["answers"], done.cpu, ""


def compare_lines(given: argparse.Namespace) -> int:
    """A row for each claim."""
    rows = [["line", "claim", "by reading", "answer", "CPU s", "why"]]
    confirmed = {True: 0, False: 0}
    excluded = 0
    chosen = [each for each in CLAIMS if matches(each.name, given)]
    for claim in chosen:
        files, flags = claim.source.library.unpack(claim.source.tree, given.sources)  # type: ignore[arg-type]
        place = str(claim.source.tree.unpack(given.sources) / claim.place)
        kind = ["--kind", claim.kind] if claim.kind else []
        words = [place, *map(str, files), *kind, "--cflags", " ".join(["-w", *flags])]
        answers, cpu, trouble = ask(words, given.sources / "runs" / "reach", given)
        answer, reason = (answers[0]["answer"], answers[0]["reason"]) if answers else (trouble, "")
        confirmed[claim.is_true] += answer == "confirmed"
        excluded += answer == "not reachable" and not claim.is_true
        truth = "true" if claim.is_true else "false"
        rows.append([claim.name, claim.kind or "reached", truth, answer, f"{cpu:.0f}", reason[:70]])
        print(rows[-1], file=sys.stderr, flush=True)
    table(rows, given)
    true = sum(each.is_true for each in chosen)
    print(f"{confirmed[True]} of {true} true claims confirmed, {confirmed[False]} of {len(chosen) - true} false ones;")
    print(f"{excluded} of the false ones are not within the bounds")
    return 0 if confirmed == {True: true, False: 0} else 1


def stated(program: Path) -> str:
    """The right answer to the report about a program."""
    found = _STATED.search(program.read_text().partition("*/")[0])
    if found is None:
        raise ValueError(f"{program}: the first comment does not state what is right")
    return found[1]


def compare_reports(given: argparse.Namespace) -> int:
    """A row for each report that is answered otherwise than its program says; all are counted."""
    words = ["--sarif", str(REPORTS / "reports.sarif"), str(REPORTS)]
    answers, cpu, trouble = ask(words, given.sources / "runs" / "reports", given)
    rows = [["program", "rule", "right", "answer", "why"]]
    right = wrong = 0
    for each in answers:
        program = REPORTS / Path(each["claim"]["file"]).name
        expected, answer = stated(program), each["answer"]
        right += answer == expected
        wrong += {answer, expected} == {"confirmed", "not reachable"}
        if answer != expected:
            rows.append([program.stem, each["claim"]["rule"], expected, answer, each["reason"][:70]])
    table(rows, given)
    print(f"{right} of {len(answers)} reports answered rightly, {wrong} the other way round; {cpu:.0f} CPU s{trouble}")
    return 0 if answers and right >= SHARE * len(answers) else 1


def main() -> int:
    """The command."""
    modes = {"lines": compare_lines, "reports": compare_reports}
    return perform(arguments(__doc__, modes, "unfork-reach"), modes)


if __name__ == "__main__":
    sys.exit(main())
