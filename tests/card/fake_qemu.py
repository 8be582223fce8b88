#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What QEMU's device says to the card, right and wrong: fake_qemu.py CASE; the last option is x-pci-proxy-dev,fd=N."""
import array
import os
import socket
import struct
import sys

if sys.argv[1:] == ["--version"]:
    print("QEMU emulator version " + os.environ.get("FAKE_VERSION", "7.2.1 (fake)"))
    sys.exit(0)
fd = next(int(word.split("fd=")[1]) for word in sys.argv if word.startswith("x-pci-proxy-dev"))
link = socket.socket(fileno=fd)


def message(command, body=b"", size=None, files=()):
    head = struct.pack("<iIQ", command, 0, len(body) if size is None else size)
    link.sendmsg([head, body], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else [])


def answer():
    text = b""
    while len(text) < 24:
        piece = link.recv(24 - len(text))
        if not piece:
            print("closed")
            sys.exit(3)
        text += piece
    return struct.unpack("<iIQQ", text)[3]


def config(command, at, size, value=0):
    message(command, struct.pack("<IIi", at, value, size))
    return answer()


def bar(command, at, size, value=0, memory=1):
    message(command, struct.pack("<QQIB3x", at, value, size, memory))
    return answer()


def memory(*regions, files):
    columns = [list(column) + [0] * (8 - len(regions)) for column in zip(*regions)] or [[0] * 8] * 3
    message(0, struct.pack("<24Q", *columns[0], *columns[1], *columns[2]), files=files)


case = sys.argv[-1]
if case == "right":
    config(2, 0x10, 4, 0xFFFFFFFF)
    print(hex(config(3, 0x10, 4)), hex(config(3, 0, 4)), hex(config(3, 0xA, 2)), hex(config(3, 0xFF, 1)))
    config(2, 0x10, 4, 0xE0000000)
    config(2, 0, 4, 0)  # of a device is read-only
    print(hex(config(3, 0x100, 4)), hex(config(3, 0xFE, 4)), hex(config(3, 0, 2)), hex(config(3, 0xFFFFFFFF, 4)))
    bar(4, 0xE000A400, 4, 0x12345678)
    print(hex(bar(5, 0xE000A401, 2)), hex(bar(5, 0xE000A400, 8)), hex(bar(5, 0xE000A400, 4, memory=0)))
    print(hex(bar(5, 0xE0FFFFFF, 8)))  # across the end
    message(6, files=[0, 1])
    config(2, 0x04, 2, 0xFFFF)
    print(hex(config(3, 0x04, 2)))
    message(7)
    answer()
    print(hex(config(3, 0x04, 2)), hex(bar(5, 0xE000A400, 4)))
elif case == "memory":
    file = os.memfd_create("guest")
    os.ftruncate(file, 8192)
    memory((0x1000, 4096, 4096), files=[file])
    memory((0x1000, 4096, 4096), (1 << 63, 1 << 63, 1 << 63), files=[file, file])
    for at, value in ((0xA7A4, 1), (0xA7A0, 0x80000001), (0xA720, 0x1100), (0xA760, 0x1000), (0xA4E0, 0xFFFF), (0xA7C0, 2)):
        bar(4, at, 4, value)
    bar(5, 0, 4)
    print(os.pread(file, 32, 4096) != bytes(32), os.pread(file, 4096, 0) == bytes(4096))
    memory(files=[])
    bar(4, 0xA760, 4, 0x1000)
    bar(5, 0, 4)
elif case == "command":
    message(99)
elif case == "negative":
    message(-1)
elif case == "answer":
    message(1, bytes(8))
elif case == "size":
    message(5, bytes(25))
elif case == "huge":
    message(5, size=1 << 63)
elif case == "short":
    message(5, bytes(3), size=24)
elif case == "head":
    link.send(b"abc")
elif case == "width":
    message(5, struct.pack("<QQIB3x", 0, 0, 3, 1))
elif case == "width2":
    message(3, struct.pack("<IIi", 0, 0, -4))
elif case == "files":
    message(0, bytes(192), files=[0] * 20)
elif case == "nothing":
    pass
elif case == "killed":
    bar(5, 0, 4)
    os.kill(os.getpid(), 9)
link.shutdown(socket.SHUT_WR)
link.recv(1)
