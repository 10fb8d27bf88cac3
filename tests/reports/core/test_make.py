"""The default report, killed and resumed several times: slow, so only on demand (python -m pytest -m slow)."""

import hashlib
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent.parent


def start(out: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "reports", "--out", str(out)], cwd=ROOT, stdout=subprocess.DEVNULL)


def digests(out: Path) -> dict[str, str]:
    """Everything a reader sees: the page and the data of its panels (not the kept units)."""
    files = [out / "index.html", *sorted((out / "data").glob("*.*"))]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.slow
def test_a_report_killed_at_random_moments_ends_with_the_same_bytes(tmp_path):
    whole = start(tmp_path / "whole")
    assert whole.wait() == 0
    rng = random.Random(0)
    for _ in range(6):
        run = start(tmp_path / "killed")
        try:
            run.wait(timeout=rng.uniform(2, 25))
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.wait()
    assert start(tmp_path / "killed").wait() == 0
    assert digests(tmp_path / "killed") == digests(tmp_path / "whole")
    assert (tmp_path / "whole" / "index.html").stat().st_size < 5_000_000
