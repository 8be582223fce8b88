# SPDX-License-Identifier: MIT
"""Compiles expressions into registers of a domain, and decodes registers."""
from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import Any, Iterator, Mapping

from ._chip import Chip, open_names
from ._gpu import Gpu
from ._library import call, encoded, ffi, lib, string
from ._plane import one_of
from ._wave import Expr

_INPUTS = ("PRE", "START", "EVENT", "STOP", "SETFLAG", "CLRFLAG")
_MODES = {"single": lib.PC_COUNT_SINGLE, "quad": lib.PC_COUNT_QUAD}


@dataclass(frozen=True)
class Write:
    """A write of a register, or with a mask of only those of its bits."""
    name: str
    address: int
    value: int
    mask: int


class Program:
    """The writes in the order that the hardware needs, and the counter of each event; len() and iteration are of writes."""

    def __init__(self, program: Any, inputs: dict[str, str]) -> None:
        self.writes = [Write(string(w.name), w.address, w.value, w.mask) for w in program.write[0:program.writes]]
        self.inputs = inputs

    def __len__(self) -> int:
        return len(self.writes)

    def __iter__(self) -> Iterator[Write]:
        return iter(self.writes)

    def __repr__(self) -> str:
        return f"<Program: {len(self)} writes, {self.inputs}>"

    def apply(self, gpu: Gpu) -> None:
        """Makes the writes on a device."""
        for w in self.writes:
            kept = 0 if w.mask == 0xffffffff else gpu.read32(w.address) & ~w.mask
            gpu.write32(w.address, kept | w.value & w.mask)


def compile(chip: str | Chip, events: Mapping[str, str] | None = None, *, domain: int | str = 0,
            mode: str | None = None, **inputs: str) -> Program:
    """Finds registers that compute expressions, as `pcounter compile` does.

    events: expressions by name, each on a counter of its own; or inputs by name: event="s10 & !s11",
    and pre, start, stop, setflag, clrflag.  mode: "quad", where the chip has it, or "single".
    """
    chip = Chip(chip)
    number = chip.domain(domain)
    quad = bool(chip._chip.features & (lib.PC_F_QUAD | lib.PC_F_GF100))
    names = _Positions(chip, number)
    request = ffi.new("struct pc_compile_request *", {
        "chip": chip._chip, "domain": number,
        "mode": one_of(_MODES, mode or ("quad" if quad else "single"), "mode")})
    exprs = []
    for name, text in inputs.items():
        if name.upper() not in _INPUTS:
            raise TypeError(f"{name} is no input; there are {', '.join(_INPUTS).lower()}")
        exprs.append(Expr(text, names.lookup))
        request.input[_INPUTS.index(name.upper())] = exprs[-1]._expr
    program = ffi.new("struct pc_program *")
    if not events:
        call(lib.pc_compile, request, program)
        return Program(program, {})
    rows = ffi.new("struct pc_compile_event[]", len(events))
    for row, text in zip(rows, events.values()):
        exprs.append(Expr(text, names.lookup))
        row.expr, row.input = exprs[-1]._expr, lib.PC_ANY_INPUT
    placed = ffi.new("enum pc_input_id[]", len(events))
    call(lib.pc_compile_events, request, rows, len(events), placed, program)
    return Program(program, {name: _INPUTS[placed[i]] for i, name in enumerate(events)})


class _Positions:
    """Names of a domain's signals: those of the chip's tables, s2a, s[42], s[45:42]."""

    def __init__(self, chip: Chip, domain: int) -> None:
        self._names = open_names(chip)
        self._domain = domain

    def lookup(self, name: Any, wires: Any, capacity: int, count: Any, is_signed: Any, err: Any) -> int:
        found = ffi.new("struct pc_signal *")
        text = string(name)
        vector = re.fullmatch(r"s\[(\d+):(\d+)\]", text)
        wanted = [f"s[{i}]" for i in range(int(vector[2]), int(vector[1]) + 1)] if vector else [text]
        if not wanted:
            raise ValueError(f"{text}: the larger number comes first")
        count[0] = len(wanted)
        for i, one in enumerate(wanted[:capacity]):
            status = lib.pc_names_find(self._names, self._domain, encoded(one), found, err)
            if status != lib.PC_OK:
                return status
            wires[i] = found.position
        return lib.PC_OK

    def name(self, position: int) -> str:
        found = ffi.new("struct pc_signal *")
        known = lib.pc_names_position(self._names, self._domain, position, found)
        return string(found.name) if known else f"s{position:02x}"


def decode(chip: str | Chip, words: Mapping[str | int, int]) -> dict[str, dict[str, str]]:
    """Returns what the inputs of domains mean, as expressions: {"1": {"EVENT": "rise(s10)"}}.

    words: *_SRC and *_OP words by name or address; what is not given is 0, and an input is there
    if its *_OP word is given.
    """
    chip = Chip(chip)
    found: dict[str, dict[str, list[Any]]] = {}
    for which, word in words.items():
        info = chip.register(which)._info
        if not 0 <= operator.index(word) < 1 << 32:
            raise OverflowError(f"{which} = {word:#x} does not fit into 32 bits")
        match = re.fullmatch(r"(PRE|START|EVENT|STOP|SETFLAG|CLRFLAG)_(SRC|OP)", string(info.name))
        if match:
            place = string(info.place) or str(info.domain)
            domain = found.setdefault(place, {"SRC": [0] * len(_INPUTS), "OP": [None] * len(_INPUTS)})
            domain[match[2]][_INPUTS.index(match[1])] = word
    return {place: _inputs(chip, place, d["SRC"], d["OP"]) for place, d in found.items()}


def _inputs(chip: Chip, place: str, src: list[int], op: list[int | None]) -> dict[str, str]:
    names = _Positions(chip, chip.domain(place))

    @ffi.callback("pc_signal_name_fn")
    def name(_: Any, signal: int, out: Any, size: int) -> None:
        text = names.name(signal).encode()[:size - 1] + b"\0"
        ffi.memmove(out, text, len(text))
    text = ffi.new("char[4096]")
    ops = [word or 0 for word in op]
    found = {}
    for i, word in enumerate(op):
        if word is not None:
            call(lib.pc_decompile, chip._chip, src, ops, i, name, ffi.NULL, text, len(text))
            found[_INPUTS[i]] = string(text)
    return found
