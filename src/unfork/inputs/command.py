"""What the program is started with: concrete and symbolic arguments, standard input, files; also as KLEE's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unfork.errors import InputError
from unfork.inputs.heap_data import Heap

MOST_SYMBOLIC = 100
"""Symbolic arguments of a run, as KLEE has it: their names have two digits."""
LONGEST = 1 << 16
"""Bytes of a symbolic argument."""
LARGEST_FILE = 1 << 20
"""Bytes of a symbolic file."""
MOST_FILES = 26
"""Symbolic files: they are named by letters."""
LARGEST_SEED = 1 << 24
"""Bytes of a file given with --file: every test holds it."""
HOME = "/home/user"
"""Where the program starts, and its symbolic files are."""
MOST_FAILURES = 1000
MOST_STARTS = 1000
"""Combinations of numbers of arguments."""


@dataclass(frozen=True, slots=True)
class SymbolicArgument:
    """--sym-arg: one argument of up to ``length`` bytes."""

    length: int


@dataclass(frozen=True, slots=True)
class SymbolicArguments:
    """--sym-args: from ``least`` to ``most`` arguments of up to ``length`` bytes each."""

    least: int
    most: int
    length: int


Word = str | SymbolicArgument | SymbolicArguments


@dataclass(frozen=True, slots=True)
class Command:
    """``words`` come after the program's name, in order. ``seeds`` are read-only files with their contents.

    ``stdin`` is the number of symbolic bytes on standard input; None if it is concrete and holds ``given``. ``files``
    is how many symbolic files there are and how many bytes each has. ``heap`` is what a test calls a function other
    than main with.
    """

    words: tuple[Word, ...] = ()
    stdin: int | None = None
    given: bytes = b""
    files: tuple[int, int] = (0, 0)
    seeds: tuple[tuple[str, bytes], ...] = ()
    symbolic_stdout: bool = False
    failures: int = 0
    heap: Heap | None = None

    def groups(self) -> list[SymbolicArguments]:
        """The words whose number is to be chosen, in order."""
        return [word for word in self.words if isinstance(word, SymbolicArguments) and word.least < word.most]

    def file_names(self) -> list[str]:
        """The symbolic files: A, B, C, ..."""
        return [chr(ord("A") + number) for number in range(self.files[0])]


PLAIN = Command()
"""Nothing but the program."""
_Setting = tuple[tuple[str, ...], Callable[[Command, Sequence[int]], Command]]
_SETTINGS: dict[str, _Setting] = {
    "sym-arg": (("LEN",), lambda command, given: _with_word(command, SymbolicArgument(given[0]))),
    "sym-args": (("MIN", "MAX", "LEN"), lambda command, given: _with_word(command, SymbolicArguments(*given))),
    "sym-stdin": (("N",), lambda command, given: replace(command, stdin=given[0])),
    "sym-files": (("COUNT", "SIZE"), lambda command, given: replace(command, files=(given[0], given[1]))),
    "sym-stdout": ((), lambda command, given: replace(command, symbolic_stdout=True)),
    "max-fail": (("N",), lambda command, given: replace(command, failures=given[0])),
    "fd-fail": ((), lambda command, given: replace(command, failures=1)),
}
_UNSUPPORTED = (
    "sym-file sym-file-stdin sym-streams sym-datagrams one-line-streams fill-streams fill-datagrams "
    "save-all-writes bout-file"
).split()
"""Words of KLEE and its variants that must not be taken for arguments of the program."""


def read(words: Sequence[str], command: Command) -> Command:
    """``command`` with the words of a command line added: KLEE's (one dash or two) are obeyed, others are arguments.
    Raises InputError for numbers that make no sense and for numbers that are missing.
    """
    rest = list(words)
    seen: set[str] = set()
    while rest:
        word = rest.pop(0)
        name = word[2:] if word.startswith("--") else word[1:] if word.startswith("-") else ""
        if name in _UNSUPPORTED:
            raise InputError(f"{word}: this word of KLEE is not supported")
        if name not in _SETTINGS:
            command = _with_word(command, word)
            continue
        names, change = _SETTINGS[name]
        if name not in ("sym-arg", "sym-args"):
            name = "max-fail" if name == "fd-fail" else name
            if name in seen:
                raise InputError(f"{word} is given twice")
            seen.add(name)
        if len(rest) < len(names):
            raise InputError(f"{word} needs {' '.join(names)}")
        command = change(command, [_number(word, rest.pop(0)) for _ in names])
        check(command, word)
    return command


def check(command: Command, flag: str) -> None:
    """Raise InputError, about the option ``flag``, for numbers that make no sense."""
    symbolic = 0
    starts = 1
    for word in command.words:
        match word:
            case SymbolicArgument(length):
                symbolic += 1
            case SymbolicArguments(least, most, length):
                if least > most:
                    raise InputError(f"{flag}: MIN is {least}, more than MAX, which is {most}")
                symbolic += most
                starts *= most - least + 1
            case str():
                continue
        if length > LONGEST:
            raise InputError(f"{flag}: an argument has at most {LONGEST} bytes, not {length}")
    if symbolic > MOST_SYMBOLIC:
        raise InputError(f"{flag}: at most {MOST_SYMBOLIC} symbolic arguments, not {symbolic}")
    if starts > MOST_STARTS:
        raise InputError(f"{flag}: {starts} combinations of numbers of arguments, of which {MOST_STARTS} are possible")
    count, size = command.files
    if count > MOST_FILES:
        raise InputError(f"{flag}: at most {MOST_FILES} symbolic files, A to Z, not {count}")
    for source, length in (("a symbolic file", size), ("symbolic standard input", command.stdin or 0)):
        if length > LARGEST_FILE:
            raise InputError(f"{flag}: {source} has at most {LARGEST_FILE} bytes, not {length}")
    if command.failures > MOST_FAILURES:
        raise InputError(f"{flag}: at most {MOST_FAILURES} failures, not {command.failures}")


def seed_files(given: Sequence[str], command: Command) -> Command:
    """``command`` with the files of --file HOST=GUEST words: read now, and read-only for the program."""
    seeds: dict[str, bytes] = {}
    for word in given:
        host, equals, guest = word.rpartition("=")
        flag = f"--file {word}"
        if not equals or not host or not guest:
            raise InputError(f"{flag}: say HOST_PATH=GUEST_PATH")
        name = _guest_name(flag, guest)
        if name in seeds:
            raise InputError(f"{flag}: the file {name} is given twice")
        try:
            data = Path(host).read_bytes() if not Path(host).is_dir() else None
        except (OSError, ValueError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else str(problem)
            raise InputError(f"{flag}: {host}: {reason}") from None
        if data is None:
            raise InputError(f"{flag}: {host} is a directory")
        if len(data) > LARGEST_SEED:
            raise InputError(f"{flag}: {len(data)} bytes, of which {LARGEST_SEED} are possible")
        seeds[name] = data
    return replace(command, seeds=tuple(seeds.items()))


def check_names(command: Command) -> None:
    """Raise InputError where two files have one path, or a file is where a directory must be."""
    paths = [_full_path(name) for name, _ in command.seeds]
    for name in command.file_names():
        if _full_path(name) in paths:
            raise InputError(f"--file: {name} is a symbolic file too")
    for path in paths:
        if any(other.startswith(path + "/") for other in (*paths, f"{HOME}/", "/dev/", "/tmp/")):
            raise InputError(f"--file: {path} is a directory too")


def has_world(command: Command) -> bool:
    """Whether the program is given more than arguments."""
    return command != Command(command.words)


def _guest_name(flag: str, guest: str) -> str:
    """A path as the kernel takes it, without empty parts and dots."""
    if "\0" in guest or guest.endswith("/"):
        raise InputError(f"{flag}: {guest!r} is no name of a file")
    parts = [part for part in guest.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or any(len(part.encode("utf-8", "surrogateescape")) > 255 for part in parts):
        raise InputError(f"{flag}: {guest!r} is no name of a file")
    if guest.startswith("/dev/"):
        raise InputError(f"{flag}: /dev holds the modelled devices alone")
    return "/" * guest.startswith("/") + "/".join(parts)


def _full_path(name: str) -> str:
    return name if name.startswith("/") else f"{HOME}/{name}"


def klee_words(command: Command) -> list[str]:
    """The command as words that KLEE's run-time library understands; seed files have none."""
    out: list[str] = []
    for word in command.words:
        match word:
            case SymbolicArgument(length):
                out += ["--sym-arg", str(length)]
            case SymbolicArguments(least, most, length):
                out += ["--sym-args", str(least), str(most), str(length)]
            case str():
                out.append(word)
    if command.files[0]:
        out += ["--sym-files", str(command.files[0]), str(command.files[1])]
    if command.stdin is not None:
        out += ["--sym-stdin", str(command.stdin)]
    if command.symbolic_stdout:
        out.append("--sym-stdout")
    if command.failures:
        out += ["--max-fail", str(command.failures)]
    return out


def concrete(words: Sequence[Word], values: Sequence[bytes]) -> tuple[str, ...]:
    """The arguments that ``words`` become; ``values`` are the bytes of the inputs made for them, in order."""
    left = iter(values)
    out: list[str] = []
    for word in words:
        match word:
            case str():
                out.append(word)
                continue
            case SymbolicArgument():
                number = 1
            case SymbolicArguments(least, most, _):
                number = least if least == most else int.from_bytes(next(left, b""), "little")
        for _ in range(number):
            text = next(left, b"")[:-1].partition(b"\0")[0]
            out.append(text.decode("utf-8", "surrogateescape"))
    return tuple(out)


def _with_word(command: Command, word: Word) -> Command:
    return replace(command, words=(*command.words, word))


def _number(flag: str, word: str) -> int:
    if not (word.isascii() and word.isdecimal()):
        raise InputError(f"{flag}: {word!r} is not a number that is at least 0")
    if len(word) > 18:
        raise InputError(f"{flag}: {word} is too large")
    return int(word)
