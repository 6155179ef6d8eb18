"""The page as one HTML document: template, style, script, data, and a policy that admits nothing else."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

_SCRIPTS = ("begin", "source", "lists", "path", "proofs", "scan", "icicle", "keys", "live", "end")
_LEVEL = 6
"""Compression level: higher ones take twice as long and save a twentieth."""


def document(data: Mapping[str, Any], title: str) -> bytes:
    """The document with compressed data; its only plain text from the run is the escaped ``title``."""
    return _put_together(title, base64.b64encode(packed(data)).decode(), "", "")


def live_document(title: str) -> bytes:
    """The document of a live run: it fetches its data, and only from below its own address."""
    return _put_together(title, "", " data-live", "connect-src 'self'; ")


def packed(data: Mapping[str, Any]) -> bytes:
    """The data in the encoding that the page's script reads."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True).encode()
    return gzip.compress(text, _LEVEL, mtime=0)


def _put_together(title: str, data: str, live: str, more: str) -> bytes:
    style = _asset("page.css")
    script = "".join([_asset(f"script/{name}.js") for name in _SCRIPTS])
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; {more}"
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"POLICY": policy, "TITLE": escape(title), "STYLE": style, "SCRIPT": script, "DATA": data, "LIVE": live}
    out = []
    for number, part in enumerate(_asset("page.html").split("@@")):
        out.append(parts[part] if number % 2 else part)
    return "".join(out).encode()


def _asset(name: str) -> str:
    return files("unfork.report.page").joinpath("assets").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
