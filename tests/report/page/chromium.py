"""A headless Chromium, driven over a pipe in its DevTools protocol, without any library."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
MISSING = "no Chromium is installed here (on Debian: apt-get install chromium)"
_OPTIONS = (
    *("--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--no-default-browser-check", "--disable-background-networking", "--hide-scrollbars", "--mute-audio"),
    "--force-color-profile=srgb",
)
KEYS = {"ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Escape": 27, "Tab": 9}


def program() -> str | None:
    """The path of the browser, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name)) is not None), None)


class Browser:
    """One page. ``said`` has what it wrote to the console and its uncaught errors, ``asked`` what it loaded."""

    def __init__(self, width: int = 1440, height: int = 900, *, scale: float = 1) -> None:
        path = program()
        assert path is not None, MISSING
        self._profile = tempfile.TemporaryDirectory(prefix="unfork-chromium-", ignore_cleanup_errors=True)
        read_there, self._write = os.pipe()
        self._read, write_there = os.pipe()

        command = [path, *_OPTIONS, f"--user-data-dir={self._profile.name}"]
        command += ["--no-sandbox"] if os.geteuid() == 0 else []
        shell = f"exec {shlex.join(command)} 3<&{read_there} 4>&{write_there}"
        ends = (read_there, write_there)
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(["bash", "-c", shell], pass_fds=ends, stdout=quiet, stderr=quiet)
        os.close(read_there)
        os.close(write_there)
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.said: list[str] = []
        self.asked: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size(width, height, scale=scale)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with contextlib.suppress(OSError, EOFError):
            self._session = None
            self.call("Browser.close")
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something, and note what happens until the answer comes."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        for answer in self._messages():
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])
            self._note(answer)
        raise EOFError("the browser has ended")

    def _messages(self) -> Iterator[dict[str, Any]]:
        while True:
            while b"\0" in self._rest:
                text, self._rest = self._rest.split(b"\0", 1)
                yield json.loads(text)
            data = os.read(self._read, 1 << 20)
            if not data:
                return
            self._rest += data

    def _note(self, event: dict[str, Any]) -> None:
        told = event.get("params", {})
        match event.get("method"):
            case "Runtime.consoleAPICalled":
                self.said.append(f"{told['type']}: {[each.get('value') for each in told['args']]}")
            case "Runtime.exceptionThrown":
                details = told["exceptionDetails"]
                self.said.append(f"{details['text']} {details.get('exception', {}).get('description', '')}")
            case "Log.entryAdded":
                self.said.append(f"{told['entry']['level']}: {told['entry']['text']}")
            case "Network.requestWillBeSent":
                self.asked.append(told["request"]["url"])

    def size(self, width: int, height: int, *, scale: float = 1) -> None:
        """The size of the window, in pixels of CSS."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 760}
        self.call("Emulation.setDeviceMetricsOverride", **metrics)

    def dark(self, *, is_dark: bool) -> None:
        """Whether the system prefers dark."""
        value = "dark" if is_dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def open(self, page: Path, hash: str = "") -> int:
        """Open a page of ours; the milliseconds until all of it was drawn, by its own clock."""
        return self.visit(page.resolve().as_uri() + hash)

    def visit(self, address: str) -> int:
        """Open the page of this address; the milliseconds as above."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.wait("document.body && document.body.dataset.ready")
        return int(self.value("document.body.dataset.ready"))

    def value(self, expression: str) -> Any:
        """The value of an expression of JavaScript."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until a condition holds, looked at whenever the browser draws."""
        look = f"(() => {{ try {{ return Boolean({condition}); }} catch {{ return false; }} }})()"
        code = (
            "new Promise((done, fail) => { let frames = 0; const look = () => "
            f"{look} ? done(true) : (frames += 1) > 6000 ? done(false) : requestAnimationFrame(look); look(); }})"
        )
        for _ in range(3):  # the page may be loaded anew meanwhile, which ends the promise
            try:
                assert self.value(code), condition
                return
            except AssertionError as problem:
                if "navigated" not in str(problem) and "context" not in str(problem):
                    raise
        raise AssertionError(condition)

    def key(self, name: str) -> None:
        """Press and release a key."""
        text = name if len(name) == 1 else "\r" if name == "Enter" else ""
        code = KEYS.get(name, ord(name[0].upper()))
        down = {"key": name, "windowsVirtualKeyCode": code, "text": text} if text else {"key": name}
        self.call("Input.dispatchKeyEvent", type="keyDown", **{"windowsVirtualKeyCode": code, **down})
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def click(self, selector: str) -> None:
        """Click into the middle of an element, as a person would."""
        self.value(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}})")
        x, y = self.value(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def picture(self) -> bytes:
        """What is seen, as a PNG file."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
