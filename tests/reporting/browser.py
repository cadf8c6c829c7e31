"""A headless Chromium over its debugging pipe: JSON messages that end in a zero byte."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import time
from pathlib import Path
from typing import Any

SECONDS = 60


def find_chromium() -> str | None:
    """The Chromium or Chrome on PATH, if any."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


class RefusedError(Exception):
    """The browser does not do what it was told, such as while a page is being replaced."""


class Browser:
    """One browser with one page.

    ``requested`` keeps what the page asked of the network, ``refused`` why it did not get it, and
    ``complaints`` errors and warnings.
    """

    def __init__(self, program: str, folder: Path) -> None:
        read_by_it, self._out = os.pipe()
        self._in, written_by_it = os.pipe()
        options = (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}",
        )  # fmt: skip
        nowhere = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in (0, 1, 2)]
        pipes = [(os.POSIX_SPAWN_DUP2, read_by_it, 3), (os.POSIX_SPAWN_DUP2, written_by_it, 4)]
        self._process = os.posix_spawn(
            program, [program, *options], os.environ | {"HOME": str(folder)},
            file_actions=[*nowhere, *pipes],
        )  # fmt: skip
        os.close(read_by_it)
        os.close(written_by_it)
        self._rest, self._last, self._session = b"", 0, None
        self.requested: list[str] = []
        self.refused: list[str] = []
        self.complaints: list[str] = []

    def close(self) -> None:
        """End the browser, in any case."""
        os.close(self._out)  # which it takes as an order to leave
        for _ in range(50):
            if os.waitpid(self._process, os.WNOHANG)[0]:
                break
            time.sleep(0.1)
        else:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        os.close(self._in)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command and wait for its result."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if self._session and not method.startswith(("Browser.", "Target.")):
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RefusedError(answer["error"])
                return answer["result"]

    def open(self, url: str) -> None:
        """Show a page in a new tab."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Network", "Log", "Page", "Runtime"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, expression: str) -> Any:
        """What an expression is worth on the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression is true; a page that is being replaced has no value yet."""
        end = time.monotonic() + SECONDS
        while True:
            with contextlib.suppress(RefusedError):
                if self.value(expression):
                    return
            assert time.monotonic() < end, expression
            time.sleep(0.05)

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            text = {"text": key} if len(key) == 1 else {}
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, selector: str) -> None:
        """Click in the middle of an element."""
        box = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); "
            "return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        where = {"x": box[0], "y": box[1], "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, **where)

    def text(self, selector: str) -> str:
        """The text of an element as it is shown."""
        return str(self.value(f"document.querySelector({json.dumps(selector)}).innerText"))

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], SECONDS)
            assert ready, "the browser says nothing"
            read = os.read(self._in, 1 << 16)
            assert read, "the browser left"
            self._rest += read
        line, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.requested.append(message["params"]["request"]["url"])
        if message.get("method") == "Network.loadingFailed":
            self.refused.append(message["params"].get("blockedReason", ""))
        if message.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown"):
            self.complaints.append(json.dumps(message["params"]))
        return message
