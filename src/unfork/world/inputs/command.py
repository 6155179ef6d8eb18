"""The command line of a program: arguments, standard input and files, concrete or symbolic; also in KLEE's syntax."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unfork.errors import InputError
from unfork.world.inputs.heap_data import Heap
from unfork.world.library.fuzz_input import INPUT, INPUT_SIZE

MOST_SYMBOLIC = 100
"""Most symbolic arguments of a run. KLEE's limit: their names have two digits."""
LONGEST = 1 << 16
"""Bytes of a symbolic argument."""
LARGEST_FILE = 1 << 20
"""Bytes of a symbolic file."""
MOST_VARIABLES = 32
"""Most symbolic environment variables: each may be unset."""
MOST_FILES = 26
"""Most symbolic files: their names are letters."""
INPUT_WORD = "@@"
"""The program argument that stands for the path of the input, as for AFL++."""
LARGEST_SEED = 1 << 24
"""Bytes of a --file: every test contains it."""
HOME = "/home/user"
"""The start directory, which holds the symbolic files."""
MOST_FAILURES = 1000
MOST_STARTS = 1000


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
class EnvironmentVariable:
    """--env: a variable of the environment."""

    name: str
    value: bytes


@dataclass(frozen=True, slots=True)
class SymbolicVariable:
    """--sym-env: a variable that is unset, or has up to ``length`` bytes."""

    name: str
    length: int

    @property
    def is_set(self) -> str:
        """The input for whether it is set."""
        return f"{self.name}-env-set"

    @property
    def text(self) -> str:
        """The input for its value, with the terminator."""
        return f"{self.name}-env"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """``words`` follow the program's name. ``seeds`` are read-only files with contents.

    ``stdin`` is the number of symbolic bytes on standard input; None: standard input is ``given``. ``files``: the
    number of symbolic files A, B, ... and their size in bytes; ``named``: more files, by name. ``heap``: a test's
    arguments for a function other than main.
    """

    words: tuple[Word, ...] = ()
    stdin: int | None = None
    given: bytes = b""
    files: tuple[int, int] = (0, 0)
    seeds: tuple[tuple[str, bytes], ...] = ()
    symbolic_stdout: bool = False
    failures: int = 0
    heap: Heap | None = None
    environment: tuple[EnvironmentVariable | SymbolicVariable, ...] = ()
    named: tuple[tuple[str, int], ...] = ()
    input_size: int = INPUT_SIZE
    has_input_file: bool = False
    """Whether there is a file INPUT with up to ``input_size`` bytes."""
    has_input_stdin: bool = False
    """Whether standard input has up to ``input_size`` bytes."""

    def groups(self) -> list[SymbolicArguments]:
        """The words with an open number of arguments, in order."""
        return [word for word in self.words if isinstance(word, SymbolicArguments) and word.least < word.most]

    def is_concrete(self) -> bool:
        """Whether the program's surroundings are known but for a fuzzer's input."""
        has_streams = self.stdin is not None or self.symbolic_stdout or self.failures > 0
        has_names = bool(self.symbolic_files() or self.symbolic_variables())
        return not (has_streams or has_names) and all(isinstance(word, str) for word in self.words)

    def file_names(self) -> list[str]:
        return [chr(ord("A") + number) for number in range(self.files[0])]

    def symbolic_files(self) -> dict[str, int]:
        return dict.fromkeys(self.file_names(), self.files[1]) | dict(self.named)

    def symbolic_variables(self) -> list[SymbolicVariable]:
        return [each for each in self.environment if isinstance(each, SymbolicVariable)]


PLAIN = CommandLine()
_Setting = tuple[tuple[str, ...], Callable[[CommandLine, Sequence[int]], CommandLine]]
_SETTINGS: dict[str, _Setting] = {
    "sym-arg": (("LEN",), lambda command, given: _with_word(command, SymbolicArgument(given[0]))),
    "sym-args": (("MIN", "MAX", "LEN"), lambda command, given: _with_word(command, SymbolicArguments(*given))),
    "sym-stdin": (("N",), lambda command, given: replace(command, stdin=given[0])),
    "sym-files": (("COUNT", "SIZE"), lambda command, given: replace(command, files=(given[0], given[1]))),
    "sym-stdout": ((), lambda command, given: replace(command, symbolic_stdout=True)),
    "max-fail": (("N",), lambda command, given: replace(command, failures=given[0])),
    "fd-fail": ((), lambda command, given: replace(command, failures=1)),
}
_NAMED: dict[str, Callable[[CommandLine, str, int], CommandLine]] = {
    "sym-env": lambda command, name, size: with_variables(command, [SymbolicVariable(name, size)]),
    "sym-file": lambda command, name, size: with_files(command, [(name, size)]),
}
"""Words of our own: each takes a name and a number of bytes."""
_UNSUPPORTED = (
    "sym-file-stdin sym-streams sym-datagrams one-line-streams fill-streams fill-datagrams save-all-writes bout-file"
).split()
"""Words of KLEE and its variants that we refuse, rather than pass to the program."""


def read(words: Sequence[str], command: CommandLine) -> CommandLine:
    """``command`` with a command line's words added: KLEE's options (one dash or two) act, other words are
    arguments. Raises InputError for invalid or missing numbers.
    """
    rest = list(words)
    seen: set[str] = set()
    while rest:
        word = rest.pop(0)
        name = word[2:] if word.startswith("--") else word[1:] if word.startswith("-") else ""
        if name in _UNSUPPORTED:
            raise InputError(f"{word}: this word of KLEE is not supported")
        if name in _NAMED:
            if len(rest) < 2:
                raise InputError(f"{word} needs NAME LEN")
            command = _NAMED[name](command, rest.pop(0), _number(word, rest.pop(0)))
            continue
        if word == INPUT_WORD:
            command = replace(_with_word(command, INPUT), has_input_file=True)
            continue
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


def check(command: CommandLine, flag: str) -> None:
    """Raise InputError, naming the option ``flag``, for invalid numbers."""
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


def variable(word: str) -> EnvironmentVariable:
    """The variable of --env NAME=VALUE. Raises InputError for another form."""
    name, equals, value = word.partition("=")
    if not equals:
        raise InputError(f"--env {word}: say NAME=VALUE")
    return EnvironmentVariable(name, value.encode("utf-8", "surrogateescape"))


def with_variables(command: CommandLine, more: Iterable[EnvironmentVariable | SymbolicVariable]) -> CommandLine:
    """``command`` with ``more`` environment variables. Raises InputError for invalid ones."""
    variables = (*command.environment, *more)
    names: set[str] = set()
    for each in variables:
        flag = f"--env {each.name}" if isinstance(each, EnvironmentVariable) else f"--sym-env {each.name} {each.length}"
        if not each.name or "=" in each.name or "\0" in each.name:
            raise InputError(f"{flag}: {each.name!r} is no name of a variable")
        if each.name in names:
            raise InputError(f"{flag}: the variable {each.name} is given twice")
        if isinstance(each, SymbolicVariable) and each.length > LONGEST:
            raise InputError(f"{flag}: a variable has at most {LONGEST} bytes")
        if isinstance(each, EnvironmentVariable) and b"\0" in each.value:
            raise InputError(f"{flag}: its value ends at a null byte")
        names.add(each.name)
    command = replace(command, environment=variables)
    if len(command.symbolic_variables()) > MOST_VARIABLES:
        raise InputError(f"--sym-env: at most {MOST_VARIABLES} symbolic variables")
    return command


def with_files(command: CommandLine, more: Iterable[tuple[str, int]]) -> CommandLine:
    """``command`` with ``more`` symbolic files by name. Raises InputError for invalid ones."""
    named = dict(command.named)
    for name, size in more:
        flag = f"--sym-file {name} {size}"
        path = _guest_name(flag, name)
        if path in named:
            raise InputError(f"{flag}: the file {path} is given twice")
        if size > LARGEST_FILE:
            raise InputError(f"{flag}: a symbolic file has at most {LARGEST_FILE} bytes")
        named[path] = size
    return replace(command, named=tuple(named.items()))


def seed_files(given: Sequence[str], command: CommandLine) -> CommandLine:
    """``command`` with the files of --file HOST=GUEST: read now, and read-only for the program."""
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


def check_names(command: CommandLine) -> None:
    """Raise InputError if two files share a path, or a file's path must be a directory."""
    paths = [_full_path(name) for name, _ in command.seeds]
    for name in command.symbolic_files():
        if _full_path(name) in paths:
            raise InputError(f"--file: {name} is a symbolic file too")
    named = [_full_path(name) for name, _ in command.named]
    if command.has_input_file and _full_path(INPUT) in (*paths, *named):
        raise InputError(f"{INPUT_WORD}: its file is {_full_path(INPUT)}, which another option gives too")
    for path in named:
        if path in [_full_path(name) for name in command.file_names()]:
            raise InputError(f"--sym-file: {path} is one of --sym-files too")
    for path in (*paths, *named):
        if any(other.startswith(path + "/") for other in (*paths, *named, f"{HOME}/", "/dev/", "/tmp/")):
            flag = "--file" if path in paths else "--sym-file"
            raise InputError(f"{flag}: {path} is a directory too")


def has_world(command: CommandLine) -> bool:
    """Whether the command sets more than arguments."""
    return command != CommandLine(command.words, input_size=command.input_size)


def _guest_name(flag: str, guest: str) -> str:
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


def klee_words(command: CommandLine) -> list[str]:
    """The command in the words of KLEE's run-time library, and ours; seed files have none.

    A variable with a known value becomes a symbolic one of that size.
    """
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
    for each in command.environment:
        out += ["--sym-env", each.name, str(len(each.value) if isinstance(each, EnvironmentVariable) else each.length)]
    for name, size in command.named:
        out += ["--sym-file", name, str(size)]
    if command.failures:
        out += ["--max-fail", str(command.failures)]
    return out


def concrete(words: Sequence[Word], values: Sequence[bytes]) -> tuple[str, ...]:
    """The concrete arguments for ``words``; ``values`` are the bytes of their inputs, in order."""
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


def concrete_variables(command: CommandLine, inputs: Mapping[str, bytes]) -> tuple[tuple[str, bytes | None], ...]:
    """The environment variables; None: unset. ``inputs`` are bytes by name."""
    out: list[tuple[str, bytes | None]] = []
    for each in command.environment:
        if isinstance(each, EnvironmentVariable):
            out.append((each.name, each.value))
        else:
            value = inputs.get(each.text, b"")[: each.length].partition(b"\0")[0]
            out.append((each.name, value if any(inputs.get(each.is_set, b"")) else None))
    return tuple(out)


def _with_word(command: CommandLine, word: Word) -> CommandLine:
    return replace(command, words=(*command.words, word))


def _number(flag: str, word: str) -> int:
    if not (word.isascii() and word.isdecimal()):
        raise InputError(f"{flag}: {word!r} is not a number that is at least 0")
    if len(word) > 18:
        raise InputError(f"{flag}: {word} is too large")
    return int(word)
