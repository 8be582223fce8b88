# SPDX-License-Identifier: MIT
"""What a user writes, for mypy; not run."""
import copy
import numpy as np
import pcounter

gpu = pcounter.Gpu("G92")
gpu.regs.CTRL[1].MODE = "QUAD"
mode: str = gpu.regs.CTRL[1].MODE
gpu.regs.CTRL[1].value = 3
gpu.regs["CTRL[1]"] = 5
gpu.regs.PRE_SRC[0] = 5
gpu.regs.SIG = 5
word: int = gpu.regs.CTRL[1].value
for register in gpu.regs.CTRL:
    register.MODE = 1
r: pcounter.Register = gpu.regs["CTRL[1]"]
r.MODE = "QUAD"
r.value = 5
other: pcounter.Gpu = copy.deepcopy(gpu)
gpu.play(0x10, np.arange(1000) % 3 == 0, domain=1)
gpu.play(0x10, [0, 1])
gpu.play(0x10, pcounter.Plane([True]))
gpu.edges(3, {1: {0x10: [1, 0, 1], 0x11: pcounter.Plane([1, 1, 1])}})
for block in pcounter.Wave("x").blocks("clk", "a"):
    n: int = block.value["a"][0].ones()
rows = pcounter.stat("x", "clk", {"a": "b"})
rows[0]["value"] + 1
rows += pcounter.stat("x", "clk", values=["a"], latencies={"l": "a -> b"}, states={"s": "c"}, levels={"q": "0 +a -b"})
