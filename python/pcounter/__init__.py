# SPDX-License-Identifier: MIT
"""Hardware performance counters as software: devices, units, waveforms and counts.

    import pcounter
    gpu = pcounter.Gpu("G92")
    gpu.regs.CTRL[1].MODE = "QUAD"
    rows = pcounter.stat("soc.fst", "posedge clk", {"hits": "req & hit"})
"""
from ._chip import Chip, Register, RegisterInfo, Registers, chips
from ._compile import Program, Write, compile, decode
from ._gpu import Gpu, Unit, levels, plane
from ._library import Error, lib as _lib, string as _string
from ._report import report
from ._wave import Block, Signal, Wave, stat

__version__ = _string(_lib.pc_version())
__all__ = ["Block", "Chip", "Error", "Gpu", "Program", "Register", "RegisterInfo", "Registers", "Signal", "Unit",
           "Wave", "Write", "chips", "compile", "decode", "levels", "plane", "report", "stat"]
