# SPDX-License-Identifier: MIT
"""Chips, and registers by name."""
from __future__ import annotations

import functools
import operator
import re
from typing import Any, Callable, Iterator

from ._library import Error, call, encoded, ffi, lib, string


class Chip:
    """A chip by name or alias: Chip("G92"); it has name, aliases, family, and id, NVIDIA's number of it."""

    def __init__(self, name: str | Chip) -> None:
        self._chip: Any = name._chip if isinstance(name, Chip) else lib.pc_chip_find(encoded(name))
        if not self._chip:
            near = ffi.new("char[400]")
            lib.pc_chip_near(encoded(str(name)), near, len(near))
            raise LookupError(f'no chip has the name "{name}"' + (f", but {string(near)} have" if near[0] != b"\0" else ""))
        self.name = string(self._chip.name)
        self.id: int = self._chip.id
        self.family = string(self._chip.family)
        self.aliases = string(self._chip.aliases)

    def __repr__(self) -> str:
        return f'Chip("{self.name}")'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chip) and self._chip == other._chip

    def __hash__(self) -> int:
        return hash(self._chip)

    def __reduce__(self) -> tuple[type[Chip], tuple[str]]:
        return Chip, (self.name,)

    @property
    def domains(self) -> list[str]:
        """Names of the domains, in the order of their numbers."""
        return [string(row.name) for row in self._rows()]

    def _rows(self) -> Iterator[Any]:
        row = ffi.new("struct pc_chip_domain *")
        i = 0
        while lib.pc_chip_get_domain(self._chip, i, row):
            yield row
            i += 1

    @functools.cached_property
    def _sizes(self) -> list[int]:
        """The number of signals of each domain."""
        seen = ffi.new("struct pc_chip *")
        sizes = []
        for row in self._rows():
            call(lib.pc_chip_of_set, self._chip, row.set, seen)
            sizes.append(seen.domain[row.domain].size)
        return sizes

    def domain(self, name: int | str) -> int:
        """Returns the number of a domain."""
        if isinstance(name, int):
            if not 0 <= name < len(self.domains):
                raise IndexError(f"{self.name} has no domain {name}; it has {len(self.domains)}")
            return name
        out = ffi.new("unsigned *")
        call(lib.pc_chip_find_domain, self._chip, encoded(name), out)
        return out[0]

    @property
    def pci(self) -> tuple[int, int] | None:
        """Vendor and device of a board with the chip; None where it is on no PCI bus."""
        out = ffi.new("struct pc_chip_pci *")
        return (out.vendor, out.device) if lib.pc_chip_get_pci(self._chip, out) else None

    def registers(self) -> Iterator[RegisterInfo]:
        """Yields the registers of the chip's domains, by address."""
        i = 0
        while True:
            info = ffi.new("struct pc_reg_info *")
            if lib.pc_reg_enum(self._chip, i, info) != lib.PC_OK:
                return
            yield RegisterInfo(info)
            i += 1

    def register(self, which: str | int) -> RegisterInfo:
        """Finds a register by name, "CTRL[1]" or "gpc0.1.CTRL", or by address."""
        info = ffi.new("struct pc_reg_info *")
        if isinstance(which, int):
            call(lib.pc_reg_at, self._chip, which, info)
        else:
            call(lib.pc_reg_find, self._chip, encoded(which), info)
        return RegisterInfo(info)

    def signals(self, domain: int | str = 0) -> dict[str, int]:
        """Returns the named signals of a domain, and their positions."""
        names = open_names(self)
        row = ffi.new("struct pc_signal *")
        number = self.domain(domain)
        found = {}
        for i in range(lib.pc_names_count(names, number)):
            lib.pc_names_at(names, number, i, row)
            found[string(row.name)] = row.position
        return found


def chips() -> list[Chip]:
    """Returns all chips, in the order in which features came."""
    return [Chip(string(lib.pc_chip_at(i).name)) for i in range(lib.pc_chip_count())]


def open_names(chip: Chip) -> Any:
    out = ffi.new("struct pc_names **")
    call(lib.pc_names_open, ffi.NULL, chip._chip, out)
    return ffi.gc(out[0], lib.pc_names_close)


class RegisterInfo:
    """What a register of a chip is: its name, address, and fields with their bits."""

    def __init__(self, info: Any) -> None:
        self._info = info
        text = ffi.new("char[64]")
        lib.pc_reg_full_name(info, text, len(text))
        self.name = string(text)
        self.address: int = info.address
        self.readable: bool = info.readable
        self.writable: bool = info.writable
        self.effect = string(info.effect)
        self._field = {string(f.name): f for f in info.fields[0:info.field_count]}
        self.fields = {name: range(f.shift, f.shift + f.bits) for name, f in self._field.items()}

    def __repr__(self) -> str:
        return f"<{self.name} at {self.address:#x}>"

    def get(self, word: int, field: str) -> int | str:
        """Returns a field of a word: the name of its value, or a number where it has none."""
        f = self._known(field)
        value = word >> f.shift & (1 << f.bits) - 1
        name = string(f.values[value]) if f.values and value < f.value_count else ""
        return name or value

    def set(self, word: int, field: str, value: int | str) -> int:
        """Returns the word with that field changed."""
        self._known(field)
        out = ffi.new("uint32_t *", word)
        text = value if isinstance(value, str) else str(operator.index(value))
        call(lib.pc_reg_set_field, self._info, encoded(field), encoded(text), out)
        return out[0]

    def _known(self, field: str) -> Any:
        if field not in self._field:
            raise AttributeError(f"{self.name} has no field {field}; it has {', '.join(self._field) or 'none'}")
        return self._field[field]


class Register:
    """A register of a unit or device: reg.value is its word, reg.MODE its field MODE."""

    __slots__ = ("info", "_address", "_read", "_write")
    info: RegisterInfo
    _address: int
    _read: Callable[[int], int]
    _write: Callable[[int, int], None]

    def __init__(self, info: RegisterInfo, read: Callable[[int], int], write: Callable[[int, int], None]) -> None:
        object.__setattr__(self, "info", info)
        object.__setattr__(self, "_address", info.address)
        object.__setattr__(self, "_read", read)
        object.__setattr__(self, "_write", write)

    @property
    def value(self) -> int:
        """The word; reading and setting it are accesses."""
        return self._read(self._address)

    @value.setter
    def value(self, word: int) -> None:
        self._write(self._address, operator.index(word))

    def __dir__(self) -> list[str]:
        return ["info", "value", *self.info.fields]

    def __int__(self) -> int:
        return self._read(self._address)

    __index__ = __int__
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return int(self) == other

    def __repr__(self) -> str:
        return f"<{self.info.name} = {int(self):#010x}>"

    def __getattr__(self, field: str) -> Any:
        self.info._known(field)
        return self.info.get(int(self), field)

    def __setattr__(self, field: str, value: int | str) -> None:
        if field == "value":
            object.__setattr__(self, field, value)
        else:
            self.info._known(field)
            self._write(self._address, self.info.set(int(self), field, value))


@functools.lru_cache(maxsize=None)
def _tree(chip: Chip) -> dict[str, tuple[int, ...]]:
    """Returns the indices of each name that lacks one, and () for whole names, in the order of addresses."""
    found: dict[str, dict[int, None]] = {}
    for register in chip.registers():
        for index in re.finditer(r"\[(\d+)\]", register.name):
            found.setdefault(register.name[:index.start()], {})[int(index[1])] = None
        found.setdefault(register.name, {})
    return {name: tuple(sorted(indices)) for name, indices in found.items()}


class Registers:
    """The registers of a unit or device: regs.CTRL[1], regs.SIG_STATUS[0][3], regs["gpc0.1.CTRL"].

    It is a mapping of their names, too: len(), `in`, and iteration over names, in the order of addresses.
    """

    def __init__(self, chip: Chip, read: Callable[[int], int], write: Callable[[int, int], None]) -> None:
        self.__dict__.update(_chip=chip, _access=(read, write), _known={})

    def _find(self, name: str) -> Any:
        found = self._known.get(name)
        if found is None:
            try:
                found = Register(self._chip.register(name), *self._access)
            except Error as error:
                if error.status != "PC_EAMBIG":
                    raise
                found = RegisterArray(self, name)
            self._known[name] = found
        return found

    def __getitem__(self, name: str) -> Any:
        return self._find(name)

    def __setitem__(self, name: str, value: int) -> None:
        self._find(name).value = value

    def __iter__(self) -> Iterator[str]:
        return (name for name, indices in _tree(self._chip).items() if not indices)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in _tree(self._chip)

    def __dir__(self) -> list[str]:
        return [name for name in _tree(self._chip) if name.isidentifier()]

    def __repr__(self) -> str:
        return f"<{len(self)} registers of {self._chip.name}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            found = self.__dict__[name] = self._find(name)
        except Error as error:
            raise AttributeError(str(error)) from error
        return found

    def __setattr__(self, name: str, value: int) -> None:
        getattr(self, name).value = value


class RegisterArray:
    """Registers of one name: regs.CTRL has CTRL[0], CTRL[1], ...; len() and iteration."""

    __slots__ = ("_registers", "_name", "_known")
    _registers: Registers
    _name: str
    _known: dict[int, Any]

    def __init__(self, registers: Registers, name: str) -> None:
        object.__setattr__(self, "_registers", registers)
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_known", {})

    @property
    def _indices(self) -> tuple[int, ...]:
        return _tree(self._registers._chip)[self._name]

    def __getitem__(self, i: int) -> Any:
        try:
            return self._known[i]
        except KeyError:
            if operator.index(i) not in self._indices:
                which = self._indices
                raise IndexError(f"there is no {self._name}[{i}]; there are {which[0]} to {which[-1]}"
                                 + (" with gaps" if len(which) <= which[-1] - which[0] else "")) from None
        found = self._known[i] = self._registers._find(f"{self._name}[{i}]")
        return found

    def __setitem__(self, i: int, value: int) -> None:
        self[i].value = value

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in self._indices)

    def __len__(self) -> int:
        return len(self._indices)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self._name} is several registers: {self._name}[{self._indices[0]}] is one")

    def __repr__(self) -> str:
        return f"<{len(self)} registers {self._name}[...]>"
