"""What an installation of unfork weighs: each package that it needs, with its heaviest parts, in this environment.

python bench/install.py
"""

from __future__ import annotations

import re
from collections import Counter
from importlib import metadata
from pathlib import PurePosixPath

SHOWN = 3
"""Parts of a package that are named."""
MEGABYTE = 1 << 20


def needed(name: str) -> list[str]:
    """The package and all that it needs, extras left out; the order in which they are met."""
    names = [name]
    for each in names:
        for line in metadata.requires(each) or ():
            if "extra ==" not in line:
                other = re.split(r"[ ;<>=!~\[(]", line)[0].lower()
                if other not in names and is_installed(other):
                    names.append(other)
    return names


def is_installed(name: str) -> bool:
    """Whether a package is there: some are for other systems only."""
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def weights(name: str) -> Counter[str]:
    """Bytes of the files of a package by their first two folders; a package that is installed in place has few."""
    sizes: Counter[str] = Counter()
    for file in metadata.files(name) or ():
        path = file.locate()
        if path.is_file():  # type: ignore[attr-defined]  # what is located is a path
            sizes["/".join(PurePosixPath(file).parts[:3])] += path.stat().st_size  # type: ignore[attr-defined]
    return sizes


def main() -> None:
    """The table."""
    rows = [(name, weights(name)) for name in needed("unfork")]
    print(f"{'package':16} {'MB':>6}  heaviest parts")
    for name, sizes in sorted(rows, key=lambda row: -row[1].total()):
        parts = [f"{part} {size / MEGABYTE:.0f}" for part, size in sizes.most_common(SHOWN) if size > MEGABYTE]
        print(f"{name:16} {sizes.total() / MEGABYTE:6.1f}  {', '.join(parts)}")
    print(f"{'together':16} {sum(sizes.total() for _, sizes in rows) / MEGABYTE:6.1f}")


if __name__ == "__main__":
    main()
