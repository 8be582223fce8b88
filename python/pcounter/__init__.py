# SPDX-License-Identifier: MIT
"""Hardware performance counters as software: devices, units, waveforms and counts.

    import pcounter
    gpu = pcounter.Gpu("G92")
    gpu.regs.CTRL[1].MODE = "QUAD"
    rows = pcounter.stat("soc.fst", "posedge clk", {"hits": "req & hit"})
"""
import importlib.util as _util

for _name, _debian, _pip in (("_cffi_backend", "python3-cffi-backend", "cffi"), ("numpy", "python3-numpy", "numpy")):
    if _util.find_spec(_name) is None:
        raise ImportError(f"pcounter needs {_pip}: apt install {_debian}, or pip install {_pip}", name=_name)

from ._chip import Chip, Register, RegisterArray, RegisterInfo, Registers, chips  # noqa: E402
from ._compile import Program, Write, compile, decode  # noqa: E402
from ._gpu import Gpu, Unit  # noqa: E402
from ._library import Error, FileError, FileMissing, lib as _lib, string as _string  # noqa: E402
from ._plane import Plane  # noqa: E402
from ._report import report  # noqa: E402
from ._wave import Block, Signal, Wave, stat  # noqa: E402

__version__ = _string(_lib.pc_version())
__all__ = ["Block", "Chip", "Error", "FileError", "FileMissing", "Gpu", "Plane", "Program", "Register", "RegisterArray",
           "RegisterInfo", "Registers", "Signal", "Unit", "Wave", "Write", "chips", "compile", "decode", "report", "stat"]
