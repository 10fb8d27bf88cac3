"""Numba's njit as the engine uses it: typed, cached on disk, never stale, and compiled for one family of policies.

What is used beyond Numba's documented interface only saves time; without it the engine does the same, more slowly.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.extending import overload

typeof: Any = numba.typeof
F = TypeVar("F", bound=Callable[..., Any])
SILENT_SECONDS = 1.0


def _sources() -> str:
    """A digest of every module that holds compiled code: the engine, and the likelihood (shared with Python code)."""
    digest, engine = hashlib.sha256(), Path(__file__).parent
    shared = [engine.parent / "_numerics" / "likelihood.py"]
    for path in (*sorted(engine.rglob("*.py")), *filter(Path.exists, shared)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _known(**options: Any) -> dict[str, Any]:
    """Those of the options that this Numba has."""
    try:
        known: Any = importlib.import_module("numba.core.options").DefaultOptions
    except (ImportError, AttributeError):
        return {}
    return {name: value for name, value in options.items() if hasattr(known, name)}


def _merged_only() -> dict[str, Any]:
    """The option to leave optimisation and machine code of a helper to the functions it is merged into, if possible.

    Otherwise a helper of a helper is optimised once for every function around it, and unused code is generated.
    """
    try:
        compiler: Any = importlib.import_module("numba.core.compiler").Compiler
        library_class: Any = importlib.import_module("numba.core.codegen").CPUCodeLibrary
        normalize: Any = importlib.import_module("numba.core.cgutils").normalize_ir_text
        llvm: Any = importlib.import_module("llvmlite.binding")
        used: tuple[Any, ...] = (library_class._optimize_final_module, library_class._finalize_final_module)
        used += (library_class._get_module_for_linking, library_class.add_llvm_module, llvm.parse_assembly)
        scan, external = library_class._finalize_dynamic_globals, llvm.Linkage.external
    except (ImportError, AttributeError):
        return {}
    assert all(map(callable, used))

    class Codegen:
        """Numba's code generator without the environment of a function, a symbol of code that is never loaded."""

        def __init__(self, real: Any) -> None:
            self._real = real

        def __getattr__(self, name: str) -> Any:
            return getattr(self._real, name)

        def set_env(self, env_name: str, env: Any) -> None:
            pass

    def keep(library: Any) -> None:
        """End the work on a helper with its module in memory, ready to be linked."""
        scan(library)
        library._finalized = True

    def add(library: Any, module: Any) -> None:
        """Enter a module as Numba does, without verification; the complete module is verified at the end."""
        library.add_llvm_module(llvm.parse_assembly(normalize(str(module))))

    def shared(library: Any) -> Any:
        """The module to link into callers: itself, where Numba keeps a copy to make machine code of."""
        library._ensure_finalized()
        if library._shared_module is None:
            library._shared_module = library._final_module
            for function in library._shared_module.functions:
                if not function.is_declaration and function.linkage == external:
                    function.linkage = "linkonce_odr"
        return library._shared_module

    class Helper(compiler):  # type: ignore[misc]  # the base is looked up at run time
        def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
            if library is None:
                library = target.codegen().create_library("helper")
                library.enable_object_caching()
                library._codegen = Codegen(library._codegen)
                library._optimize_final_module = lambda: None
                library._finalize_final_module = lambda: keep(library)
                library._get_module_for_linking = lambda: shared(library)
                library.add_ir_module = lambda module: add(library, module)
            super().__init__(typing, target, library, *rest)

    return {"pipeline_class": Helper}


_DIGEST = _sources()
# Nothing is allocated in compiled code, so reference counts are left out.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", **_known(_nrt=False)}
# A helper is called from compiled code only: wrappers for Python and C would take a third of the time to compile.
_HELPER: dict[str, Any] = {
    "forceinline": True,
    "nogil": True,
    **_OPTIONS,
    **_known(no_cpython_wrapper=True, no_cfunc_wrapper=True),
    **_merged_only(),
}


def inlined(function: F) -> F:
    """A helper merged into its compiled callers: a state has many words, slow to pass millions of times a second."""
    return cast(F, numba.njit(**_HELPER)(function))


def _by_type(choice: Callable[[Any], Callable[..., Any]]) -> Any:
    """A function of a state (its first argument) whose code is chosen by the type of the state when it is compiled."""

    def chosen(state: Any, *rest: Any) -> Any:
        raise NotImplementedError("called from compiled code only")

    def choose(state: Any, *rest: Any) -> Any:
        return choice(state)

    options: Any = _HELPER
    overload(chosen, jit_options=options, strict=False)(choose)
    return chosen


def by_family(table: Mapping[type, Callable[..., Any]]) -> Any:
    """A function of a state with one code for each class of states.

    So a policy compiles what it needs and nothing of the others.
    """
    return _by_type(lambda state: table[state.instance_class])


def by_use(live: Callable[..., Any], simulated: Callable[..., Any]) -> Any:
    """A function of a state with one code for agents and one for simulations, which have no pending pulls.

    The state of a simulation has no counts of pending pulls (`simulated_state`).
    """
    return by_layout(live, simulated, simulated)


def by_layout(live: Callable[..., Any], grouped: Callable[..., Any], dense: Callable[..., Any]) -> Any:
    """`by_use` with two codes for simulations: arms in groups, and a slot for each arm."""
    codes = {numba.int64: live, numba.int8: grouped, numba.int16: dense}
    return _by_type(lambda state: codes[state[state.fields.index("pending")].dtype])


def compiled(function: F, *, nogil: bool = True, called_from_python: bool = True) -> F:
    """The function compiled on first use, GIL released, IEEE arithmetic (no fastmath), result cached on disk.

    Numba stamps a cache entry with the one file that defines the function, so a change in a callee's file would leave
    the caller's old machine code in place. The stamp is extended to the whole engine; where it cannot be, or where no
    directory can be written to, the function is compiled in each process.
    """
    options = {"nogil": nogil, **_OPTIONS, **_known(no_cfunc_wrapper=True, no_cpython_wrapper=not called_from_python)}
    try:
        dispatcher: Any = numba.njit(cache=True, **options)(function)
        file = dispatcher._cache._cache_file
        file._source_stamp = (file._source_stamp, _DIGEST)
        _forget_foreign(file)
        _hasten(dispatcher)
    except (RuntimeError, AttributeError):
        return cast(F, numba.njit(**options)(function))
    return cast(F, dispatcher)


def _hasten(dispatcher: Any) -> None:
    """Make a dispatcher compile under `_faster`, also when a call with new types makes it do so."""
    as_numba_does = dispatcher.compile

    def compile_faster(signature: Any) -> Any:
        with _faster():
            return as_numba_does(signature)

    dispatcher.compile = compile_faster


def _forget_foreign(file: Any) -> None:
    """Remove an index that another version of the engine left behind and that names modules which no longer exist."""
    try:
        file._load_index()
    except ImportError:
        Path(file._index_path).unlink(missing_ok=True)


def separate(function: F) -> F:
    """`compiled` for a function that compiled code alone calls, too rarely or too often written out to be merged."""
    return compiled(function, called_from_python=False)


def exclusive(function: F) -> F:
    """`compiled` with the GIL kept: threads that share an agent see each call as one step."""
    return compiled(function, nogil=False)


@contextmanager
def _announced() -> Iterator[None]:
    """Say on a terminal that code is compiled, once that has taken a second; code from the cache is there at once."""
    if not sys.stderr.isatty():
        yield
        return
    line = "reucb: compiling for this policy (once; cached on disk)\n"
    timer = threading.Timer(SILENT_SECONDS, sys.stderr.write, (line,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Disable garbage collection, which takes a tenth of the compile time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:
            gc.freeze()  # with unfreeze: all objects are old, without a look at each
            gc.unfreeze()
        gc.enable()


@contextmanager
def _replaced(owner: Any, **methods: Callable[..., Any]) -> Iterator[None]:
    """A class or module of Numba with other functions, which give the same results faster."""
    before = {name: getattr(owner, name) for name in methods}
    for name, method in methods.items():
        setattr(owner, name, method)
    try:
        yield
    finally:
        for name, method in before.items():
            setattr(owner, name, method)


def _plain_flags() -> AbstractContextManager[None]:
    """Compare the flags of compilations by the options that were set: comparing them with every default takes 6 %.

    Numba looks up compiled code by flags, so code found in only one of the two ways is compiled a second time at most.
    """
    try:
        flags: Any = importlib.import_module("numba.core.targetconfig").TargetConfig
        assert "_values" in flags.__slots__
    except (ImportError, AttributeError, AssertionError):
        return nullcontext()
    return _replaced(
        flags,
        __hash__=lambda one: hash(type(one)),
        __eq__=lambda one, other: type(one) is type(other) and one._values == other._values,
    )


def _plain_lists() -> AbstractContextManager[None]:
    """List the variables of an instruction by the exact types of its parts, the frequent ones first: 4 % of the time.

    Numba asks `isinstance` up to five times for each part, most of which are numbers, names and places in the source.
    """
    try:
        ir: Any = importlib.import_module("numba.core.ir")
        inst, var, other = ir.Inst, ir.Var, ir.Inst._rec_list_vars
        bare = frozenset((str, int, float, bool, type(None), ir.Loc))
    except (ImportError, AttributeError):
        return nullcontext()

    def variables(self: Any, value: Any) -> list[Any]:
        kind = type(value)
        if kind is var:
            return [value]
        if kind in bare:
            return []
        if kind is not dict and kind is not list and kind is not tuple:
            return cast(list[Any], other(self, value))
        found = []
        for part in value.values() if kind is dict else value:
            found += variables(self, part)
        return found

    return _replaced(inst, _rec_list_vars=variables)


def _untimed() -> AbstractContextManager[None]:
    """Without the clocks of Numba: those of all functions around a helper note each use of a lock, thousands a second.

    The times are shown by Numba's own tools only.
    """
    try:
        event: Any = importlib.import_module("numba.core.event")
        assert callable(event.install_timer)
    except (ImportError, AttributeError):
        return nullcontext()
    return _replaced(event, install_timer=lambda kind, callback: nullcontext())


def _one_at_a_time() -> AbstractContextManager[None]:
    """Numba's own lock around compilations: two threads must not replace and restore its functions at once."""
    try:
        lock: AbstractContextManager[None] = importlib.import_module("numba.core.compiler_lock").global_compiler_lock
    except (ImportError, AttributeError):
        return nullcontext()
    return lock


@contextmanager
def _faster() -> Iterator[None]:
    """Compile with all of these savings, together a quarter of the time; no effect inside another compilation."""
    with _one_at_a_time(), _uncollected(), _plain_flags(), _plain_lists(), _untimed():
        yield


def machine_code(function: F, *arguments: Any) -> F:
    """The machine code for arguments of these types, compiled now if need be, without the dispatch in front of it.

    Dispatch on a generator takes longer than an agent's whole round; a caller whose types never change can skip it.
    """
    types = tuple(typeof(value) for value in arguments)
    dispatcher: Any = function
    with _announced(), _faster():
        dispatcher.compile(types)
    try:
        return cast(F, dispatcher.overloads[types].entry_point)
    except (KeyError, AttributeError):
        return function
