# SPDX-License-Identifier: MIT
"""The shared library, and its errors as exceptions."""
from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

from . import _interface

ffi: Any = _interface.ffi


class Error(Exception):
    """An error of the library.

    code    "PC-E0217", as `pcounter explain` takes it; "" if there is none
    status  "PC_EINPUT" and the like
    text    what is wrong
    hint    what to do, or similar names; may be empty
    help    why that is so and what to do, from the catalogue of errors; may be empty
    line, column, byte   the place, None where there is none
    """

    def __init__(self, status: int, err: Any) -> None:
        self.code = f"PC-E{err.code:04d}" if err.code else ""
        self.status = string(lib.pc_status_name(status))
        self.text = string(err.text)
        self.hint = string(err.hint)
        self.line = err.line or None
        self.column = err.column or None
        self.byte = err.byte if err.has_byte else None
        row = lib.pc_explain(err.code)
        self.help = f"{string(row.why)} {string(row.what_to_do)}" if row else ""
        super().__init__(": ".join(filter(None, (self.code, self.text))) + (f" ({self.hint})" if self.hint else ""))


class FileError(Error, OSError):
    """A file that cannot be opened or read; also an OSError."""

    def __init__(self, status: int, err: Any, path: str | os.PathLike[str] | None = None) -> None:
        Error.__init__(self, status, err)
        self.filename = path
        self.errno = errno.ENOENT if status == lib.PC_ENOENT else errno.EIO

    def __str__(self) -> str:
        return Exception.__str__(self)


class FileMissing(FileError, FileNotFoundError):
    """A file that is not there; also a FileNotFoundError."""


for _class in (Error, FileError, FileMissing):
    _class.__module__ = "pcounter"  # where users know them from


def string(chars: Any) -> str:
    return ffi.string(chars).decode("utf-8", "surrogateescape")


def encoded(text: str | os.PathLike[str]) -> bytes:
    return os.fsencode(text)


def check_file(status: int, err: Any, path: str | os.PathLike[str]) -> None:
    """Raises the result of reading a file if it is an error, as an OSError where the system refused it."""
    if status in (lib.PC_ENOENT, lib.PC_EIO):
        raise (FileMissing if status == lib.PC_ENOENT else FileError)(status, err, path)
    check(status, err)


def check(status: int, err: Any) -> None:
    if status != lib.PC_OK:
        raise Error(status, err)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last argument, left out here, is a struct pc_error."""
    err = ffi.new("struct pc_error *")
    check(function(*arguments, err), err)


def create(function: Any, free: Any, *arguments: Any) -> Any:
    """Creates a handle, the last argument before the error; it is freed with its last reference."""
    out = ffi.new(ffi.typeof(function).args[len(arguments)])
    call(function, *arguments, out)
    return ffi.gc(out[0], free)


def _load() -> Any:
    major, minor = (ffi.integer_const(f"PC_VERSION_{part}") for part in ("MAJOR", "MINOR"))
    name = f"libpcounter.so.{major}"
    beside = Path(__file__).with_name(name)
    path = os.environ.get("PCOUNTER_LIBRARY") or (str(beside) if beside.exists() else name)
    try:
        loaded = ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"{error}; the variable PCOUNTER_LIBRARY can say where {name} is") from error
    found = string(loaded.pc_version())
    numbers = found.split(".")
    if int(numbers[0]) != major or int(numbers[1]) < minor:
        raise ImportError(f"{path} is of version {found}; this package is of {major}.{minor}")
    return loaded


lib = _load()
