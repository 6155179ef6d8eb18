"""unfork export and unfork report: a run in the formats of other tools, or as one HTML page."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from unfork.cli.streams import complain, say
from unfork.cli.words import UnforkCommand, WordChoice
from unfork.commands.afterwards import corpus, export, page
from unfork.errors import InputError
from unfork.options.options import RUN_FORMATS, TEST_FORMATS
from unfork.program.c.escape import escape_text
from unfork.report.record.directory import write_file
from unfork.report.record.text import plural
from unfork.report.record.verdict import EXIT_SAFE

_TESTS = tuple(name for name in TEST_FORMATS if name != "json")
_CORPUS = "corpus"
_EXPORT = """Write what a run has found in a format that other tools read.

\b
sarif            errors, alarms, broken contracts and what is certain in
                 a scan, for code scanners (SARIF 2.1.0)
junit            tests as cases, errors as failures
lcov, cobertura  the lines and branches of the compiler's output that the
                 run covers
gcc              errors as FILE:LINE:COLUMN: error: TEXT [KIND], for editors
witness          the first error, or that there is none, as a witness 2.0 of
                 SV-COMP (docs/svcomp.md)

The tests, each in a file of its own, in RUN_DIR/tests or, with -o, in the folder FILE:

\b
ktest            as KLEE keeps them
xml              as Test-Comp keeps them
c                as C or C++, as the program is

\b
corpus           the inputs of a fuzz target that add coverage to the folder
                 FILE (RUN_DIR/corpus), named as libFuzzer names them; those
                 of errors go to FILE-crashes, each with its message"""
_REPORT = """Write a run, proofs or a scan as one HTML page.

It has the source with what was covered and where states forked, met and failed; each error and test as a path, with
values; the execution graph. Of proofs (unfork verify): the obligations on the source, how each ended, and what breaks
a contract. Of a scan (unfork scan): the functions by file, how far each was explored and what it requires, and the
findings, each with its C program. The page needs no network. Sources are read as they are now; it says if they have
changed since the run."""
_PAGE = "report.html"


@click.command("export", cls=UnforkCommand, help=_EXPORT)
@click.argument("root", metavar="RUN_DIR", type=click.Path(path_type=Path))
@click.argument("name", metavar="FORMAT", type=WordChoice([*RUN_FORMATS, *_TESTS, _CORPUS]))
@click.option(
    "-o", "target", metavar="FILE", type=click.Path(path_type=Path), help="Write there, not to standard output."
)
@click.option("--minimise", is_flag=True, help="Shrink crashes (corpus) while kind and line of the error stay.")
def export_command(root: Path, name: str, target: Path | None, minimise: bool) -> int:
    """Write the results of a run for another tool. Returns the exit status."""
    if minimise and name != _CORPUS:
        raise InputError(f"--minimise is for {_CORPUS}, not for {name}")
    if name == _CORPUS:
        return _export_corpus(root, root / _CORPUS if target is None else target, minimise=minimise)
    if name in _TESTS:
        folder = root / "tests" if target is None else target
        count = len(export.convert(root, name, folder))
        say(f"{plural(count, 'test')} in {escape_text(str(folder))}\n")
        return EXIT_SAFE
    data = export.export(export.open_run(root), name)
    if target is None:
        say(data)
    else:
        write_file(target, data)
    return EXIT_SAFE


def _export_corpus(root: Path, folder: Path, *, minimise: bool) -> int:
    written = corpus.write_corpus(export.open_exploration(root), folder, minimise=minimise)
    left_out = [(written.needless, "add no coverage"), (written.rejected, "are not for the corpus (-1)")]
    rest = "".join([f"; {count} {reason}" for count, reason in left_out if count])
    say(f"{plural(written.kept, 'new file')} in {escape_text(str(folder))}{rest}\n")
    for crash in written.crashes:
        say(f"{escape_text(str(crash))}\n")
    return EXIT_SAFE


@click.command("report", cls=UnforkCommand, help=_REPORT)
@click.argument("root", metavar="RUN_DIR", type=click.Path(path_type=Path))
@click.option(
    "-o", "target", metavar="FILE", type=click.Path(path_type=Path), help=f"Write there, not into {_PAGE} in RUN_DIR."
)
@click.option("--open", "opens", is_flag=True, help="Show it in the browser.")
def report_command(root: Path, target: Path | None, opens: bool) -> int:
    """Write the page of a run. Returns the exit status."""
    file = root / _PAGE if target is None else target
    write_file(file, page.page(root))
    say(f"{escape_text(str(file))}\n")
    if opens and not webbrowser.open(file.resolve().as_uri()):
        complain("unfork: no browser can be opened here")
    return EXIT_SAFE
