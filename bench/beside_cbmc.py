"""How do CBMC and unfork compare on the same contracts of mlkem-native? Verdicts and seconds, function by function.

``python -m bench.beside_cbmc --sources DIR [--tools DIR] [--proofs NAME...]``

``--sources`` is a checkout of mlkem-native (real_proofs.py names the commit), which is copied; ``--tools`` a folder
with cbmc, goto-cc and goto-instrument (Debian's package cbmc). CBMC proves as the project's makefiles ask, without
litani, and with the Bitwuzla that unfork uses. Seconds are of the processors of all processes: CBMC's from C to its
verdict, unfork's the whole command without its cache, on the files that the makefile names. Both assume the contracts
of callees.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from bench.real_proofs import PROJECTS

PROOFS = (
    "ct_memcmp",
    "fqmul",
    "invntt_layer",
    "keccakf1600_permute_c",
    "ntt_butterfly_block",
    "poly_add",
    "poly_compress_d4_c",
    "poly_reduce_c",
    "poly_tobytes_c",
    "polyvec_basemul_acc_montgomery_cached_c",
)
"""Folders of the project's proofs, of each kind of function one, chosen before any was measured beside the other."""
MOST = 900
"""Seconds by the clock of one proof."""
JOB = "add-job"
SOURCES = re.compile(r"^PROJECT_SOURCES \+= \$\(SRCDIR\)/(\S+)", re.M)
"""In a proof's makefile, the files that it is about."""
SOLVER = """\
#!{python}
import sys
import bitwuzla
options = bitwuzla.Options()
options.set(bitwuzla.Option.PRODUCE_MODELS, True)
bitwuzla.Parser(bitwuzla.TermManager(), options).parse(sys.argv[-1], False, True)
"""


def job(words: Sequence[str]) -> int:
    """What litani does with a job, at once: the command's exit status, or 0 if that one is expected."""
    options = {word: words[at + 1] for at, word in enumerate(words) if word.startswith("--") and at + 1 < len(words)}
    for file in (options.get("--stdout-file"), options.get("--outputs")):
        if file is not None:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
    with open(options.get("--stdout-file", os.devnull), "w", encoding="utf-8") as output:
        done = subprocess.run(options["--command"], shell=True, stdout=output, stderr=subprocess.STDOUT, check=False)
    return 0 if str(done.returncode) == options.get("--ignore-returns") else done.returncode


def spent(words: Sequence[str], folder: Path, environment: dict[str, str]) -> tuple[float, str]:
    """The seconds of processors of a command, and what it printed."""
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        ["timeout", "-s", "KILL", str(MOST), *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout + done.stderr


def by_cbmc(project: Path, proof: str, environment: dict[str, str]) -> tuple[float, str]:
    """CBMC's seconds and verdict."""
    root = project / "proofs/cbmc"
    seconds, _ = spent(["make", "LITANI=litani", "_result", f"PROOF_ROOT={root}"], root / proof, environment)
    result = root / proof / "logs/result.txt"
    lines = result.read_text().splitlines() if result.is_file() else []
    verdict = next((line for line in reversed(lines) if line.startswith("VERIFICATION")), "no verdict")
    return seconds, verdict.removeprefix("VERIFICATION ").lower()


def by_unfork(project: Path, proof: str, environment: dict[str, str]) -> tuple[float, str]:
    """unfork's seconds and verdict."""
    asked = PROJECTS["mlkem"]
    files = SOURCES.findall((project / "proofs/cbmc" / proof / "Makefile").read_text())
    words = [sys.executable, "-m", "unfork", "verify", *files, "--function", f"mlk_{proof}", "--no-cache"]
    with tempfile.TemporaryDirectory() as out:
        seconds, said = spent([*words, "--out", f"{out}/run", "--cflags", asked.flags], project, environment)
    verdict = next((line for line in said.splitlines() if line.startswith("verdict: ")), "no verdict")
    return seconds, verdict.removeprefix("verdict: ").partition(" (")[0].partition(",")[0]


def main() -> None:
    """Print a row for each proof."""
    if sys.argv[1:2] == [JOB]:
        sys.exit(job(sys.argv[2:]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", metavar="DIR", type=Path, required=True, help="a checkout of mlkem-native")
    parser.add_argument("--tools", metavar="DIR", type=Path, help="where cbmc is, if not on the path")
    parser.add_argument("--proofs", metavar="NAME", nargs="+", default=PROOFS, help="folders of proofs/cbmc")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        project, programs = Path(scratch, "mlkem"), Path(scratch, "bin")
        shutil.copytree(given.sources, project, ignore=shutil.ignore_patterns(".git"))
        programs.mkdir()
        litani = f'#!/bin/sh\n[ "$1" = {JOB} ] || exit 0\nexec {sys.executable} {Path(__file__).resolve()} "$@"\n'
        for name, text in (("bitwuzla", SOLVER.format(python=sys.executable)), ("litani", litani)):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        path = os.pathsep.join([str(programs), *([str(given.tools)] if given.tools else []), os.environ["PATH"]])
        here = os.pathsep.join([str(Path(__file__).resolve().parents[1]), *sys.path[1:]])
        environment = {**os.environ, "PATH": path, "PYTHONPATH": here}
        if shutil.which("cbmc", path=path) is None:
            parser.error("there is no cbmc on the path, nor in --tools")
        print("| function | CBMC | CPU s | unfork | CPU s | CBMC / unfork |\n| --- | --- | ---: | --- | ---: | ---: |")
        for proof in given.proofs:
            theirs, verdict = by_cbmc(project, proof, environment)
            ours, said = by_unfork(project, proof, environment)
            print(f"| `{proof}` | {verdict} | {theirs:.1f} | {said} | {ours:.1f} | {theirs / ours:.1f} |", flush=True)


if __name__ == "__main__":
    main()
