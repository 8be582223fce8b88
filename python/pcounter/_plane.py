# SPDX-License-Identifier: MIT
"""Levels of signals, one a cycle, and planes of them, 64 cycles a word."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, Sequence, Union, overload

import numpy as np
import numpy.typing as npt

from ._library import ffi, lib

Levels = npt.NDArray[np.bool_]


class Plane:
    """Levels of one signal, 64 cycles a word: Plane([True, False, True]), or Plane.from_words(words, cycles).

    len() is the number of cycles, plane[t] the level in cycle t; numpy.asarray(plane) has all levels.
    """

    __slots__ = ("_words", "_cycles")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, levels: Plane | npt.ArrayLike) -> None:
        array = as_levels(levels)
        packed = np.packbits(array, bitorder="little")
        words = np.concatenate((packed, np.zeros(-len(packed) % 8, np.uint8))).view("<u8")
        self._set(words.astype(np.uint64, copy=False), len(array))

    @classmethod
    def from_words(cls, words: npt.NDArray[np.uint64], cycles: int) -> Plane:
        """Makes a plane of words: bit t % 64 of word t // 64 is cycle t.  They are not copied, and not to be changed."""
        if not isinstance(words, np.ndarray) or words.dtype != np.uint64 or words.ndim != 1:
            raise TypeError("the words of a plane are an array of uint64 with one dimension")
        if not 0 <= cycles <= 64 * len(words) < cycles + 64:
            raise ValueError(f"{cycles} cycles are {(cycles + 63) // 64} words, not {len(words)}")
        plane = cls.__new__(cls)
        plane._set(np.ascontiguousarray(words), cycles)
        return plane

    def _set(self, words: npt.NDArray[np.uint64], cycles: int) -> None:
        self._words = words.view()
        self._words.flags.writeable = False
        self._cycles = cycles

    @property
    def words(self) -> npt.NDArray[np.uint64]:
        """The words, as an array that is not written to."""
        return self._words

    def levels(self) -> Levels:
        """All levels, one a cycle."""
        return np.unpackbits(self._words.astype("<u8", copy=False).view(np.uint8), bitorder="little",
                             count=self._cycles).view(bool)

    def ones(self) -> int:
        """Counts the cycles in which the level is 1."""
        words = self._words[:self._cycles // 64]
        rest = int(self._words[-1]) & (1 << self._cycles % 64) - 1 if self._cycles % 64 else 0
        ones: int = lib.pc_plane_ones(ffi.from_buffer("uint64_t[]", words), len(words)) if len(words) else 0
        return ones + bin(rest).count("1")

    def __len__(self) -> int:
        return self._cycles

    def __iter__(self) -> Iterator[bool]:
        return iter(self.levels().tolist())

    @overload
    def __getitem__(self, which: int) -> bool: ...
    @overload
    def __getitem__(self, which: slice) -> Levels: ...

    def __getitem__(self, which: int | slice) -> bool | Levels:
        if isinstance(which, slice):
            return self.levels()[which]
        t = which + self._cycles if which < 0 else which
        if not 0 <= t < self._cycles:
            raise IndexError(f"cycle {which} of {self._cycles}")
        return bool(int(self._words[t // 64]) >> t % 64 & 1)

    def __array__(self, dtype: npt.DTypeLike = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.levels().astype(bool if dtype is None else dtype, copy=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plane) and len(self) == len(other) and bool((self.levels() == other.levels()).all())

    def __repr__(self) -> str:
        return f"<Plane: {self.ones()} of {self._cycles} cycles are 1>"


def as_levels(given: Plane | npt.ArrayLike) -> Levels:
    """Checks levels: booleans, or integers that are 0 or 1, in one dimension."""
    if isinstance(given, Plane):
        return given.levels()
    if isinstance(given, (str, bytes)) or not hasattr(given, "__len__"):
        raise TypeError(f"levels are an array or a list of booleans, or of 0 and 1, not {_kind(given)}")
    array = np.asarray(given)
    if array.ndim != 1:
        raise ValueError(f"levels have one dimension, not {array.ndim}")
    if array.size == 0:
        return np.zeros(0, bool)
    if array.dtype.kind not in "biu":
        raise TypeError(f"levels are booleans, or integers that are 0 or 1, not {array.dtype}")
    other = (array != 0) & (array != 1)
    if other.any():
        t = int(other.argmax())
        raise ValueError(f"the level in cycle {t} is {array[t]}, not 0 or 1; for words of 64 cycles use Plane.from_words()")
    return np.ascontiguousarray(array, dtype=bool)


def as_level(given: Any) -> bool:
    """Checks one level."""
    return bool(as_levels([given])[0])


def _kind(given: object) -> str:
    return "a text" if isinstance(given, (str, bytes)) else f"a {type(given).__name__}"


Planes = Mapping[int, Mapping[int, Union[Plane, npt.ArrayLike]]]


class Rows:
    """Planes of signals as the engine takes them, a row a domain; words of planes are not copied."""

    def __init__(self, sizes: Sequence[int], cycles: int, planes: Planes) -> None:
        """Takes the number of signals of each domain."""
        if cycles < 0:
            raise ValueError(f"{cycles} cycles")
        self.rows = ffi.new("struct pc_run_domain[]", len(sizes))
        self._keep: list[Any] = []
        for domain, signals in planes.items():
            if not 0 <= domain < len(sizes):
                raise IndexError(f"there is no domain {domain}; there are 0 to {len(sizes) - 1}")
            pointers = ffi.new("uint64_t *[]", lib.PC_MAX_SIGNALS)
            for signal, levels in signals.items():
                if not 0 <= signal < sizes[domain]:
                    raise IndexError(f"there is no signal {signal} in domain {domain}; there are 0 to {sizes[domain] - 1}")
                plane = levels if isinstance(levels, Plane) else Plane(levels)
                if len(plane) != cycles:
                    raise ValueError(f"signal {signal} of domain {domain} has {len(plane)} levels for {cycles} cycles")
                words = ffi.from_buffer("uint64_t[]", plane.words)
                pointers[signal] = words
                self._keep.append(words)
            self.rows[domain].plane = pointers
            self._keep.append(pointers)


def one_of(table: dict[str, Any], given: str, what: str) -> Any:
    """Looks a word up; an unknown one is an error that lists the known ones."""
    if given not in table:
        raise ValueError(f"there is no {what} {given!r}; there are {', '.join(table)}")
    return table[given]
