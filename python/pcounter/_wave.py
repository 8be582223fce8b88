# SPDX-License-Identifier: MIT
"""Waveforms, expressions over their signals, and counts."""
from __future__ import annotations

import os
import threading
import warnings
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ._library import call, check, check_file, encoded, ffi, lib, string
from ._plane import Plane
from ._report import report
from ._simulation import Simulation

_MOST_BITS = 1 << 16  # of one name


@dataclass(frozen=True)
class Signal:
    """A variable of a waveform."""
    name: str
    range: str
    type: str
    width: int
    code: int  # equal for aliases


class Block:
    """Samples of up to 16384 cycles, as bit planes; they are copies, which stay as they are.

    value[name] and unknown[name] are lists of planes, bit 0 first: cycle t of a plane is cycle
    first_cycle + t of the waveform.  len() is the number of cycles.
    """

    def __init__(self, block: Any, names: Mapping[str, list[int]]) -> None:
        self.first_cycle: int = block.first_cycle
        self.cycles: int = block.cycles
        self.first_time: int = block.first_time
        self.last_time: int = block.last_time
        self.value = {name: [_copy(block.value[i], block.cycles) for i in bits] for name, bits in names.items()}
        self.unknown = {name: [_copy(block.unknown[i], block.cycles) for i in bits] for name, bits in names.items()}

    def levels(self, name: str) -> npt.NDArray[Any]:
        """Returns one value a cycle: booleans of one bit, uint64 of up to 64 bits; unknown bits are 0."""
        bits = self.value[name]
        if len(bits) == 1:
            return bits[0].levels()
        if len(bits) > 64:
            raise ValueError(f"{name} has {len(bits)} bits; values have at most 64")
        out = np.zeros(self.cycles, np.uint64)
        for i, plane in enumerate(bits):
            out |= plane.levels().astype(np.uint64) << np.uint64(i)
        return out

    def unknown_cycles(self, name: str) -> int:
        """Counts the cycles in which any bit is unknown."""
        any_bit = np.zeros((self.cycles + 63) // 64, np.uint64)
        for plane in self.unknown[name]:
            any_bit |= plane.words
        return Plane.from_words(any_bit, self.cycles).ones()

    def __len__(self) -> int:
        return self.cycles

    def __repr__(self) -> str:
        return f"<Block: {self.cycles} cycles from {self.first_cycle}, {', '.join(self.value)}>"


def _copy(words: Any, cycles: int) -> Plane:
    # A copy takes 0.3 us for 16384 cycles; a view that keeps the reader alive takes 0.7 us, and the next block changes it.
    return Plane.from_words(np.frombuffer(ffi.buffer(words, (cycles + 63) // 64 * 8)[:], np.uint64), cycles)


class Wave:
    """A waveform: VCD, FST, GHW, sigrok or CSV, plain or compressed, detected by content; or a running simulation.

    command, in place of a path, starts a simulation whose simulator has pcounter's module or tap in it
    (docs/guide/count-while-it-runs.md).  It can be read once; close() ends it.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, threads: int = 0, strict: bool = False,
                 command: Sequence[str | os.PathLike[str]] | None = None) -> None:
        if (path is None) == (command is None):
            raise TypeError("a waveform is a path or a command, one of them")
        self._simulation = None if command is None else Simulation(command)
        self.path = path if path is not None else os.fspath(command[0]) if command else ""
        self._text = ffi.new("char[]", encoded(self.path))
        self._desc = ffi.new("struct pc_wave_desc *", {
            "path": self._text, "threads": threads, "strict": strict,
            "socket": self._simulation.stream.fileno() if self._simulation else 0})
        self._lock = threading.RLock()
        try:
            self._wave = self._open()
        except BaseException:
            self.close()
            raise
        self._read = False

    def close(self) -> None:
        """Ends the simulation, if there is one and it still runs; returns nothing."""
        if self._simulation:
            self._simulation.close()

    def __enter__(self) -> Wave:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Wave {os.fspath(self.path)}: {len(self.signals)} signals>"

    def _open(self) -> Any:
        out, err = ffi.new("struct pc_wave **"), ffi.new("struct pc_error *")
        check_file(lib.pc_wave_open(self._desc, out, err), err, self.path)
        return ffi.gc(out[0], lib.pc_wave_close)

    def _unread(self) -> Any:
        """Returns a handle for a reading: each is read once."""
        with self._lock:
            if self._read and self._simulation:
                raise ValueError("a running simulation can be read once")
            if self._read:
                self._wave = self._open()
            self._read = True
            return self._wave

    @property
    def signals(self) -> list[Signal]:
        """The variables, in the order of their declaration."""
        var = ffi.new("struct pc_wave_var *")
        found: list[Signal] = []
        with self._lock:
            while lib.pc_wave_get_var(self._wave, len(found), var) == lib.PC_OK:
                found.append(Signal(string(var.name), string(var.range), string(var.type), var.width, var.code))
        return found

    @property
    def seconds_per_unit(self) -> float:
        """What a time unit is; 0 where nobody knows."""
        with self._lock:
            info = self._info(self._wave)
        return info.timescale_factor * 10.0 ** info.timescale_exponent

    @property
    def warnings(self) -> list[str]:
        """What was odd about the file, and tolerated, as far as the last reading came."""
        with self._lock:
            return self._warnings(self._wave)

    def _warnings(self, wave: Any) -> list[str]:
        texts = (lib.pc_wave_warning(wave, i) for i in range(min(self._info(wave).warnings, 17)))
        return [string(text) for text in texts if text]

    def _info(self, wave: Any) -> Any:
        info = ffi.new("struct pc_wave_info *")
        lib.pc_wave_get_info(wave, info)
        return info

    def _clock(self, text: str, post_edge: bool) -> Any:
        """Reads a clock as the program takes it: "clk", "negedge clk", "posedge clk iff rst_n", "sample", "every 10ns"."""
        clock = ffi.new("struct pc_wave_clock *", {"post_edge": post_edge})
        said = encoded(text)
        call(lib.pc_wave_find_clock, self._wave, said, len(said), clock)
        return clock

    def _bits(self, name: str) -> list[tuple[int, int]]:
        bits = ffi.new("struct pc_wave_bit[]", _MOST_BITS)
        count = ffi.new("size_t *")
        call(lib.pc_wave_find_bits, self._wave, encoded(name), bits, _MOST_BITS, count)
        if not 0 < count[0] <= _MOST_BITS:
            raise ValueError(f'"{name}" has {count[0]} bits')
        return [(bits[i].var, bits[i].bit) for i in range(count[0])]

    def _planes(self, clock: str, bits: list[tuple[int, int]], post_edge: bool) -> Iterator[Any]:
        """struct pc_wave_block, with the planes of these bits."""
        rows = ffi.new("struct pc_wave_bit[]", [{"var": var, "bit": bit} for var, bit in bits])
        with self._lock:
            wave = self._unread()  # its own, whatever else is read meanwhile
            call(lib.pc_wave_bind, wave, self._clock(clock, post_edge), rows, len(bits), ffi.new("unsigned *"))
        block = ffi.new("struct pc_wave_block *")
        err = ffi.new("struct pc_error *")
        while True:
            with self._lock:
                status = lib.pc_wave_next(wave, block, err)
            if status != lib.PC_OK:
                break
            yield block
        if status != lib.PC_END:
            check_file(status, err, self.path)
        with self._lock:
            texts = self._warnings(wave)
        for text in texts:
            warnings.warn(f"{os.fspath(self.path)}: {text}", stacklevel=3)

    def blocks(self, clock: str, *names: str, post_edge: bool = False) -> Iterator[Block]:
        """Yields the samples of these signals (names, bits, slices) at the edges of the clock."""
        wires = _Wires(self)
        with self._lock:
            places = {name: [wires.number(*bit) for bit in self._bits(name)] for name in names}
        for block in self._planes(clock, wires.bits, post_edge):
            yield Block(block, places)

    def read(self, clock: str, name: str, *, post_edge: bool = False) -> npt.NDArray[Any]:
        """Returns the values of one signal at all edges, as Block.levels() has them, and warns of unknown ones."""
        blocks = list(self.blocks(clock, name, post_edge=post_edge))
        unknown = sum(block.unknown_cycles(name) for block in blocks)
        if unknown:
            warnings.warn(f"{name} has unknown bits, which are 0 here, in {unknown} of {sum(map(len, blocks))} cycles",
                          stacklevel=2)
        return np.concatenate([block.levels(name) for block in blocks]) if blocks else np.zeros(0, bool)


class _Wires:
    """Numbers for the bits that expressions use."""

    def __init__(self, wave: Wave) -> None:
        self._wave = wave
        self._known: dict[tuple[int, int], int] = {}

    @property
    def bits(self) -> list[tuple[int, int]]:
        return list(self._known)

    def number(self, var: int, bit: int) -> int:
        return self._known.setdefault((var, bit), len(self._known))

    def lookup(self, name: Any, wires: Any, capacity: int, count: Any, is_signed: Any, err: Any) -> int:
        bits = ffi.new("struct pc_wave_bit[]", max(capacity, 1))
        status = lib.pc_wave_find_bits(self._wave._wave, name, bits, capacity, count, err)
        if status == lib.PC_OK:
            is_signed[0] = lib.pc_wave_is_signed(self._wave._wave, name)
            for i in range(min(count[0], capacity)):
                wires[i] = self.number(bits[i].var, bits[i].bit)
        return status


class Expr:
    """An expression of the language of pcounter-expr(7); names get their wires from lookup()."""

    def __init__(self, text: str, lookup: Any) -> None:
        self.text = text
        out = ffi.new("struct pc_expr **")
        call(lib.pc_expr_parse, ffi.NULL, encoded(text), out)
        self._expr = ffi.gc(out[0], lib.pc_expr_free)
        failed: list[BaseException] = []

        @ffi.callback("pc_expr_lookup_fn", error=lib.PC_EINPUT, onerror=lambda _, error, __: failed.append(error))
        def asked(_: Any, *arguments: Any) -> int:
            return lookup(*arguments)
        try:
            call(lib.pc_expr_resolve, self._expr, asked, ffi.NULL)
        except Exception:
            if failed:
                raise failed[0] from None
            raise

    def eval(self, value: Any, unknown: Any, cycles: int, out: Any, tainted: Any) -> None:
        lib.pc_expr_eval(self._expr, value, unknown, (cycles + 63) // 64, cycles, out, tainted)


def _named(events: Mapping[str, str] | Iterable[str]) -> dict[str, str]:
    if isinstance(events, Mapping):
        return dict(events)
    return {text: text for text in ([events] if isinstance(events, str) else events)}


def _measured(path: str | os.PathLike[str], clock: str, measures: Mapping[str, Mapping[str, str]],
              post_edge: bool, program: str) -> list[dict[str, Any]]:
    """Returns the rows of the program's report, each with its kind."""
    arguments = ["--clock", clock, *(["--sample", "post-edge"] if post_edge else [])]
    for kind, named in measures.items():
        for name, text in named.items():
            arguments += [f"--{kind}", text if name == text else f"{name}={text}"]
    lists = {"value": "values", "latency": "latencies", "states": "states", "level": "levels"}
    told = report("stat", path, *arguments, program=program)
    return [{"name": row["name"], "kind": kind, **row} for kind in measures for row in told.get(lists[kind], ())]


def stat(path: str | os.PathLike[str] | None = None, clock: str = "", events: Mapping[str, str] | Iterable[str] = (),
         *, values: Mapping[str, str] | Iterable[str] = (), latencies: Mapping[str, str] | Iterable[str] = (),
         states: Mapping[str, str] | Iterable[str] = (), levels: Mapping[str, str] | Iterable[str] = (),
         post_edge: bool = False, threads: int = 0, program: str = "pcounter",
         command: Sequence[str | os.PathLike[str]] | None = None) -> list[dict[str, Any]]:
    """Counts the cycles in which expressions are 1, as `pcounter stat` does.

    command starts a simulation and counts while it runs: see Wave.  If it fails, RuntimeError has its exit code.

    events: expressions by name, or a list of them.  Returns a row an event, the cycles first: name,
    expression, value, state ("exact", or "tainted" where an unknown value mattered) and
    tainted_cycles.  pandas.DataFrame(rows) takes them as they are.

    values, latencies, states and levels: the texts of --value, --latency, --states and --level, by
    name.  Their rows come after those of the events, with a kind ("value", "latency", "states",
    "level") and the members that the JSON of `pcounter stat` has.  The program measures them: it
    reads the file once more, and not a running simulation.
    """
    if not clock:
        raise TypeError("at which clock?")
    measures = {kind: named for kind, named in (("value", _named(values)), ("latency", _named(latencies)),
                                                ("states", _named(states)), ("level", _named(levels))) if named}
    if measures and (path is None or command is not None):
        raise TypeError("values, latencies, states and levels are of a file; "
                        "for a running simulation call report('stat', ...)")
    with Wave(path, threads=threads, command=command) as wave:
        rows = _stat(wave, clock, _named(events), post_edge)
        code = wave._simulation.wait() if wave._simulation else 0
    if code:
        raise RuntimeError(f"{wave.path} ended with {code}")
    return rows + (_measured(path, clock, measures, post_edge, program) if measures and path is not None else [])


def _stat(wave: Wave, clock: str, named: Mapping[str, str], post_edge: bool) -> list[dict[str, Any]]:
    wires = _Wires(wave)
    exprs = {name: Expr(text, wires.lookup) for name, text in named.items()}
    counts = dict.fromkeys(exprs, 0)
    tainted = dict.fromkeys(exprs, 0)
    out = ffi.new("uint64_t[]", lib.PC_BLOCK_WORDS)
    taint = ffi.new("uint64_t[]", lib.PC_BLOCK_WORDS)
    cycles = 0
    for block in wave._planes(clock, wires.bits, post_edge):
        words = (block.cycles + 63) // 64
        cycles += block.cycles
        for name, expr in exprs.items():
            expr.eval(block.value, block.unknown if block.any_unknown else ffi.NULL, block.cycles, out, taint)
            counts[name] += lib.pc_plane_ones(out, words)
            tainted[name] += lib.pc_plane_ones(taint, words)
    rows = [{"name": "cycles", "expression": "", "value": cycles, "state": "exact", "tainted_cycles": 0}]
    for name, text in named.items():
        rows.append({"name": name, "expression": text, "value": counts[name],
                     "state": "tainted" if tainted[name] else "exact", "tainted_cycles": tainted[name]})
    return rows
