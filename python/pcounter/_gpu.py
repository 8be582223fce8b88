# SPDX-License-Identifier: MIT
"""Devices and units."""
from __future__ import annotations

from functools import partial
from typing import Any, Callable, Mapping

import numpy as np
import numpy.typing as npt

from ._chip import Chip, Registers
from ._library import call, create, encoded, ffi, lib

Planes = Mapping[int, Mapping[int, npt.ArrayLike]]
_PULSES = {"pm_trigger": "PC_PULSE_PM_TRIGGER", "wrcache_flush": "PC_PULSE_WRCACHE_FLUSH"}


def plane(levels: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Levels of a signal, one a cycle, as a plane: 64 cycles a word, the first one lowest."""
    packed = np.packbits(np.asarray(levels, dtype=bool), bitorder="little")
    return np.concatenate((packed, np.zeros(-len(packed) % 8, np.uint8))).view("<u8").astype(np.uint64, copy=False)


def levels(words: npt.NDArray[np.uint64], cycles: int) -> npt.NDArray[np.bool_]:
    """A plane as booleans, one a cycle."""
    return np.unpackbits(words.astype("<u8", copy=False).view(np.uint8), bitorder="little", count=cycles).view(bool)


class _Rows:
    """Planes of signals as the engine takes them, one row a domain; arrays of words are not copied."""

    def __init__(self, domains: int, cycles: int, planes: Planes) -> None:
        self.rows = ffi.new("struct pc_run_domain[]", domains)
        self._keep: list[Any] = []
        for domain, signals in planes.items():
            if not 0 <= domain < domains:
                raise IndexError(f"domain {domain} of {domains}")
            pointers = ffi.new("uint64_t *[]", lib.PC_MAX_SIGNALS)
            for signal, words in signals.items():
                array = np.asarray(words)
                if array.dtype != np.uint64:
                    array = plane(array)
                if array.ndim != 1 or array.size < (cycles + 63) // 64:
                    raise ValueError(f"signal {signal} of domain {domain} has no plane of {cycles} cycles")
                if not 0 <= signal < lib.PC_MAX_SIGNALS:
                    raise IndexError(f"signal {signal} of {lib.PC_MAX_SIGNALS}")
                words_of = ffi.from_buffer("uint64_t[]", np.ascontiguousarray(array))
                pointers[signal] = words_of
                self._keep.append(words_of)
            self.rows[domain].plane = pointers
            self._keep.append(pointers)


class Gpu:
    """A device: the MMIO of a card, and time.

    other(address, is_write, value) is asked for registers of other engines: it returns what is
    read, or None where nothing is there.  memory(domain, address, data) takes packets of record
    mode, and returns whether they could be written.  An exception
    in either is printed, and then nothing is there, or the packet is lost.
    """

    def __init__(self, chip: str | Chip, *, ptimer: bool = False, stepping: int = 0, memory_limit: int = 0,
                 other: Callable[[int, bool, int], int | None] | None = None,
                 memory: Callable[[int, int, bytes], bool] | None = None,
                 options: Mapping[str, str] | None = None) -> None:
        self.chip = Chip(chip)
        desc = ffi.new("struct pc_gpu_desc *", {"chip": self.chip._chip, "ptimer": ptimer, "stepping": stepping,
                                                "memory_limit": memory_limit})
        self._callbacks: list[Any] = []
        if other is not None:
            desc.other = self._callback("pc_gpu_other_fn", _other(other))
        if memory is not None:
            desc.mem_write = self._callback("pc_mem_write_fn", _memory(memory))
        keep = self._callbacks  # as long as the device
        self._gpu = create(lib.pc_gpu_create, lambda gpu: (lib.pc_gpu_destroy(gpu), keep), desc)
        self.read32: Callable[[int], int] = partial(lib.pc_gpu_read32, self._gpu)
        self.write32: Callable[[int, int], None] = partial(lib.pc_gpu_write32, self._gpu)
        self.regs = Registers(self.chip, self.read32, self.write32)
        for name, value in (options or {}).items():
            call(lib.pc_gpu_option, self._gpu, encoded(name), encoded(value))

    def _callback(self, kind: str, function: Callable[..., Any]) -> Any:
        made = ffi.callback(kind, function)
        self._callbacks.append(made)
        return made

    def _domain(self, domain: int | str) -> int:
        if isinstance(domain, int):
            return domain
        out = ffi.new("unsigned *")
        call(lib.pc_gpu_find_domain, self._gpu, encoded(domain), out)
        return out[0]

    def read(self, address: int, size: int = 4) -> int:
        """One access of 1 to 8 bytes."""
        return lib.pc_gpu_read(self._gpu, address, size)

    def write(self, address: int, value: int, size: int = 4) -> None:
        lib.pc_gpu_write(self._gpu, address, size, value)

    def decodes(self, address: int) -> bool:
        return lib.pc_gpu_decodes(self._gpu, address)

    def reset(self) -> None:
        lib.pc_gpu_reset(self._gpu)

    def latency(self, write_cycles: int, read_cycles: int) -> None:
        """Cycles that pass with each write and each read; 1 and 0 at first."""
        lib.pc_gpu_latency(self._gpu, write_cycles, read_cycles)

    def clock(self, hz: int, domain: int | str | None = None) -> None:
        """The frequency of a domain, or of all."""
        number = lib.PC_DOM_EVERY if domain is None else self._domain(domain)
        call(lib.pc_gpu_clock_hz, self._gpu, number, hz)

    def run(self, cycles: int, domain: int | str = 0) -> None:
        """Lets so many cycles of the domain pass."""
        call(lib.pc_gpu_run, self._gpu, self._domain(domain), cycles)

    def elapse(self, ns: int) -> None:
        """Lets so many nanoseconds pass."""
        call(lib.pc_gpu_elapse, self._gpu, ns)

    @property
    def now_ns(self) -> int:
        return lib.pc_gpu_now_ns(self._gpu)

    def set(self, signal: int, level: bool, domain: int | str = 0) -> None:
        """The level of a signal from the next cycle on."""
        call(lib.pc_gpu_set, self._gpu, self._domain(domain), signal, level)

    def play(self, signal: int, levels: npt.ArrayLike, domain: int | str = 0) -> None:
        """Levels of a signal, one a cycle, from the next cycle on; then the last one stays."""
        array = np.ascontiguousarray(levels, dtype=bool)
        call(lib.pc_gpu_play, self._gpu, self._domain(domain), signal, ffi.from_buffer("uint8_t[]", array), array.size)

    def edges(self, cycles: int, planes: Planes) -> None:
        """So many cycles of all domains at once; planes[domain][signal] is an array of levels, or of words."""
        rows = _Rows(lib.pc_gpu_domain_count(self._gpu), cycles, planes)
        lib.pc_gpu_edges(self._gpu, cycles, rows.rows)

    def pulse(self, which: str = "pm_trigger") -> None:
        lib.pc_gpu_pulse(self._gpu, getattr(lib, _PULSES[which]))

    def save(self) -> bytes:
        """A snapshot of all of the device, the same on every machine."""
        state = ffi.new("char[]", lib.pc_gpu_state_size(self._gpu))
        lib.pc_gpu_save(self._gpu, state)
        return bytes(ffi.buffer(state))

    def load(self, state: bytes) -> None:
        call(lib.pc_gpu_load, self._gpu, ffi.from_buffer(state), len(state))

    def memory(self, address: int, size: int) -> bytes:
        """What record mode has written."""
        out = ffi.new("uint8_t[]", size)
        lib.pc_gpu_memory_read(self._gpu, address, out, size, ffi.new("bool *"))
        return bytes(ffi.buffer(out))


def _other(function: Callable[[int, bool, int], int | None]) -> Callable[..., bool]:
    def asked(_: Any, address: int, is_write: bool, value: Any) -> bool:
        answer = function(address, is_write, value[0])
        if answer is not None and not is_write:
            value[0] = answer
        return answer is not None
    return asked


def _memory(function: Callable[[int, int, bytes], bool]) -> Callable[..., int]:
    def written(_: Any, domain: int, address: int, data: Any, size: int) -> int:
        return lib.PC_MEM_OK if function(domain, address, bytes(ffi.buffer(data, size))) else lib.PC_MEM_FAULT
    return written


class Unit:
    """One PCOUNTER domain set, cycle by cycle or many cycles at once.

    On GF100 and later `of` says which: "hub", "gpc" or "part", with `index`."""

    def __init__(self, chip: str | Chip, of: str = "all", index: int = 0,
                 options: Mapping[str, str] | None = None) -> None:
        self.chip = Chip(chip)
        desc = ffi.new("struct pc_unit_desc *", {"chip": self.chip._chip, "index": index,
                                                 "set": getattr(lib, f"PC_SET_{of.upper()}")})
        self._unit = create(lib.pc_unit_create, lib.pc_unit_destroy, desc)
        self.domains: int = lib.pc_unit_chip(self._unit).domains
        self._engine: Any = None
        self.read: Callable[[int], int] = partial(lib.pc_unit_read, self._unit)
        self.write: Callable[[int, int], None] = partial(lib.pc_unit_write, self._unit)
        self.regs = Registers(self.chip, self.read, self.write)
        for name, value in (options or {}).items():
            call(lib.pc_unit_option, self._unit, encoded(name), encoded(value))

    def reset(self) -> None:
        lib.pc_unit_reset(self._unit)

    def pulse(self, which: str = "pm_trigger", delay: int = 0) -> None:
        lib.pc_unit_pulse(self._unit, getattr(lib, _PULSES[which]), delay)

    def step(self, signals: Mapping[int, int] | None = None, edges: int | None = None) -> None:
        """One edge of the domains in the mask `edges`, or of all; bit s of signals[domain] is signal s."""
        raw = np.zeros((self.domains, lib.PC_SIG_WORDS), np.uint64)
        for domain, bits in (signals or {}).items():
            raw[domain] = np.frombuffer(bits.to_bytes(8 * lib.PC_SIG_WORDS, "little"), "<u8")
        mask = (1 << self.domains) - 1 if edges is None else edges
        lib.pc_unit_step(self._unit, mask, ffi.cast(f"uint64_t (*)[{lib.PC_SIG_WORDS}]", ffi.from_buffer(raw)))

    def run(self, cycles: int, planes: Planes) -> None:
        """So many cycles of all domains; planes[domain][signal] is an array of levels, or of words."""
        if self._engine is None:
            self._engine = create(lib.pc_engine_create, lib.pc_engine_destroy, ffi.new("struct pc_engine_desc *"))
        rows = _Rows(self.domains, cycles, planes)
        lib.pc_unit_run(self._unit, self._engine, ffi.new("struct pc_run *", {"cycles": cycles, "domain": rows.rows}))

    def cycle(self, domain: int = 0) -> int:
        """Cycles that the domain has had since reset."""
        return lib.pc_unit_cycle(self._unit, domain)

    def diagnostics(self, domain: int = 0) -> list[str]:
        """What the hardware does not report: "NO_SIGNAL", "SATURATED", ..."""
        bits = lib.pc_unit_diagnostics(self._unit, domain)
        names = ffi.typeof("enum pc_diag").relements
        return [name[len("PC_DIAG_"):] for name, bit in names.items() if bits & bit]

    def save(self) -> bytes:
        state = ffi.new("char[]", lib.pc_unit_state_size(self._unit))
        lib.pc_unit_save(self._unit, state)
        return bytes(ffi.buffer(state))

    def load(self, state: bytes) -> None:
        call(lib.pc_unit_load, self._unit, ffi.from_buffer(state), len(state))
