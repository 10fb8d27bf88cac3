"""A real browser for tests: headless Chromium driven through chromedriver's HTTP interface, standard library only."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

FLAGS = (
    "--headless=new",
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
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Right": "\ue014",
    "Left": "\ue012",
    "Down": "\ue015",
    "Escape": "\ue00c",
}


def missing() -> str | None:
    """Why there is no browser here; None if there is one."""
    for names in (("chromium", "chromium-browser", "google-chrome"), ("chromedriver",)):
        if not any(map(shutil.which, names)):
            return f"no browser to test the page in: {names[0]} is not installed"
    return None


class Browser:
    """One window; every method is one request of the W3C WebDriver protocol."""

    def __init__(self, base: str, profile: Path) -> None:
        self._base = base
        binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        options = {"binary": binary, "args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{answer['sessionId']}"

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._base + path, data, {"Content-Type": "application/json"}, method=method)
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def go(self, address: str) -> None:
        self._ask("POST", f"{self._session}/url", {"url": address})

    def run(self, script: str, *arguments: Any) -> Any:
        """What the body of a function returns in the page."""
        return self._ask("POST", f"{self._session}/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self._ask("POST", f"{self._session}/goog/cdp/execute", {"cmd": command, "params": parameters})

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
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self._ask(
            "POST",
            f"{self._session}/actions",
            {"actions": [{"type": "key", "id": "keys", "actions": actions}]},
        )

    def point(self, x: float, y: float) -> None:
        """The mouse to a place of the window."""
        move = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        pointer = {
            "type": "pointer",
            "id": "mouse",
            "parameters": {"pointerType": "mouse"},
            "actions": [move],
        }
        self._ask("POST", f"{self._session}/actions", {"actions": [pointer]})

    def log(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._ask("POST", f"{self._session}/se/log", {"type": kind})
        return found

    def picture(self, whole: bool = False) -> bytes:
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])

    def close(self) -> None:
        self._ask("DELETE", self._session)


@contextmanager
def opened(profile: Path) -> Iterator[Browser]:
    """A browser with a fresh profile, gone afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = subprocess.DEVNULL
    driver = subprocess.Popen([str(shutil.which("chromedriver")), f"--port={port}"], stdout=quiet, stderr=quiet)
    try:
        browser = Browser(_ready(f"http://127.0.0.1:{port}"), profile)
        try:
            yield browser
        finally:
            browser.close()
    finally:
        driver.terminate()
        driver.wait(timeout=10)


def _ready(base: str) -> str:
    for _ in range(200):
        try:
            with urlopen(f"{base}/status", timeout=5) as answer:
                if json.load(answer)["value"]["ready"]:
                    return base
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("chromedriver did not start")
