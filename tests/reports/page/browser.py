"""A real browser for tests: headless Chromium driven through its debugging pipe, standard library only.

No driver program and no port: Chromium reads commands from file descriptor 3 and writes answers and events to 4, as
JSON texts that end with a zero byte. Everything waits for an answer or an event, nothing for a clock; a browser that
says nothing for PATIENCE seconds is an error.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)
PATIENCE = 300.0
# Renumbers the two descriptors and becomes Chromium.
LAUNCH = "import os, sys; a = sys.argv; os.dup2(int(a[1]), 3); os.dup2(int(a[2]), 4); os.execv(a[3], a[3:])"
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "Left": 37, "Right": 39, "Down": 40}
ARROWS = ("Left", "Right", "Down")
TEXTS = {"Enter": "\r"}


def binary() -> str | None:
    """The browser of this machine, if there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def missing() -> str | None:
    """Why there is no browser here; None if there is one. A driver program alone is no browser, and none is needed."""
    if binary():
        return None
    driver = " (chromedriver alone is not enough)" if shutil.which("chromedriver") else ""
    return f"no browser to test the page in: chromium is not installed{driver}"


class Pipe:
    """Messages to and from Chromium."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._rest = b""
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def ask(self, method: str, parameters: dict[str, Any], session: str | None = None) -> dict[str, Any]:
        """Send a command and wait for its answer; events on the way are kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self._last:
                break
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        found: dict[str, Any] = answer["result"]
        return found

    def read(self) -> dict[str, Any]:
        """The next message."""
        while b"\0" not in self._rest:
            if not select.select([self._answers], [], [], PATIENCE)[0]:
                raise RuntimeError(f"Chromium said nothing for {PATIENCE:.0f} s")
            more = os.read(self._answers, 1 << 20)
            if not more:
                raise RuntimeError("Chromium closed its pipe")
            self._rest += more
        text, self._rest = self._rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(text)
        return message


class Browser:
    """One page of a running browser."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        target = pipe.ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = pipe.ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.devtools(f"{domain}.enable")
        self.devtools("Emulation.setFocusEmulationEnabled", enabled=True)

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self._pipe.ask(command, parameters, self._session)

    def go(self, address: str) -> None:
        """Load a page and wait until it has loaded."""
        self._taken(("Page.loadEventFired",))
        self.devtools("Page.navigate", url=address)
        while not self._taken(("Page.loadEventFired",)):
            self._pipe.events.append(self._pipe.read())

    def run(self, script: str, *arguments: Any) -> Any:
        """What the body of a function returns in the page; a promise is waited for."""
        call = f"(function () {{ {script}\n}}).apply(window, {json.dumps(list(arguments))})"
        found = self.devtools(
            "Runtime.evaluate", expression=call, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["exception"].get("description", found["exceptionDetails"]))
        return found["result"].get("value")

    def size(self, width: int, height: int, phone: bool = False) -> None:
        """The size of the page itself, not of the window."""
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )

    def prefer(self, **features: str) -> None:
        """Media features, as prefers_color_scheme="dark"."""
        wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.devtools("Emulation.setEmulatedMedia", features=wanted)

    def press(self, *keys: str) -> None:
        """Keys to whatever has the focus: names of KEYS, or characters."""
        for key in keys:
            name = f"Arrow{key}" if key in ARROWS else key
            code = KEYS.get(key, ord(key[0].upper()))
            text = TEXTS.get(key, "" if key in KEYS else key)
            about = {"key": name, "code": name, "windowsVirtualKeyCode": code}
            self.devtools("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **about)
            self.devtools("Input.dispatchKeyEvent", type="keyUp", **about)

    def point(self, x: float, y: float) -> None:
        """The mouse to a place of the window."""
        self.devtools("Input.dispatchMouseEvent", type="mouseMoved", x=round(x), y=round(y))

    def complaints(self) -> list[dict[str, Any]]:
        """What the console said since the last call: messages, warnings, uncaught exceptions."""
        self.devtools("Runtime.evaluate", expression="0")  # earlier events are in when this is answered
        return self._taken(("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"))

    def requests(self) -> list[str]:
        """The addresses asked for since the last call."""
        self.devtools("Runtime.evaluate", expression="0")
        return [event["params"]["request"]["url"] for event in self._taken(("Network.requestWillBeSent",))]

    def _taken(self, methods: tuple[str, ...]) -> list[dict[str, Any]]:
        """Remove the events of these kinds from the queue."""
        found = [event for event in self._pipe.events if event.get("method") in methods]
        self._pipe.events = [event for event in self._pipe.events if event.get("method") not in methods]
        return found

    def picture(self, whole: bool = False) -> bytes:
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])


@contextmanager
def opened(profile: Path) -> Iterator[Browser]:
    """A browser with a fresh profile, gone afterwards."""
    theirs_in, commands = os.pipe()
    answers, theirs_out = os.pipe()
    # Above 4, so that renumbering does not overwrite one with the other.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]
    command = [sys.executable, "-c", LAUNCH, *map(str, ends), str(binary()), *FLAGS, f"--user-data-dir={profile}"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, pass_fds=ends, stdout=quiet, stderr=quiet)
    for end in (theirs_in, theirs_out, *ends):
        os.close(end)
    pipe = Pipe(commands, answers)
    try:
        yield Browser(pipe)
        pipe.ask("Browser.close", {})
        process.wait(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
        os.close(commands)
        os.close(answers)
