"""Serves the page of a live run to this machine alone, as a separate program.

Input: first the run directory, then a progress line at a time; the end of input is the end of the run. Output: the
page's address, then the reader's orders. The address contains a secret: only clients that know it may read and give
orders.
"""

from __future__ import annotations

import hmac
import itertools
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from unfork.errors import InputError
from unfork.report.page.data import EngineData, page_data
from unfork.report.page.document import live_document, packed
from unfork.report.record.kept_run import read_run
from unfork.report.record.tables import copy_tables

_ORDERS = ("stop", "tests")
_SHARE = 10
"""After gathering data, wait this many times as long before the next time."""
_PATIENCE = 15.0
"""Seconds until the server writes to a silent connection, to see whether the reader is still there."""
_LAST = 4.0
"""Seconds in which readers can fetch the final data."""


class PageNews:
    """News for the page's readers: the last progress line, and whether the run is over."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._line = b""
        self._count = 0
        self.is_over = False
        self._readers = 0

    def tell(self, line: bytes) -> None:
        with self._changed:
            self._line = line
            self._count += 1
            self._changed.notify_all()

    def end(self) -> None:
        with self._changed:
            self.is_over = True
            self._changed.notify_all()

    def listen(self, change: int) -> None:
        """Count a new reader (1), or one that left or has the final data (-1)."""
        with self._changed:
            self._readers += change
            self._changed.notify_all()

    def wait(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._readers <= 0, _LAST)

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than the run."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_over, max(0.0, seconds))

    def after(self, count: int) -> tuple[bytes, int]:
        """(the next line, the number of lines so far), after waiting for more than ``count`` lines; b"" if none
        comes.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._count > count or self.is_over, _PATIENCE)
            return self._line if self._count > count else b"", self._count


class Gathered:
    """The page's data, gathered at a bounded share of the time."""

    def __init__(self, gather: Callable[[], bytes], news: PageNews) -> None:
        self._gather = gather
        self._news = news
        self._lock = threading.Lock()
        self._due = 0.0

    def data(self) -> bytes:
        """The present data; an early request waits."""
        with self._lock:
            self._news.pause(self._due - time.monotonic())
            began = time.monotonic()
            data = self._gather()
            ended = time.monotonic()
            self._due = ended + _SHARE * (ended - began)
            return data


class Site(ThreadingHTTPServer):
    """The server: one address, reachable from this machine, secret to its reader."""

    daemon_threads = True

    def __init__(self, port: int, ask: Callable[[str], None]) -> None:
        """Raises OSError if it cannot have the port."""
        super().__init__(("127.0.0.1", port), Request)
        self.ask = ask
        self.secret = secrets.token_urlsafe(16)
        self.news = PageNews()

    def show(self, root: Path) -> None:
        self.gathered = Gathered(lambda: packed(page_data(read_run(root), EngineData(), copy_tables)), self.news)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore readers who leave in the middle of an answer; report other failures, which are bugs."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # typeshed's name is private

    @property
    def hosts(self) -> tuple[str, ...]:
        """The accepted names of this host: no other site can claim one of them (DNS rebinding)."""
        return f"127.0.0.1:{self.server_port}", f"localhost:{self.server_port}"

    @property
    def address(self) -> str:
        return f"http://{self.hosts[0]}/{self.secret}/"


class Request(BaseHTTPRequestHandler):
    """A request for the page, its data, its news, or an order."""

    server: Site

    def do_GET(self) -> None:
        match self._subject():
            case "":
                self._answer(live_document("a run of unfork"), "text/html; charset=utf-8")
            case "data":
                is_last = self.server.news.is_over
                try:
                    self._answer(self.server.gathered.data(), "application/octet-stream")
                    if is_last:
                        self.server.news.listen(-1)
                except InputError:  # the run has written nothing yet
                    self.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
            case "events":
                self._send_news()
            case _:
                self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Forms of other sites cannot give orders: they cannot set the header."""
        word = self._subject()
        if word not in _ORDERS or self.headers.get("X-Unfork") != word:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.server.ask(word)
        self._answer(b"", "text/plain")

    def log_message(self, format: str, *words: object) -> None:
        """Nothing: the terminal belongs to the run."""

    def _subject(self) -> str | None:
        """The requested part of the page; None if the request does not know the address."""
        if self.headers.get("Host") not in self.server.hosts:
            return None
        _, secret, *rest = f"{self.path}/".split("/", 2)
        if len(rest) != 1 or not hmac.compare_digest(secret.encode(), self.server.secret.encode()):
            return None
        return rest[0].rstrip("/")

    def _answer(self, data: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def _send_news(self) -> None:
        """Server-sent events: each progress line, and finally the end of the run."""
        news = self.server.news
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        news.listen(1)
        count = 0
        try:
            while not news.is_over:
                line, count = news.after(count)
                self.wfile.write(b"data: " + line + b"\n\n" if line else b": still here\n\n")
            self.wfile.write(b"event: over\ndata: {}\n\n")
        except OSError:  # the reader has left
            news.listen(-1)


def _ask(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main(port: str) -> None:
    """Serve until the input ends, and a little longer for readers to fetch the final data."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        site = Site(int(port), _ask)
    except OSError as problem:
        _ask(f"port {port} cannot be had: {problem.strerror}")
        return
    _ask(site.address)
    root, *_ = [os.fsdecode(line.rstrip(b"\n")) for line in itertools.islice(sys.stdin.buffer, 1)] or [""]
    if not root:
        return
    site.show(Path(root))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    for line in sys.stdin.buffer:
        site.news.tell(line.rstrip(b"\n"))
    site.news.end()
    site.news.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
