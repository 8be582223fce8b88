# SPDX-License-Identifier: MIT
"""Devices and units."""
from __future__ import annotations

import threading
from typing import Any, Callable, Mapping

import numpy as np
import numpy.typing as npt

from ._chip import Chip, Registers
from ._library import call, create, encoded, ffi, lib
from ._plane import Plane, Planes, Rows, as_level, as_levels, one_of

_PULSES = {"pm_trigger": lib.PC_PULSE_PM_TRIGGER, "wrcache_flush": lib.PC_PULSE_WRCACHE_FLUSH}
_SETS = {"all": lib.PC_SET_ALL, "hub": lib.PC_SET_HUB, "gpc": lib.PC_SET_GPC, "part": lib.PC_SET_PART}
_ENDS = {size: 1 << 8 * size for size in (1, 2, 4, 8)}  # what is too large for an access of that size


def _registers(chip: Chip, lock: Any, handle: Any, read: Any, write: Any) -> Registers:
    """The registers, which keep the handle; they do not refer to the object, so that it is freed with its last name."""
    def locked_read(address: int) -> int:
        with lock:
            return read(handle, address)

    def locked_write(address: int, value: int) -> None:
        with lock:
            write(handle, address, value)
    return Registers(chip, locked_read, locked_write)


class Gpu:
    """A device: the MMIO of a card, and time.

    regs has its registers by name, chip is what it was made of.
    other(address, is_write, value) is asked for registers of other engines: it returns what is
    read, or None where nothing is there.  memory(domain, address, data) takes packets of record
    mode, and returns whether they could be written.  An exception
    in either is printed, and then nothing is there, or the packet is lost.

    Several threads may use one device: each call is done before the next begins.  copy.deepcopy(gpu) is another
    device in the same state, with the same callbacks.
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
        self._lock = threading.RLock()  # a callback may ask its own device
        self._gpu = create(lib.pc_gpu_create, lambda gpu: (lib.pc_gpu_destroy(gpu), keep), desc)
        self._made: dict[str, Any] = {"ptimer": ptimer, "stepping": stepping, "memory_limit": memory_limit, "other": other,
                      "memory": memory, "options": dict(options or {})}
        self._latency = (1, 0)
        self.regs = _registers(self.chip, self._lock, self._gpu, lib.pc_gpu_read32, lib.pc_gpu_write32)
        for name, value in (options or {}).items():
            call(lib.pc_gpu_option, self._gpu, encoded(name), encoded(value))

    def __repr__(self) -> str:
        return f"<Gpu {self.chip.name} at {self.now_ns} ns>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Gpu:
        with self._lock:
            other = Gpu(self.chip, **self._made)
            other.latency(*self._latency)
            other.load(self.save())
        memo[id(self)] = other
        return other

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
        """Reads 1, 2, 4 or 8 bytes at any address of BAR0: one access."""
        if size not in _ENDS:
            raise ValueError(f"an access has 1, 2, 4 or 8 bytes, not {size}")
        with self._lock:
            return lib.pc_gpu_read(self._gpu, address, size)

    def write(self, address: int, value: int, size: int = 4) -> None:
        """Writes 1, 2, 4 or 8 bytes at any address of BAR0: one access."""
        if size not in _ENDS:
            raise ValueError(f"an access has 1, 2, 4 or 8 bytes, not {size}")
        if not 0 <= value < _ENDS[size]:
            raise OverflowError(f"{value:#x} does not fit into {size} bytes")
        with self._lock:
            lib.pc_gpu_write(self._gpu, address, size, value)

    def read32(self, address: int) -> int:
        """Reads a register of 32 bits."""
        with self._lock:
            return lib.pc_gpu_read32(self._gpu, address)

    def write32(self, address: int, value: int) -> None:
        """Writes a register of 32 bits."""
        with self._lock:
            lib.pc_gpu_write32(self._gpu, address, value)

    def decodes(self, address: int) -> bool:
        """Returns whether a register of the device is at the address."""
        return lib.pc_gpu_decodes(self._gpu, address)

    def reset(self) -> None:
        """Resets the device, as the guest's reset of the card does."""
        with self._lock:
            lib.pc_gpu_reset(self._gpu)

    def latency(self, write_cycles: int, read_cycles: int) -> None:
        """Sets the cycles that pass with each write and each read; 1 and 0 at first."""
        with self._lock:
            lib.pc_gpu_latency(self._gpu, write_cycles, read_cycles)
            self._latency = (write_cycles, read_cycles)

    def clock(self, hz: int, domain: int | str | None = None) -> None:
        """Sets the frequency of a domain, or of all."""
        number = lib.PC_DOM_EVERY if domain is None else self._domain(domain)
        with self._lock:
            call(lib.pc_gpu_clock_hz, self._gpu, number, hz)

    def run(self, cycles: int, domain: int | str = 0) -> None:
        """Runs until the domain has had that many more cycles."""
        with self._lock:
            call(lib.pc_gpu_run, self._gpu, self._domain(domain), cycles)

    def elapse(self, ns: int) -> None:
        """Advances time by that many nanoseconds."""
        with self._lock:
            call(lib.pc_gpu_elapse, self._gpu, ns)

    @property
    def now_ns(self) -> int:
        """The nanoseconds since the device was made."""
        with self._lock:
            return lib.pc_gpu_now_ns(self._gpu)

    def set(self, signal: int, level: bool, domain: int | str = 0) -> None:
        """Sets the level of a signal from the next cycle on."""
        level = as_level(level)
        with self._lock:
            call(lib.pc_gpu_set, self._gpu, self._domain(domain), signal, level)

    def play(self, signal: int, levels: Plane | npt.ArrayLike, domain: int | str = 0) -> None:
        """Plays levels of a signal, one a cycle, from the next cycle on; then the last one stays."""
        array = as_levels(levels)
        with self._lock:
            call(lib.pc_gpu_play, self._gpu, self._domain(domain), signal, ffi.from_buffer("uint8_t[]", array), len(array))

    def edges(self, cycles: int, planes: Planes) -> None:
        """Runs cycles of all domains at once; planes[domain][signal] are its levels, one a cycle, or a Plane."""
        rows = Rows(self.chip._sizes, cycles, planes)
        with self._lock:
            lib.pc_gpu_edges(self._gpu, cycles, rows.rows)

    def pulse(self, which: str = "pm_trigger") -> None:
        """Makes a pulse: "pm_trigger" or "wrcache_flush"."""
        with self._lock:
            lib.pc_gpu_pulse(self._gpu, one_of(_PULSES, which, "pulse"))

    def save(self) -> bytes:
        """Returns a snapshot of all of the device, the same on every machine."""
        with self._lock:
            state = ffi.new("char[]", lib.pc_gpu_state_size(self._gpu))
            lib.pc_gpu_save(self._gpu, state)
        return bytes(ffi.buffer(state))

    def load(self, state: bytes) -> None:
        """Takes a snapshot's state; options, latency and callbacks stay as they are."""
        with self._lock:
            call(lib.pc_gpu_load, self._gpu, ffi.from_buffer(state), len(state))

    def memory(self, address: int, size: int) -> bytes:
        """Reads what record mode has written; bytes never written are 0."""
        out = ffi.new("uint8_t[]", size)
        with self._lock:
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
    """One PCOUNTER domain set, cycle by cycle or many cycles at once: regs has its registers by name.

    On GF100 and later `of` says which: "hub", "gpc" or "part", with `index`.  Several threads may use one unit, and
    copy.deepcopy(unit) is another one in the same state.
    """

    def __init__(self, chip: str | Chip, of: str = "all", index: int = 0,
                 options: Mapping[str, str] | None = None) -> None:
        self.chip = Chip(chip)
        self._made: dict[str, Any] = {"of": of, "index": index, "options": dict(options or {})}
        desc = ffi.new("struct pc_unit_desc *", {"chip": self.chip._chip, "index": index,
                                                 "set": one_of(_SETS, of, "set of domains")})
        self._lock = threading.RLock()
        self._unit = create(lib.pc_unit_create, lib.pc_unit_destroy, desc)
        seen = lib.pc_unit_chip(self._unit)
        self.domains: int = seen.domains
        self._sizes = [seen.domain[i].size for i in range(seen.domains)]
        self._engine: Any = None
        self.regs = _registers(self.chip, self._lock, self._unit, lib.pc_unit_read, lib.pc_unit_write)
        for name, value in (options or {}).items():
            call(lib.pc_unit_option, self._unit, encoded(name), encoded(value))

    def __repr__(self) -> str:
        return f"<Unit {self.chip.name}: {self.domains} domains>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Unit:
        other = Unit(self.chip, **self._made)
        other.load(self.save())
        memo[id(self)] = other
        return other

    def read(self, address: int) -> int:
        """Reads a register of 32 bits."""
        with self._lock:
            return lib.pc_unit_read(self._unit, address)

    def write(self, address: int, value: int) -> None:
        """Writes a register of 32 bits."""
        with self._lock:
            lib.pc_unit_write(self._unit, address, value)

    def reset(self) -> None:
        """Resets the unit."""
        with self._lock:
            lib.pc_unit_reset(self._unit)

    def pulse(self, which: str = "pm_trigger", delay: int = 0) -> None:
        """Makes a pulse, "pm_trigger" or "wrcache_flush", after a delay in cycles."""
        with self._lock:
            lib.pc_unit_pulse(self._unit, one_of(_PULSES, which, "pulse"), delay)

    def step(self, signals: Mapping[int, int] | None = None, edges: int | None = None) -> None:
        """Makes one edge of the domains in the mask `edges`, or of all; bit s of signals[domain] is signal s."""
        raw = np.zeros((self.domains, lib.PC_SIG_WORDS), np.uint64)
        for domain, bits in (signals or {}).items():
            if bits >> self._sizes[self._there(domain)]:
                raise IndexError(f"domain {domain} has {self._sizes[domain]} signals, and {bits:#x} sets others")
            raw[domain] = np.frombuffer(bits.to_bytes(8 * lib.PC_SIG_WORDS, "little"), "<u8")
        every = (1 << self.domains) - 1
        mask = every if edges is None else edges
        if not 0 <= mask <= every:
            raise IndexError(f"the mask {mask:#x} has edges of domains beyond {self.domains - 1}")
        with self._lock:
            lib.pc_unit_step(self._unit, mask, ffi.cast(f"uint64_t (*)[{lib.PC_SIG_WORDS}]", ffi.from_buffer(raw)))

    def _there(self, domain: int) -> int:
        if not 0 <= domain < self.domains:
            raise IndexError(f"there is no domain {domain}; there are 0 to {self.domains - 1}")
        return domain

    def run(self, cycles: int, planes: Planes) -> None:
        """Runs cycles of all domains; planes[domain][signal] are its levels, one a cycle, or a Plane."""
        rows = Rows(self._sizes, cycles, planes)
        with self._lock:
            if self._engine is None:
                self._engine = create(lib.pc_engine_create, lib.pc_engine_destroy, ffi.new("struct pc_engine_desc *"))
            lib.pc_unit_run(self._unit, self._engine, ffi.new("struct pc_run *", {"cycles": cycles, "domain": rows.rows}))

    def cycle(self, domain: int = 0) -> int:
        """Returns the cycles that the domain has had since reset."""
        with self._lock:
            return lib.pc_unit_cycle(self._unit, self._there(domain))

    def diagnostics(self, domain: int = 0) -> list[str]:
        """Returns what the hardware does not report: "NO_SIGNAL", "SATURATED", ..."""
        with self._lock:
            bits = lib.pc_unit_diagnostics(self._unit, self._there(domain))
        names = ffi.typeof("enum pc_diag").relements
        return [name[len("PC_DIAG_"):] for name, bit in names.items() if bits & bit]

    def save(self) -> bytes:
        """Returns a snapshot of the unit, the same on every machine."""
        with self._lock:
            state = ffi.new("char[]", lib.pc_unit_state_size(self._unit))
            lib.pc_unit_save(self._unit, state)
        return bytes(ffi.buffer(state))

    def load(self, state: bytes) -> None:
        """Takes a snapshot's state; options stay as they are."""
        with self._lock:
            call(lib.pc_unit_load, self._unit, ffi.from_buffer(state), len(state))
