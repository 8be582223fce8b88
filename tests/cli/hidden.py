#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No file drives a terminal: whatever names it has, every verb shows them escaped, in every format.

  hidden.py PROGRAM SHARED

What a name must not bring into an output: control characters of ASCII, DEL, U+0080 to U+009F, ends of lines, marks that
turn the order of text, what XML forbids, bytes that are no UTF-8.  JSON has the same characters as escapes, so its reader
gets the name.
"""
import gzip
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

MARKS = [0x7F, *range(0x80, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFFFE, 0xFFFF]
HIDDEN = {*range(0x20), *MARKS}
# a lone continuation, a byte that UTF-8 never has, a surrogate, an overlong ESC
NO_UTF8 = [b"\x9b", b"\xff", b"\xed\xa0\x80", b"\xc0\x9b"]
EACH = [bytes([c]) for c in range(1, 32)] + [chr(c).encode() for c in MARKS] + NO_UTF8
EVIL = b"\x1b]0;t\x07\xe2\x80\xae\x7f\xc2\x9b31m<&\"'>|,`]]>\xef\xbf\xbf\xff"
SHOWN = "\\x1b]0;t\\x07\\xe2\\x80\\xae\\x7f\\xc2\\x9b31m"
IN_JSON = "\\u001b]0;t\\u0007\\u202e\\u007f\\u009b31m"
SIGNAL = b"tb.\\" + EVIL + b" "


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def numbers(*values):
    return b"".join(struct.pack(">Q", v) for v in values)


def write_fst(path, scope, names, rows):
    """Writes variables of one bit in a scope, and a row of their values each 5 ns: an FST of which only the tree is packed."""
    end = 5 * (len(rows) - 1)
    head = numbers(0, end) + struct.pack(">d", 2.718281828459045) + numbers(4096, 1, len(names), len(names), 1)
    head += b"\xf7" + b"test".ljust(128 + 119 + 1 + 8, b"\0")
    chains, index, before = b"Z", b"", 0
    for i in range(len(names)):
        changes = [t for t in range(1, len(rows)) if rows[t][i] != rows[t - 1][i]]
        index += varint((len(chains) - before) << 1 | 1)
        before = len(chains)
        chains += b"\0"
        for t, last in zip(changes, [0, *changes]):
            chains += varint((t - last) << 2 | rows[t][i] << 1)
    frame = bytes(48 + v for v in rows[0])
    times = varint(0) + varint(5) * (len(rows) - 1)
    values = numbers(0, end, 4096) + 2 * varint(len(frame)) + varint(len(names)) + frame
    values += varint(len(names)) + chains + index + numbers(len(index)) + times
    values += numbers(len(times), len(times), len(rows))
    tree = b"\xfe\0" + scope + b"\0\0" + b"".join(b"\x10\0" + n + b"\0\1\0" for n in names) + b"\xff"
    widths = varint(1) * len(names)
    with open(path, "wb") as f:
        for kind, content in ((0, head), (1, values), (3, numbers(len(widths), len(names)) + widths),
                              (4, numbers(len(tree)) + gzip.compress(tree))):
            f.write(bytes([kind]) + numbers(len(content) + 8) + content)


def write_wave(path, scope, seed):
    """Writes a clock, a handshake of evil names, and a net for each of what is hidden."""
    names = [b"clk", EVIL + b"_valid", EVIL + b"_ready", EVIL] + [b"n" + e + b"n" for e in EACH]
    rows = [[n & 1] + [n * (i + seed) // 6 & 1 for i in range(1, len(names))] for n in range(120)]
    write_fst(path, scope, names, rows)
    return names


def check_shown(text, what):
    """Checks that the bytes are UTF-8, and have nothing that is hidden but ends of lines and tabs before text."""
    characters = text.decode("utf-8")  # raises where it is none
    for at, c in enumerate(re.sub("(?m)^\t+", "", characters.replace("\r\n", "\n"))):
        assert c == "\n" or ord(c) not in HIDDEN, f"{what}: {c!r} in {characters[max(0, at - 60):at + 60]!r}"
    return characters


def saif_nets(text):
    """Reads the names of nets; each is one token, with a backslash before what is no letter, digit or _."""
    nets = re.findall(r"(?m)^ *\(((?:\\[ -~]|[\w\x80-\U0010ffff])+) \(T0 \d+\) .*\)$", text)
    assert len(nets) == text.count("(T0 "), text
    return [re.sub(r"\\(.)", r"\1", n) for n in nets]


class Walk:
    def __init__(self, program, folder):
        self.program, self.folder, self.calls, self.forms = program, folder, 0, set()

    def call(self, *words, codes=(0, 1)):
        """Runs it; what it prints, checked, of stdout and stderr."""
        done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True, check=False, timeout=60,
                              stdin=subprocess.DEVNULL)
        err, out = (check_shown(text, repr(words)) for text in (done.stderr, done.stdout))
        assert done.returncode in codes, f"{words}: {done.returncode}: {err}"
        self.calls += 1
        return out, err

    def refused(self, *words):
        """Calls what is an error, of which the message has the name."""
        out, err = self.call(*words, codes=(1, 2, 3))
        assert SHOWN in out + err, f"{words}: {out}{err}"

    def formats(self, verb):
        text = " ".join(self.call(verb, "-h")[0].split())
        return re.findall(r"[\w-]+", re.search(r"--format FORMAT ((?:[\w-]+, )*[\w-]+ or [\w-]+)", text)[1].replace(" or", ""))

    def verb(self, verb, *words, nameless=(), without=()):
        """Calls a verb in all its formats but those that this report lacks; each has the name, but for some."""
        for form in (f for f in self.formats(verb) if f not in without):
            out, _ = self.call(verb, *words, "--format", form)
            self.forms.add(form)
            has = SHOWN
            if form in ("json", "perfetto", "jsonl"):
                for text in out.splitlines() if form == "jsonl" else [out]:
                    json.loads(text)
                has = IN_JSON
            elif form == "junit":
                out = " ".join(" ".join([*e.attrib.values(), e.text or ""]) for e in ElementTree.fromstring(out).iter())
            elif form == "saif":
                nets = saif_nets(out)
                assert len(set(nets)) == len(nets), nets
                out = " ".join(nets)
            elif form == "md":
                out = re.sub(r"\\([\\\]])", r"\1", out)
            assert form in nameless or has in out, f"{verb} --format {form}: {out[:2000]}"


def walk_waves(w):
    """Calls the verbs that read waveforms; the names of files are evil as well."""
    a, b = EVIL.replace(b"/", b"") + b"\n.fst", b"b.fst"
    names = write_wave(os.path.join(os.fsencode(w.folder), a), b"tb", 0)
    write_wave(os.path.join(w.folder, "b.fst"), b"tb", 1)
    write_wave(os.path.join(w.folder, "scope.fst"), EVIL, 0)
    clock = ("--clock", "tb.clk")
    w.verb("info", a)
    out, _ = w.call("info", "--vars", "--format", "json", a)
    assert [v["name"] for v in json.loads(out)["vars"]] == ["tb." + n.decode(errors="replace") for n in names]
    w.verb("info", "--vars", a)
    w.verb("activity", a, "--expect", "tb.clk.T0 > 0", nameless=("junit",))
    w.verb("activity", "scope.fst", "--expect-clock", "clk = 10ns", nameless=("junit",))
    w.verb("stat", *clock, "-e", b"x=" + SIGNAL, "-e", SIGNAL, "-I", "50ns", a, "--expect", "x < 2",
           nameless=("junit",))
    out, _ = w.call("bus", "--list", a)  # a map in YAML, which --map reads
    assert IN_JSON in out, out
    with open(os.path.join(w.folder, "map.yaml"), "w", encoding="utf-8") as f:
        f.write(out)
    w.call("bus", "--map", "map.yaml", a, codes=(0, 2))
    w.verb("bus", a, nameless=("junit",))
    w.verb("bus", "scope.fst", nameless=("junit",))
    w.verb("record", *clock, "--stop", SIGNAL, "-e", SIGNAL, a)
    w.verb("idle", *clock, "--map", b"GR=" + SIGNAL, "--window", "50ns", a, nameless=w.formats("idle"))
    with open(os.path.join(w.folder, "measures"), "wb") as f:
        f.write(b"clock = tb.clk\nevent " + SIGNAL + b"\n")
    w.verb("diff", "-f", "measures", a, b)
    for path, report in ((a, "a.json"), (b, "b.json")):
        w.call("stat", *clock, "-e", SIGNAL, path, "--format", "json", "-o", report)
    w.verb("diff", "a.json", "b.json")
    w.verb("merge", "a.json", "b.json", nameless=("junit",), without=("vcd", "perfetto"))
    w.call("record", *clock, "--stop", SIGNAL, "-e", SIGNAL, a, "-o", "rows.json")
    w.verb("merge", "--inexact", "rows.json", without=("junit",))
    w.call("stat", *clock, "-e", b"tb.none | " + SIGNAL, a, codes=(2,))
    w.call("stat", "--clock", SIGNAL + b"x", a, codes=(2,))
    w.call("stat", "--clock", "tb.clk", "-e", b"a + + " + SIGNAL, a, codes=(2,))
    w.call("emit", "core", "--wave", a, "--scope", "tb")
    w.call("emit", "tap", "--scope", "tb", "-c", "clk", "-e", SIGNAL, codes=(0, 1, 2))
    w.call("check", "--core", "cv64a6_imafdc_sv39", a, codes=(0, 1, 2))


def walk_words(w):
    """Calls every verb with a word, and with a file, that has the name."""
    with open(os.path.join(w.folder, "evil"), "wb") as f:
        f.write(EVIL + b"\n" + EVIL + b": [" + EVIL + b"\n")
    verbs = re.findall(r"(?m)^  (\w+) {2,}\w", w.call("help")[0])
    assert len(verbs) > 15, verbs
    for verb in verbs:
        for words in ([EVIL], ["--" + "evil", EVIL], ["evil"], ["-a", EVIL], ["-a", "G92", EVIL], ["-a", "G92", "event", EVIL],
                      ["--core", EVIL], ["--core", "evil", "b.fst"], ["--format", EVIL], ["-o", EVIL + b"/x", "b.fst"],
                      ["-a", "G92", "-e", EVIL], ["--map", "evil", "b.fst"], ["-f", "evil", "b.fst"], ["--signals", "evil"]):
            w.call(verb, *words, codes=(0, 1, 2, 3, 4))
    w.refused(EVIL)
    for verb in ("explain", "schema", "run", "replay", "info", "activity", "check", "merge"):
        w.refused(verb, EVIL)
    w.refused("list", "chips", EVIL)


def main():
    program, shared = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        w = Walk(os.path.abspath(program), folder)
        walk_waves(w)
        walk_words(w)
        escape = os.path.abspath(os.path.join(shared, "cases3", "edges", "escape.fst"))
        if os.path.exists(escape):
            for form in w.formats("activity"):
                w.call("activity", "--format", form, escape, codes=(0, 2) if form == "junit" else (0,))
        else:
            print("SKIP: there is no", escape)
    print(f"{w.calls} calls, formats: {' '.join(sorted(w.forms))}")


main()
