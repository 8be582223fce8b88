#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cpio.py FOLDER: its files as an archive that Linux takes as its first file system, on standard output."""
import os
import sys

number = 0


def put(name, mode, data=b""):
    global number
    number += 1
    fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
    out = sys.stdout.buffer
    out.write(head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4))


top = sys.argv[1]
for folder, _, files in os.walk(top):
    if folder != top:
        put(os.path.relpath(folder, top), 0o040755)
    for name in files:
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            put(os.path.relpath(path, top), 0o100755, file.read())
put("TRAILER!!!", 0)
