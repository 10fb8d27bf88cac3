"""`run_block` by the C kernel: compiled here with the C compiler of the machine, fed by NumPy's own streams."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

import reucb
from benchmarks.numpy_rules import FloatArray
from reucb.engine import EDGES, HEIGHTS, POLICY, PRIOR, REWARDS, WIDTHS, block_words, codes, put_words

# errno and trapping are left out because Numba's kernels leave them out too; this only helps C.
FLAGS = ("-O3", "-march=native", "-std=c11", "-fno-math-errno", "-fno-trapping-math")
RULES = {
    codes.LINEAR: 0,
    codes.BLUP: 1,
    codes.PLUGIN: 2,
    codes.KL_BERNOULLI: 3,
    codes.TS_GAUSSIAN: 4,
    codes.TS_BERNOULLI: 5,
}


def compiler() -> str | None:
    """The C compiler, if there is one."""
    name = os.environ.get("CC") or (sysconfig.get_config_var("CC") or "cc").split()[0]
    return shutil.which(name) or shutil.which("cc") or shutil.which("gcc")


@cache
def library() -> Any:
    """The compiled kernel, loaded."""
    numpy = Path(np.__file__).parent
    include = Path(np.get_include())
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "kernel.so"
        subprocess.run(
            [
                compiler() or "cc",
                *FLAGS,
                "-fPIC",
                "-shared",
                f"-I{include}",
                "-o",
                str(target),
                str(Path(__file__).with_name("c_kernel.c")),
                str(numpy / "random/lib/libnpyrandom.a"),
                str(include.parent / "lib/libnpymath.a"),
                "-lm",
            ],
            check=True,
        )
        loaded = ctypes.CDLL(str(target))
    loaded.tables(_pointer(EDGES), _pointer(WIDTHS), _pointer(HEIGHTS))
    return loaded


def supported(policy: Any, n_arms: int) -> bool:
    """Whether the C kernel knows this policy."""
    rule = policy.rule(n_arms)
    return rule.kind in RULES and rule.multiplier == codes.ROOT_LOG


def run_block(
    bandit: reucb.Bandit,
    policy: Any,
    horizon: int,
    marks: NDArray[np.int64],
    seed: int,
    first: int,
    count: int,
    *,
    grouped: bool = True,
) -> FloatArray:
    """The same regrets as `reucb.engine.run_block`, by C; index policies on grouped or dense arms."""
    rule = policy.rule(bandit.n_arms)
    sampling = rule.kind in (codes.TS_GAUSSIAN, codes.TS_BERNOULLI)
    code, sigma, _, _ = bandit.rewards.kernel(bandit.n_arms)
    params = np.array([rule.scale, rule.loglog, rule.mu0, rule.sigma0_sq, rule.sigma_sq, rule.alpha, rule.beta])
    marks = np.ascontiguousarray(marks, dtype=np.int64)
    out = np.empty((count, len(marks)))
    run = library().run
    words = np.hstack([block_words(seed, first, count, use) for use in (PRIOR, REWARDS, POLICY)])
    prior, own = Generator(PCG64(0)), Generator(PCG64(0))
    for row in range(count):  # started as the engine starts its runs, so that kernels are compared
        put_words(prior, words[row, :4])
        put_words(own, words[row, 8:])
        means = bandit.rewards.mean(bandit.draw(prior))
        run(
            RULES[rule.kind],
            rule.method == codes.ANOVA,
            grouped and not sampling,
            ctypes.c_int64(bandit.n_arms),
            ctypes.c_int64(horizon),
            _pointer(params),
            code,
            ctypes.c_double(sigma[0]),
            _pointer(means),
            _pointer(words[row, 4:]),
            own.bit_generator.ctypes.bit_generator,
            _pointer(marks),
            ctypes.c_int64(len(marks)),
            _pointer(out[row]),
        )
    return out


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
