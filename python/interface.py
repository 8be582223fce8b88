# SPDX-License-Identifier: MIT
"""Makes pcounter/_interface.py of the public headers, for cffi: interface.py CC INCLUDE_FOLDER OUT"""
import re
import subprocess
import sys

import cffi

cc, include, out = sys.argv[1:]
# Without the compiler's name, base.h leaves out its attributes.
text = subprocess.run([cc, "-E", "-P", "-dD", "-U__GNUC__", "-ffreestanding", "-I", include,
                       f"{include}/pcounter/pcounter.h"],
                      check=True, capture_output=True, text=True).stdout
numbers = re.findall(r"^#define (PC_\w+) +(?:UINT\d+_C)?\(?(-?(?:0x[0-9a-fA-F]+|\d+))u?\)?;?$", text, re.M)
text = text[text.index("enum pc_status {"):]  # what stands before it is libc's, and known to cffi
text = re.sub(r"^#.*$", "", text, flags=re.M)
text = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)u\b", r"\1", text)
text += "".join(f"\n#define {name} {value}" for name, value in numbers)
ffi = cffi.FFI()
ffi.cdef(text)
ffi.set_source("pcounter._interface", None)
ffi.emit_python_code(out)
