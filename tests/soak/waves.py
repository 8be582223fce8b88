# SPDX-License-Identifier: MIT
"""Finds waveforms, and what random calls need to know of each."""
import gzip
import os
import re

from program import Broken

ENDS = (".vcd", ".vcd.gz", ".fst", ".ghw", ".sr", ".csv", ".vcd.zst", ".evcd")
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z_][A-Za-z0-9_$]*)*$")
# words that lead to other rows than a name
RESERVED = {"flag", "rise", "fall", "edge", "prev", "inside", "sample", "every", "iff", "posedge", "negedge", "until", "by"}


def find(folders, most):
    """Returns the waveforms of the folders, up to `most` bytes each."""
    found = []
    for folder in folders:
        for at, _, names in os.walk(os.path.realpath(folder)):
            found += [os.path.join(at, n) for n in names if n.endswith(ENDS)]
    return sorted(p for p in found if os.path.getsize(p) <= most)


class Wave:
    """A waveform: its nets, clocks, times."""

    def __init__(self, program, path):
        self.path, self.nets, self.clocks, self.last, self.first = path, [], [], 0, 0
        info = program.run(["info", "-q", "--format", "json", path])
        self.code = info.code
        if info.code:
            return
        about = info.json()
        self.clocks = [c["name"] for c in about["clocks"] if usable(c["name"])]
        self.first, self.last = about["time_first"] or 0, about["time_last"] or 0
        self.stamps = about["time_stamps"]
        self.unit = about["timescale"]
        listed = program.run(["info", "-q", "--vars", "--format", "csv", path])
        if listed.code:
            raise Broken(f"info reads it, and --vars does not: {listed.err.decode()}")
        seen = {}
        for row in listed.rows():
            seen.setdefault(row["name"], []).append(row)
        for name, rows in seen.items():
            if len(rows) == 1 and rows[0]["kind"] == "bits" and usable(name):
                self.nets.append((name, int(rows[0]["width"])))

    def bits(self):
        return [n for n, w in self.nets if w == 1]

    def vectors(self, most=64):
        return [n for n, w in self.nets if 1 < w <= most]

    def bytes(self):
        with open(self.path, "rb") as f:
            return f.read()

    def other_packing(self, folder):
        """Writes the same packed, or unpacked if it is packed; returns the path, or None: not whole, or of another packing."""
        name = os.path.basename(self.path)
        data = self.bytes()
        if data[:2] == b"\x1f\x8b":
            out = os.path.join(folder, "unpacked-" + name)
            try:
                data = gzip.decompress(data)
            except (EOFError, OSError):
                return None
        elif not name.endswith((".vcd", ".fst", ".ghw", ".sr", ".csv")):
            return None
        else:
            out = os.path.join(folder, name + ".gz")
            data = gzip.compress(data, 1)
        with open(out, "wb") as f:
            f.write(data)
        return out


def usable(name):
    return bool(PLAIN.match(name)) and not RESERVED & set(name.split("."))
