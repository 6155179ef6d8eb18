"""What installed compilers answered and built, kept in the user's cache: probes, objects and programs.

A compiler is known by its path, size and time of change. An entry whose sources, words or compiler differ is another.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from unfork.program.llvm import compilation_cache, subprocesses

_YES = b"yes"


def compiles(words: Sequence[str], source: str, folder: Path) -> bool:
    """Whether a compiler makes a file of C ``source`` with these words. Only that it does is kept: what it lacks may
    be installed later.
    """
    name = compilation_cache.key("probe", *_about(words), source)
    if compilation_cache.get(name) == _YES:
        return True
    if not compiles_now(words, source, folder):
        return False
    compilation_cache.put(name, _YES)
    return True


def compiles_now(words: Sequence[str], source: str, folder: Path) -> bool:
    """As ``compiles``, which leaves the file ``probe`` in ``folder``."""
    file = folder / "probe.c"
    file.write_text(source)
    return subprocesses.run([*words, "-x", "c", str(file), "-o", str(folder / "probe")], folder=folder).status == 0


def kept_object(words: Sequence[str], target: Path, call: Callable[[Sequence[str]], None]) -> None:
    """Compile to ``target`` by ``call``, or take it from the cache, where it is kept by its preprocessed source."""
    read = subprocesses.run([*words, "-E"], folder=target.parent)
    making = [*words, "-c", "-o", str(target)]
    if read.status:
        call(making)
    else:
        _keep(compilation_cache.key("native", *_about(words), read.output), target, lambda: call(making))


def kept_driver(words: Sequence[str], source: Path, target: Path, call: Callable[[Sequence[str]], None]) -> None:
    """As ``kept_object`` for a file of ours, which is kept by the contents of its folder."""
    contents = [file.read_bytes() for file in sorted(source.parent.iterdir())]
    name = compilation_cache.key("native", *_about(words), source.name, *contents)
    _keep(name, target, lambda: call([*words, str(source), "-c", "-o", str(target)]))


def kept_program(
    words: Sequence[str], objects: Sequence[Path], target: Path, call: Callable[[Sequence[str]], None]
) -> None:
    """Link ``objects`` to ``target`` by ``call``, or take it from the cache, where it is kept by their contents.

    The words name no other file.
    """
    contents = [hashlib.sha256(file.read_bytes()).digest() for file in objects]
    linking = [*words, *map(str, objects), "-lm", "-o", str(target)]
    _keep(compilation_cache.key("native", *_about(words), *contents), target, lambda: call(linking))
    target.chmod(0o755)


def _keep(name: str, target: Path, make: Callable[[], None]) -> None:
    kept = compilation_cache.get(name)
    if kept is not None:
        target.write_bytes(kept)
        return
    make()
    compilation_cache.put(name, target.read_bytes())


def _about(words: Sequence[str]) -> list[str]:
    """The words of a command, and what tells its compiler from another."""
    path = shutil.which(words[0]) or words[0]
    compiler = os.stat(path)
    return [*words, f"{path} {compiler.st_size} {compiler.st_mtime_ns}"]
