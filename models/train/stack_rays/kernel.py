"""Runs ``rays.c``: on a card where there is one (with CuPy), else on a processor (with a C compiler)."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

_SOURCE: Final = Path(__file__).with_name("rays.c")
_THREADS: Final = 128


class KernelError(RuntimeError):
    """What is to run cannot be built here."""


def run(name: str, given: Sequence[Tensor], numbers: Sequence[int], *, points: int) -> None:
    """Run a function of the kernel on tensors of one device, and whole numbers.

    Args:
        name: of the function.
        given: what it reads and writes, all of it contiguous.
        numbers: the rest of its arguments.
        points: how many places it answers for.

    Raises:
        KernelError: if there is neither CuPy nor a C compiler for the device.
    """
    given = [one.contiguous() for one in given]
    if given[0].device.type == "cuda":
        cupy = _cupy()
        pointers = [cupy.uintp(one.data_ptr()) for one in given]
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            blocks = (-(-points // _THREADS),)
            _compiled().get_function(name)(blocks, (_THREADS,), (*pointers, *map(cupy.int32, numbers)))
        return
    getattr(_library(), name)(*(ctypes.c_void_p(one.data_ptr()) for one in given), *map(ctypes.c_int, numbers))


def _cupy() -> Any:
    try:
        import cupy  # noqa: PLC0415 - only where there is a card
    except ImportError as missing:
        msg = "expected the package cupy to draw stacks on a card, found none"
        raise KernelError(msg) from missing
    return cupy


@lru_cache(maxsize=1)
def _compiled() -> Any:
    return _cupy().RawModule(code=_SOURCE.read_text(encoding="utf-8"), options=("--use_fast_math",))


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    """The kernel for a processor, built anew where its source has changed."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    # not -ffast-math: a library built with it makes the whole process round the smallest numbers to 0
    options = [
        "-O3",
        "-fno-math-errno",
        "-fno-trapping-math",
        "-ffinite-math-only",
        "-fno-signed-zeros",
        "-fassociative-math",
        "-freciprocal-math",
        "-march=native",
        "-fopenmp",
        "-shared",
        "-fPIC",
    ]
    made_of = _SOURCE.read_bytes() + " ".join(options).encode()
    name = f"catwalk-rays-{hashlib.sha256(made_of).hexdigest()[:16]}-{os.getuid()}.so"
    built = Path(tempfile.gettempdir()) / name
    if not built.exists():
        if compiler is None:
            msg = "expected a C compiler to draw stacks without a card, found none"
            raise KernelError(msg)
        half = built.with_suffix(f".{os.getpid()}")
        command = [compiler, *options, "-o", str(half), str(_SOURCE), "-lm"]
        subprocess.run(command, check=True)  # noqa: S603 - our own file, with the machine's compiler
        half.rename(built)
    return ctypes.CDLL(str(built))
