"""A per-user cache folder: entries are checked when read, bounded in size, never required."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from functools import cache
from pathlib import Path

LARGEST_BYTES = 1 << 30
"""The most bytes of all entries together; beyond it, the least recently used are removed."""
_DIGEST = 32
_MAGIC = b"unfork cache 1\n"
_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_SUFFIX = ".entry"
_SWEEP_EVERY = 16
"""About one write in this many checks the size of the folder."""


def folder() -> Path:
    """This user's cache folder: UNFORK_CACHE, or ``unfork`` in XDG_CACHE_HOME or in ~/.cache. It need not exist."""
    if own := os.environ.get("UNFORK_CACHE"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):
        return Path(shared, "unfork")
    return Path(os.path.expanduser("~"), ".cache", "unfork")


def make_folder() -> Path | None:
    """The folder, created if necessary; None unless only this user can write to it."""
    home = folder()
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        mine = _is_private(home)
    except OSError:
        return None
    return home if mine and os.access(home, os.W_OK) else None


def key(kind: str, *parts: bytes | str) -> str:
    """The name of an entry of ``kind`` (lower case) that depends on ``parts`` alone."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return f"{kind}-{digest.hexdigest()}"


@cache
def engine() -> str:
    """A digest of unfork itself, for entries that depend on all of it."""
    digest = hashlib.sha256()
    home = Path(__file__).parents[2]
    for file in sorted(home.rglob("*.py")):
        digest.update(str(file.relative_to(home)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def get(key: str) -> bytes | None:
    """The data under ``key``; None if there is none, or if it is damaged (then it is removed)."""
    path = _entry(key)
    try:
        if not _is_private(path.parent):
            return None
        data = path.read_bytes()
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST
    if not data.startswith(_MAGIC) or _checksum(key, data[start:]) != data[len(_MAGIC) : start]:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used just now
    return data[start:]


def put(key: str, data: bytes) -> bool:
    """Store ``data`` under ``key``, whole or not at all. False if that fails, which is never an error."""
    path = _entry(key)
    home = make_folder()
    if home is None:
        return False
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix="new-", dir=home)
        with open(handle, "wb") as file:
            file.write(_MAGIC)
            file.write(_checksum(key, data))
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        return False
    if key.encode()[-1] % _SWEEP_EVERY == 0 or len(data) > LARGEST_BYTES // _SWEEP_EVERY:
        sweep(home)
    return True


def sweep(home: Path, largest: int = LARGEST_BYTES) -> None:
    """Remove the least recently used entries until all take at most ``largest`` bytes."""
    entries = []
    try:
        with os.scandir(home) as listing:
            for entry in listing:
                if entry.name.endswith(_SUFFIX):
                    about = entry.stat(follow_symlinks=False)
                    entries.append((about.st_mtime, entry.name, about.st_size))
    except OSError:
        return
    total = sum(size for _, _, size in entries)
    for _, name, size in sorted(entries):
        if total <= largest:
            return
        with contextlib.suppress(OSError):
            (home / name).unlink()
            total -= size


def _entry(key: str) -> Path:
    if not _KEY.match(key):
        raise ValueError(f"no name for a file: {key!r}")
    return folder() / (key + _SUFFIX)


def _is_private(home: Path) -> bool:
    status = home.stat()
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _checksum(key: str, data: bytes) -> bytes:
    """The digest of name and contents, so that a renamed entry does not pass for another."""
    return hashlib.sha256(key.encode() + b"\n" + data).digest()
