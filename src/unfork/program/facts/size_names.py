"""What the names of numbers say: which are sizes, and of what."""

from __future__ import annotations

import re

_SIZE = re.compile(r"^n$|len|size|sz$|count|cnt|num|bytes|avail|capacity")
_OF_BYTES_ALONE = re.compile(r"len|size|sz$|bytes")
"""The names of those that count the bytes of a struct."""
_COUNT = re.compile(
    r"(?:n_|(?:number|num(?!ber)|count|cnt)_?(?:of_?)?)([a-z]{3,})|([a-z]{3,})_?(?:num|number|count|cnt)"
)
"""What a number counts by its name: ``num_hashes``, ``hash_count``."""
_OF_BYTES = ("byte", "char", "octet", "elem", "item", "data", "read", "written", "max")
"""What counts bytes may be named after."""


def counts_others(number: str, pointer: str) -> bool:
    """Whether a number is named after other things than the bytes of a pointer: ``str, num_hashes``."""
    counted = _COUNT.fullmatch(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", number).lower())
    if counted is None:
        return False
    noun, name = counted[1] or counted[2], pointer.lower()
    return not noun.startswith(_OF_BYTES) and noun.rstrip("s") not in name and name.rstrip("s") not in noun


def is_named_size(name: str) -> bool:
    """Whether a number is named as a size."""
    return _SIZE.search(name.lower()) is not None


def is_of_bytes_alone(name: str) -> bool:
    """Whether a number is named as one of bytes, and not of what else it may count."""
    return _OF_BYTES_ALONE.search(name.lower()) is not None
