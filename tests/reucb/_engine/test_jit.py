"""What is used beyond Numba's documented interface: without it the engine does the same."""

from __future__ import annotations

import gc
import io
import operator
import os
import shutil
import subprocess
import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from reucb._engine import jit


def double(x: float) -> float:
    return 2.0 * x


@pytest.mark.parametrize("missing", ["numba.core.options", "DefaultOptions", "_nrt"])
def test_without_lean_compilation(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """An option that this Numba does not have is left out; the result is the same."""
    assert jit._known(_nrt=False, no_such_option=1) == {"_nrt": False}
    if missing.startswith("numba"):
        monkeypatch.setitem(sys.modules, missing, None)
    else:
        whole = types.SimpleNamespace(DefaultOptions=types.SimpleNamespace(_nrt=True))
        delattr(whole if missing == "DefaultOptions" else whole.DefaultOptions, missing)
        monkeypatch.setitem(sys.modules, "numba.core.options", whole)
    assert jit._known(_nrt=False) == {}
    monkeypatch.setattr(jit, "_OPTIONS", {**jit._OPTIONS, "_nrt": True})
    assert jit.compiled(double)(2.0) == 4.0


@pytest.mark.parametrize("missing", ["numba.core.compiler", "numba.core.codegen"])
def test_without_the_way_to_skip_optimisation(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    assert set(jit._merged_only()) == {"pipeline_class"}
    monkeypatch.setitem(sys.modules, missing, types.SimpleNamespace())
    assert jit._merged_only() == {}


def test_a_helper_has_no_machine_code_of_its_own() -> None:
    """Its module is linked into the function that calls it, which gives the same value as the function in Python."""
    helper: Any = jit.inlined(double)

    def four_times(x: float) -> float:
        return float(helper(helper(x)))

    assert numba.njit(four_times)(0.1) == 2.0 * (2.0 * 0.1)
    (compiled,) = helper.overloads.values()
    assert compiled.library._finalized
    assert not compiled.library.codegen._engine.is_symbol_defined(compiled.fndesc.llvm_func_name)


REPLACED = {
    "numba.core.targetconfig": ("_plain_flags", "TargetConfig.__eq__"),
    "numba.core.ir": ("_plain_lists", "Inst._rec_list_vars"),
    "numba.core.event": ("_untimed", "install_timer"),
}


@pytest.mark.parametrize("module", REPLACED)
def test_numba_is_as_before_after_compilation(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Also if compilation fails; a Numba without what is replaced is left alone."""
    name, replaced = REPLACED[module]
    inside: Any = operator.attrgetter(replaced)
    before = inside(sys.modules[module])

    def fail() -> None:
        with getattr(jit, name)():
            assert inside(sys.modules[module]) is not before
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert inside(sys.modules[module]) is before
    monkeypatch.setitem(sys.modules, module, types.SimpleNamespace())
    with getattr(jit, name)():
        pass


def test_variables_of_instructions_are_those_of_numba() -> None:
    """In the same order, for every instruction of a function with branches, calls, tuples and keywords."""

    def mixed(x: Any, y: float = 1.0) -> float:
        total = 0.0
        for i in range(len(x)):
            a, b = divmod(x[i], 2.0)
            total += min(a, b, y) if x[i] > 0.0 else float(round(number=a))
        return total

    blocks = numba.core.compiler.run_frontend(mixed).blocks.values()
    body = [instruction for block in blocks for instruction in block.body]
    want = [instruction.list_vars() for instruction in body]
    assert max(map(len, want)) >= 3
    with jit._plain_lists():
        assert [instruction.list_vars() for instruction in body] == want


def test_garbage_collection_is_as_before_after_compilation() -> None:
    """Also if it was off, and if compilation fails."""
    seen = []

    def fail() -> None:
        with jit._uncollected():
            seen.append(gc.isenabled())
            raise KeyError

    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            with pytest.raises(KeyError):
                fail()
            assert gc.isenabled() == enabled
        finally:
            gc.enable()
    assert seen == [False, False]


def test_without_a_stamp_nothing_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stale entry would be worse than a slow start."""
    asked = []

    def njit(**options: Any) -> Callable[[Any], object]:
        asked.append("cache" in options)
        return lambda function: object()  # a dispatcher whose cache is not what it was

    monkeypatch.setattr(numba, "njit", njit)
    jit.compiled(double)
    assert asked == [True, False]


def test_without_an_entry_point_the_dispatcher_is_called() -> None:
    class Plain:
        """A dispatcher that shows no machine code."""

        overloads: dict[Any, Any] = {}  # noqa: RUF012 (never changed)

        def compile(self, signature: Any) -> None:
            assert signature == (numba.float64,)

    plain: Any = Plain()
    assert jit.machine_code(plain, 1.0) is plain
    machine_code: Any = jit.machine_code(numba.njit(double), 1.0)
    assert machine_code(3.0) == 6.0


def test_a_package_in_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    """Neither beside the sources nor in the home: the function is compiled in memory, and right."""
    package = tmp_path / "reucb" / "_engine"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    shutil.copy(jit.__file__, package / "jit.py")
    (package / "twice.py").write_text(
        "from reucb._engine.jit import compiled\n\n\n@compiled\ndef twice(x):\n    return 2.0 * x\n"
    )
    (package / "__pycache__").write_text("a file where the cache would be")
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "HOME": "/dev/null",
        "XDG_CACHE_HOME": "/dev/null",
        "IPYTHONDIR": "/dev/null",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    code = "import reucb._engine.twice as t; assert t.twice(4) == 8; print(t.__file__, type(t.twice._cache).__name__)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(package / "twice.py"), "NullCache"]


class Terminal(io.StringIO):
    """A stream that says whether it is a terminal, and when something was written to it."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal, self.written = terminal, threading.Event()

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


def test_a_long_compilation_is_reported_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message after SILENT_SECONDS, here at once; none in a file, and none for a short compilation."""
    told, file, short = Terminal(True), Terminal(False), Terminal(True)
    monkeypatch.setattr(jit, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(sys, "stderr", told)
    with jit._announced():
        assert told.written.wait(600)
    assert "compiling" in told.getvalue()
    monkeypatch.setattr(sys, "stderr", file)
    with jit._announced():
        pass
    monkeypatch.setattr(jit, "SILENT_SECONDS", 600.0)
    monkeypatch.setattr(sys, "stderr", short)
    with jit._announced():
        pass
    assert file.getvalue() == short.getvalue() == ""


def test_an_index_of_another_version_is_removed(tmp_path: Path) -> None:
    """It may name a class that has moved; Numba unpickles it before it looks at the stamp."""

    class File:
        _index_path = str(tmp_path / "function.nbi")

        def _load_index(self) -> None:
            raise ModuleNotFoundError("No module named 'reucb._engine.state'")

    Path(File._index_path).write_bytes(b"old")
    jit._forget_foreign(File())
    assert not Path(File._index_path).exists()


@pytest.mark.parametrize("called", [True, False], ids=["by a call", "by hand"])
def test_every_function_is_compiled_faster(monkeypatch: pytest.MonkeyPatch, called: bool) -> None:
    """Also one whose first call with new types compiles it; afterwards Numba is as before."""
    function: Any = jit.compiled(lambda x: 3.0 * x)
    function._cache = numba.core.caching.NullCache()  # compiled now, not loaded
    config, seen = sys.modules["numba.core.targetconfig"].TargetConfig, []
    before, compile_extra = config.__eq__, numba.core.compiler.compile_extra

    def watched(*arguments: Any, **options: Any) -> Any:
        seen.append((gc.isenabled(), config.__eq__ is before))
        return compile_extra(*arguments, **options)

    monkeypatch.setattr(numba.core.compiler, "compile_extra", watched)
    assert (function(2.0) if called else jit.machine_code(function, 2.0)(2.0)) == 6.0
    assert seen == [(False, False)]
    assert gc.isenabled()
    assert config.__eq__ is before
