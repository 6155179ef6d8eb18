"""The command line: turns words into Options, and results into lines and exit statuses."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from unfork.api import libc_progress
from unfork.api.crash import CRASH, EngineFailed
from unfork.api.given import STDIN
from unfork.api.loops import loops
from unfork.api.replay import Session
from unfork.api.resume import CHANGEABLE, SHOWING, resume
from unfork.api.run import Result, run
from unfork.api.summary_file import check_summary_place, write_summary
from unfork.api.verify import VERIFYING, Verified, verify
from unfork.errors import InputError, OutOfTime
from unfork.explore.failures import Failure, Failures, Survival
from unfork.inputs.escape import shown
from unfork.inputs.testcase import TestCase
from unfork.option_help import help_text
from unfork.option_kinds import near
from unfork.options import DEFAULTS, DESCRIPTIONS, VERSION, Options, flags_of
from unfork.program.clang import C_SUFFIXES, IR_SUFFIXES, CompileError
from unfork.replay.account import table as replayed
from unfork.replay.binary import Enclosure
from unfork.report.directory import RunDirectory, WriteFailed, write_failed
from unfork.report.graph import graph
from unfork.report.ktest import from_ktest
from unfork.report.loops import kept_loops
from unfork.report.proofs import table
from unfork.report.show import drawing, read_summary, read_test, show
from unfork.report.summary import as_json
from unfork.report.text import final_lines
from unfork.report.verdict import EXIT_INTERRUPTED, EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE, EXIT_UNUSABLE
from unfork.toolchain.start import main as start_tool
from unfork.wiring import strategies

USAGE = """\
usage: unfork run     FILE... [options] [-- ARG...]   explore; find bugs; write tests (C, .i, .bc, .ll)
       unfork verify  FILE... [--function F,G]        prove contracts for all inputs
       unfork resume  RUN_DIR [--max-time S]          go on with a run that a limit, Ctrl-C or a crash ended
       unfork replay  RUN_DIR | TEST [--engine | --native]   re-run tests; coverage
       unfork show    RUN_DIR [TEST | ERROR | STATE]  explain a run, a test, a bug, why a state ended
       unfork strategies                              the named strategies and what they are good at
       unfork cc | ar ARG...                          compile, link, archive as clang does, and keep PROGRAM.bc
       unfork cache   build | clear | where           the C library's bitcode and compiled code: make, remove, say where
       unfork --version | unfork COMMAND --help
"""
_RUN_USAGE = """\
usage: unfork run FILE... [options] [-- ARG...]

  FILE is C (.c, preprocessed .i) or LLVM IR (.bc, .ll), or - for C on standard input; ARGs are the program's.
  Options say which way they err:
"""
_VERIFY_USAGE = """\
usage: unfork verify FILE... [--function F,G] [options]

  Proves that the functions with a contract keep it, for all inputs: ACSL comments, __CPROVER_ clauses, or UNFORK_
  macros (docs/verify.md). Of the options of unfork run, these have a meaning in proofs:
"""
_RESUME_USAGE = """\
usage: unfork resume RUN_DIR [options]

  Goes on with a run that a limit, Ctrl-C or a crash ended, in its directory. Limits of time count anew; all other
  options stay as they were, but for these:
"""
_REPLAY_USAGE = """\
usage: unfork replay RUN_DIR | TEST [--engine | --native [--program PROGRAM]]

  --engine
      run the tests on the engine: concrete, with every check (default)
  --native --program PROGRAM
      run the tests that need only arguments, standard input and files on PROGRAM, a native build
  --program FILE
      C or bitcode of the program, where a test does not lead to it

  TEST is a .json file of unfork, or a .ktest file of KLEE or unfork.
  --native
      build the program with a system compiler, its sanitizers where it has them, and run the tests; line and branch
      coverage with gcov where it is installed
  --unenclosed
      run native programs with all your rights, where the system grants no namespaces to enclose them in: what a test
      makes a program do is real
"""
_SHOW_USAGE = """\
usage: unfork show RUN_DIR [TEST | ERROR | STATE] [--svg FILE] [--dot FILE]
       unfork show --loops RUN_DIR
       unfork show --loops FILE... [OPTIONS of unfork run]

  TEST, ERROR and STATE are named tests/000001, errors/000001 and by a number; without one, the run is explained.
  --svg FILE
      draw the heap that a test gives its function, or that an error has left, into FILE
  --dot FILE
      write the execution graph of the run into FILE, for Graphviz: dashed edges lead from states that were covered to
      those that cover them, which show what had to be met
  --loops RUN_DIR
      the loops that a run has taken for any number of turns at once (--loops abstract): what their turns change, what
      is known of it, and what a turn makes of it; and why others were run turn by turn
  --loops FILE...
      the loops of a program, C or bitcode: those that unfork run takes in one step (--loops exact), and why others are
      run turn by turn
"""
_CACHE_USAGE = """\
usage: unfork cache build | clear | where

  build
      compile the C library now; the first run that needs it does so otherwise
  clear
      remove all that was kept, to be made again when it is needed: the C library, what runs have compiled, and what
      unfork cc has made ready for the compiler
  where
      print the folder: UNFORK_CACHE, or unfork in XDG_CACHE_HOME or in ~/.cache
"""
SUFFIXES = C_SUFFIXES | IR_SUFFIXES
"""The suffixes of files to run. A file in place of a command was meant for ``run``."""
_kept: list[Result] = []
"""The last run. It is kept so that its states are not freed one by one just before the process ends."""
_FLAGS = {flag: name for name, description in DESCRIPTIONS.items() for flag in flags_of(name, description)}


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    words = sys.argv[1:] if words is None else list(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # characters that the locale lacks are escaped
            stream.reconfigure(errors="backslashreplace")
    failures = Failures()
    with Survival(failures, "the command"):
        return _answered(words)
    assert failures.first is not None
    _complain(f"{failures.text()}\n{_plea(failures.first, 'the lines above')}")
    return EXIT_UNKNOWN


def _answered(words: Sequence[str]) -> int:
    """Run one command; one line says what is wrong with unusable input."""
    try:
        return _command(words)
    except CompileError as problem:
        _complain("\n".join(shown(line) for line in str(problem).expandtabs().split("\n")))
        return EXIT_UNUSABLE
    except OutOfTime as problem:
        _complain(f"unfork: {shown(str(problem))}; verdict: unknown")
        return EXIT_UNKNOWN
    except (InputError, WriteFailed) as problem:
        _complain(f"unfork: {shown(str(problem))}")
        return EXIT_UNUSABLE
    except OSError as error:  # the system refuses to open something: its name is too long, a link is circular
        if error.filename is None:
            raise
        _complain(f"unfork: {shown(str(error.filename))}: {error.strerror}")
        return EXIT_UNUSABLE
    except KeyboardInterrupt:
        _complain("unfork: interrupted")
        return EXIT_INTERRUPTED
    except EngineFailed as failed:
        _complain(_plea(failed.failure, str(failed.directory / CRASH)))
        return EXIT_UNKNOWN


def _plea(failure: Failure, shown_in: str) -> str:
    """One line about a failure of ours, and how to report it."""
    return f"unfork: internal error: {shown(failure.line)}; please report it with the program and {shown(shown_in)}"


def _say(text: str) -> None:
    """Write to standard output. Raises WriteFailed if that fails, unless the reader has left."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # so that the interpreter's last flush has somewhere to go
        if not isinstance(error, BrokenPipeError):
            raise write_failed("standard output", error) from None


def _complain(line: str) -> None:
    """Write a line to standard error, if there is one."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # as in _say


def _command(words: Sequence[str]) -> int:
    commands: dict[str, Callable[[Sequence[str]], int]] = {
        "run": _run,
        "verify": _verify,
        "resume": _resume,
        "replay": _replay,
        "show": _show,
        "cache": _cache,
        "strategies": _strategies,
    }
    if not words or words[0] in ("--help", "-h", "help"):
        if words:
            _say(USAGE)
            return EXIT_SAFE
        _complain(USAGE.rstrip("\n"))
        return EXIT_UNUSABLE
    if words[0] == "--version":
        _say(f"unfork {VERSION}\n")
        return EXIT_SAFE
    if words[0] in ("cc", "ar"):
        return start_tool(words)
    if words[0] not in commands:
        meant = f" (did you mean unfork run {words[0]}?)" if Path(words[0]).suffix in SUFFIXES else ""
        meant = meant or near(words[0], (*commands, "cc", "ar"))
        raise InputError(f"unknown command {words[0]!r}{meant}; see unfork --help")
    return commands[words[0]](words[1:])


# --- run ---


def _run(words: Sequence[str]) -> int:
    files, options, arguments, wants_help = parse(words)
    if wants_help:
        _say(f"{_RUN_USAGE}{help_text(tuple(DESCRIPTIONS))}\n")
        return EXIT_SAFE
    if not files:
        raise InputError("run: no input file")
    check_summary_place(options.json)
    return _told(run(files, options, arguments), options)


def _verify(words: Sequence[str]) -> int:
    files, options, arguments, wants_help = parse(words)
    if wants_help:
        _say(f"{_VERIFY_USAGE}{help_text(VERIFYING)}\n")
        return EXIT_SAFE
    if not files:
        raise InputError("verify: no input file")
    if arguments:
        raise InputError("verify: a function that is proved takes no program arguments")
    _refuse_others(options, (*VERIFYING, "prune"), "verify: {} has no meaning in proofs; see unfork verify --help")
    check_summary_place(options.json)
    verified = verify(files, options)
    _print([*table(verified.summary), f"verdict: {verified.verdict} ({verified.directory})"], verified, options)
    return verified.exit_status


def _resume(words: Sequence[str]) -> int:
    names, options, after, wants_help = parse(words)
    allowed = (*CHANGEABLE, *SHOWING)
    if wants_help:
        _say(f"{_RESUME_USAGE}{help_text(allowed)}\n")
        return EXIT_SAFE
    _refuse_others(options, allowed, "resume: {} stays as it was; see unfork resume --help")
    if len(names) != 1 or after:
        raise InputError("resume takes one run directory; see unfork resume --help")
    check_summary_place(options.json)
    return _told(resume(Path(names[0]), {name: getattr(options, name) for name in options.given}), options)


def _told(result: Result, options: Options) -> int:
    """Print what a run came to; returns the exit status."""
    _kept[:] = [result]
    lines = final_lines(result.summary, str(result.directory))
    if options.verbose:
        lines += _warnings(result.directory).splitlines()
    try:
        _print(lines, result, options)
    except WriteFailed as failed:
        _complain(f"unfork: {shown(str(failed))}")
        return result.exit_status or EXIT_UNKNOWN
    if result.trouble is not None:
        _complain(f"unfork: {shown(result.trouble)}")
    if result.failure is not None:
        _complain(_plea(result.failure, str(result.directory / CRASH)))
    return result.exit_status


def _print(lines: Sequence[str], result: Result | Verified, options: Options) -> None:
    """Print the final lines, and the summary where --json wants it. Only one of them goes to standard output."""
    text = "\n".join(lines)
    if not options.quiet and options.json == "-":
        _complain(text)
    elif not options.quiet:
        _say(f"{text}\n")
    if options.json == "-":
        _say(as_json(result.summary))
    elif options.json is not None:
        write_summary(result, options.json)


def _refuse_others(options: Options, allowed: Sequence[str], reason: str) -> None:
    """Raise InputError for the first option that is given and not allowed."""
    if refused := sorted(options.given.difference(allowed)):
        raise InputError(reason.format(flags_of(refused[0], DESCRIPTIONS[refused[0]])[0]))


def _warnings(directory: Path) -> str:
    try:
        return (directory / "warnings.txt").read_text("utf-8")
    except OSError:
        return ""


def parse(words: Sequence[str]) -> tuple[list[str], Options, list[str], bool]:
    """Files, options, program arguments (after --), and whether help is asked for.

    An option takes the next words as its values, whatever they begin with; --option=value means the same.
    Raises InputError for unknown options and wrong values.
    """
    files: list[str] = []
    values: dict[str, Any] = {}
    rest = list(words)
    wants_help = False
    while rest:
        word = rest.pop(0)
        if word == "--":
            return files, _options(values), rest, wants_help
        if word in ("--help", "-h"):
            wants_help = True
        elif word.startswith("-") and word != STDIN:
            _option(word, rest, values)
        else:
            files.append(word)
    return files, _options(values), [], wants_help


def _option(word: str, rest: list[str], values: dict[str, Any]) -> None:
    flag, joined = _split_flag(word)
    name = _FLAGS.get(flag)
    if name is None:
        raise InputError(f"unknown option {flag}{near(flag, _FLAGS)}; see unfork run --help")
    kind = DESCRIPTIONS[name].kind
    given = [] if joined is None else [joined]
    if len(given) > len(kind.words):
        raise InputError(f"{flag} takes no value")
    while len(given) < len(kind.words):
        if not rest:
            raise InputError(f"{flag} needs {' '.join(kind.words)}")
        given.append(rest.pop(0))
    try:
        value = kind.parse(tuple(given))
        kind.check((value,) if kind.repeated else value)
    except ValueError as problem:
        raise InputError(f"{flag}: {problem}") from None
    if name == "sym_arg" and "sym_args" in values:
        raise InputError(
            "--sym-arg after --sym-args: say both after -- (-- --sym-args 0 1 2 --sym-arg 3) for that order"
        )
    values[name] = (*values.get(name, DEFAULTS[name]), value) if kind.repeated else value


def _split_flag(word: str) -> tuple[str, str | None]:
    """A flag and the value joined to it: --seed=1, -Idir, -DNAME."""
    if word.startswith("--"):
        flag, equals, value = word.partition("=")
        return flag, value if equals else None
    return (word[:2], word[2:] or None) if word[:2] in _FLAGS else (word, None)


def _options(values: dict[str, Any]) -> Options:
    return Options(**values, given=frozenset(values))


# --- replay and show ---


def _replay(words: Sequence[str]) -> int:
    if "--help" in words or "-h" in words:
        _say(_REPLAY_USAGE)
        return EXIT_SAFE
    words, program = _value_of("--program", list(words))
    native = "--native" in words
    names = _names(words, ("--native", "--engine", "--unenclosed"), ("--program",))
    if len(names) != 1:
        raise InputError("replay takes one run directory or test; see unfork replay --help")
    if native and "--engine" in words:
        raise InputError("--engine and --native exclude each other")
    root, tests = _tests(Path(names[0]))
    data = read_summary(root) if (root / "summary.json").exists() else None
    session = Session(root, data, Enclosure.NONE if "--unenclosed" in words else Enclosure.REQUIRED)
    loaded = [(path.name, _read_test(path)) for path in tests]
    if program is not None and native:
        report = session.binary(loaded, Path(program))
    else:
        given = None if program is None else (program,)
        report = session.native(loaded) if native else session.engine(loaded, given)
    _say("\n".join(replayed(report)) + "\n")
    return EXIT_SAFE if report.agrees() else EXIT_UNSAFE


def _tests(place: Path) -> tuple[Path, list[Path]]:
    if place.is_dir():
        tests = sorted((place / "tests").glob("*.json"))
        if not (place / "tests").is_dir():
            raise InputError(f"{place} is no run directory")
        return place, tests
    if not place.exists():
        raise InputError(f"{place}: no such file or directory")
    return place.resolve().parent.parent, [place]


def _read_test(path: Path) -> TestCase:
    """A test by unfork or KLEE. Raises InputError."""
    if path.suffix != ".ktest":
        return read_test(path)
    try:
        return from_ktest(path.read_bytes(), str(path))
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}") from None


def _value_of(flag: str, words: list[str]) -> tuple[list[str], str | None]:
    """``words`` without the flag and its value, which follows it or is joined to it by =, and that value."""
    at = next((at for at, word in enumerate(words) if word == flag or word.startswith(f"{flag}=")), None)
    if at is None:
        return words, None
    _, joined = _split_flag(words[at])
    if joined is not None:
        return words[:at] + words[at + 1 :], joined
    if at + 1 == len(words):
        raise InputError(f"{flag} needs a value")
    return words[:at] + words[at + 2 :], words[at + 1]


def _names(words: Sequence[str], switches: tuple[str, ...], valued: tuple[str, ...]) -> list[str]:
    """What is no option; those in ``valued`` were taken out with their values."""
    for word in words:
        if word.startswith("-") and word not in switches:
            raise InputError(f"unknown option {word}{near(word, (*switches, *valued))}")
    return [word for word in words if word not in switches]


def _show(words: Sequence[str]) -> int:
    if "--help" in words or "-h" in words:
        _say(_SHOW_USAGE)
        return EXIT_SAFE
    if "--loops" in words:
        at = words.index("--loops")
        if len(words) == 2 and Path(words[1 - at]).is_dir():
            _say("".join(f"{line}\n" for line in kept_loops(Path(words[1 - at]))))
            return EXIT_SAFE
        files, options, _, _ = parse([*words[:at], *words[at + 1 :]])
        _say("\n".join(loops(files, options)) + "\n")
        return EXIT_SAFE
    words, picture = _value_of("--svg", list(words))
    words, place = _value_of("--dot", words)
    names = _names(words, (), ("--svg", "--dot"))
    if len(names) not in (1, 2):
        raise InputError("show takes a run directory and at most one test, error or state; see unfork show --help")
    what = names[1] if len(names) == 2 else None
    if picture is not None:
        RunDirectory(Path(picture).parent).write(Path(picture).name, _drawn(names[0], what))
        return EXIT_SAFE
    if place is not None:
        data = graph(Path(names[0])).encode("utf-8", "backslashreplace")
        RunDirectory(Path(place).parent).write(Path(place).name, data)
        return EXIT_SAFE
    _say("\n".join(show(Path(names[0]), what)) + "\n")
    return EXIT_SAFE


def _drawn(run: str, what: str | None) -> bytes:
    return drawing(Path(run), what).encode("utf-8", "backslashreplace")


# --- strategies ---


def _strategies(words: Sequence[str]) -> int:
    _names(words, ("--help", "-h"), ())
    _say(f"{strategies.text()}\n")
    return EXIT_SAFE


# --- cache ---


def _cache(words: Sequence[str]) -> int:
    if "--help" in words or "-h" in words:
        _say(_CACHE_USAGE)
        return EXIT_SAFE
    match list(words):
        case ["build"]:
            watched = sys.stderr is not None and sys.stderr.isatty()
            _say(f"{libc_progress.build(libc_progress.shown_progress if watched else libc_progress.silent_progress)}\n")
        case ["clear"]:
            count = libc_progress.clear()
            _say(f"{count} {'entry' if count == 1 else 'entries'} removed from {libc_progress.where()}\n")
        case ["where"]:
            _say(f"{libc_progress.where()}\n")
        case _:
            meant = near(words[0], ("build", "clear", "where")) if words else ""
            raise InputError(f"cache takes one of build, clear, where{meant}; see unfork cache --help")
    return EXIT_SAFE
