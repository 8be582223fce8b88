# SPDX-License-Identifier: MIT
"""Makes random calls: a list of words in which WAVE stands for the waveform."""
WAVE = "@wave@"

CHIPS = ["NV10", "NV20", "NV30", "NV40", "C51", "G80", "G84", "G92", "GT215", "MCP89", "GF100", "GK104", "GK20A"]
RECORDERS = ["G84", "G92", "GT215", "MCP89"]
VIEWERS = ["gtkwave", "surfer"]
STRANGE = ["", " ", "-", "--", "0", "-1", "1e999", "18446744073709551616", "99999999999999999999", "nan", "%s%n", "\x1b[31m",
           "a" * 3000, "'", '"', "((((((((", "))", "\\", "é", "\u202e", "*", "?", "[", "]", "{", "=", "a=", "=a", ",,,", ":",
           "0x", "1.5ns", "-5ns", "1ns..2ns", "../..", "/dev/null", "/", "a\nb", "$(x)", "1 000", "١"]


class Calls:
    def __init__(self, rng, wave):
        self.rng, self.wave = rng, wave

    def some(self, chance):
        return self.rng.random() < chance

    # --- expressions ---

    def bit(self):
        names = self.wave.bits()
        vectors = self.wave.vectors()
        if vectors and (not names or self.some(0.3)):
            v = self.rng.choice(vectors)
            return f"{v} {self.rng.choice(['==', '!=', '<', '>='])} {self.rng.randrange(5)}"
        return self.rng.choice(names) if names else "1"

    def expression(self, depth=2):
        if depth == 0 or self.some(0.3):
            return self.bit()
        kind = self.rng.randrange(6)
        a = self.expression(depth - 1)
        if kind == 0:
            return f"!({a})"
        if kind == 1:
            return f"{self.rng.choice(['rise', 'fall', 'edge', 'prev'])}({a})"
        return f"({a}) {self.rng.choice(['&', '|', '^', '&&', '||'])} ({self.expression(depth - 1)})"

    def vector(self):
        vectors = self.wave.vectors()
        return self.rng.choice(vectors) if vectors else self.bit()

    # --- where and when ---

    def clock(self):
        names = self.wave.clocks or self.wave.bits()
        kind = self.rng.randrange(10)
        if kind == 0 or not names:
            return "sample"
        if kind == 1:
            step = max(1, (self.wave.last - self.wave.first) // self.rng.randrange(2, 500))
            return f"every {self.time(step)}"
        clock = self.rng.choice(names if self.some(0.8) or not self.wave.bits() else self.wave.bits())
        if kind == 2:
            return f"negedge {clock}"
        if kind == 3:
            return f"{clock} iff {self.expression(1)}"
        return clock

    def time(self, units):
        """A time of the waveform's units as a text with a unit."""
        scale = self.wave.unit
        if not scale:
            return f"{units}ns"
        units *= scale["factor"]
        names = {0: "s", -3: "ms", -6: "us", -9: "ns", -12: "ps", -15: "fs"}
        exponent = scale["exponent"]
        while exponent not in names:
            exponent -= 1
            units *= 10
            if exponent < -15:
                return "1ns"
        return f"{units}{names[exponent]}"

    def moment(self):
        return self.time(self.rng.randint(self.wave.first, max(self.wave.first, self.wave.last)))

    def window(self, cycles):
        words = []
        if self.some(0.25):
            words += ["--from", str(self.rng.randrange(200)) if cycles and self.some(0.4) else self.moment()]
        if self.some(0.25):
            words += ["--to", str(self.rng.randrange(2000)) if cycles and self.some(0.4) else self.moment()]
        return words

    # --- verbs over a waveform ---

    def stat(self):
        words = ["stat", "-c", self.clock()]
        for i in range(self.rng.randrange(4)):
            words += ["-e", f"e{i} = {self.expression()}"]
        if self.some(0.25):
            words += ["--value", f"v = {self.vector()}"]
        if self.some(0.2):
            words += ["--latency", f"l = {self.expression(1)} -> {self.expression(1)}"]
        if self.some(0.15):
            words += ["--states", f"s = {self.vector()}"]
        if self.some(0.15):
            words += ["--level", f"q = +{self.bit()} -{self.bit()}"]
        if self.some(0.15):
            words += ["-M", "m = cycles / cycles ratio", "--expect", f"cycles {self.rng.choice('<>')} 100"]
        if self.some(0.2):
            words += ["-I", str(self.rng.randrange(1, 3000)) if self.some(0.6) else
                      self.time(max(1, (self.wave.last - self.wave.first) // self.rng.randrange(1, 200)))]
        if self.some(0.2):
            words += ["--x", self.rng.choice(["taint", "zero", "one", "error"])]
        if self.some(0.15):
            words += ["--sample", self.rng.choice(["pre-edge", "post-edge"])]
        if self.some(0.15):
            words += ["--percentile", f"{self.rng.uniform(0, 100):.2f}"]
        if self.some(0.1):
            words += ["--reset", self.expression(1)]
        if self.some(0.1):
            words += ["--histogram"] + (["--log2"] if self.some(0.5) else [])
        if self.some(0.15):
            words += ["-a", self.rng.choice(CHIPS)] + (["--multiplex"] if self.some(0.3) else [])
        return words + self.window(True) + self.reading() + [WAVE]

    def bus(self):
        words = ["bus"]
        if self.some(0.2):
            words += ["-I", str(self.rng.randrange(1, 3000)) if self.some(0.6) else self.moment()]
        if self.some(0.2):
            words += ["--payload"]
        if self.some(0.1):
            words += ["--list"]
        if self.some(0.15):
            words += ["--percentile", f"{self.rng.uniform(0, 100):.2f}"]
        if self.some(0.15):
            words += ["--expect", "stuck == 0"]
        return words + self.window(True) + self.reading() + [WAVE] + (["*a*"] if self.some(0.1) else [])

    def activity(self):
        words = ["activity"]
        if self.some(0.3):
            words += ["--bits"]
        if self.some(0.2):
            words += ["--wide"]
        if self.some(0.2):
            words += ["-I", self.time(max(1, (self.wave.last - self.wave.first) // self.rng.randrange(1, 100)))]
        if self.some(0.15):
            words += ["--when", self.expression(1)]
        if self.some(0.15):
            words += ["-c", self.clock()]
        if self.some(0.1):
            words += ["--pulse", f"high > {self.moment()}"]
        return words + self.window(False) + self.reading() + [WAVE] + (["*a*"] if self.some(0.2) else [])

    def record(self):
        words = ["record", "-c", self.clock(), "--stop", self.expression(1)]
        for i in range(self.rng.randrange(3)):
            words += ["-e", f"e{i} = {self.expression(1)}"]
        if self.some(0.3):
            words += ["-a", self.rng.choice(RECORDERS)]
        if self.some(0.2):
            words += ["--packets"]
        if self.some(0.2):
            words += ["--spark"]
        return words + self.window(True) + self.reading() + [WAVE]

    def idle(self):
        words = ["idle", "-c", self.clock(), "--map", f"GR={self.expression(1)}"]
        if self.some(0.5):
            words += ["--window", str(self.rng.randrange(1, 5000)) + "c" if self.some(0.6) else self.moment()]
        if self.some(0.3):
            words += ["--governor", "gk20a"]
        if self.some(0.2):
            words += ["--exact"]
        return words + self.reading() + [WAVE]

    def info(self):
        words = ["info"]
        if self.some(0.4):
            words += ["--vars" if self.some(0.6) else "--vars=*a*"]
        return words + self.reading() + [WAVE]

    def check(self):
        return ["check", "--core", "cv64a6_imafdc_sv39"] + (["-k"] if self.some(0.5) else []) + [WAVE]

    def cut(self):
        return ["record", "--cut"] + self.window(False) + [WAVE] + (["*a*"] if self.some(0.4) else [])

    def reading(self):
        words = []
        if self.some(0.1):
            words += ["--time-backwards"]
        if self.some(0.05):
            words += ["--strict"]
        if self.some(0.05):
            words += ["--time-unit", self.rng.choice(["1ps", "10ns", "1us"])]
        if self.some(0.03):
            words += ["--read-limit", self.rng.choice(["vars=3", "name-bytes=8", "depth=1", "width=4", "ratio=2"])]
        return words

    # --- verbs without one ---

    def registers(self):
        chip = self.rng.choice(CHIPS)
        address = f"0x{self.rng.randrange(0xa000, 0xb000):x}"
        value = f"0x{self.rng.getrandbits(32):x}"
        inputs = [f"{self.rng.choice(['event', 'start', 'pre', 'stop', 'setflag'])}={self.logic()}"
                  for _ in range(self.rng.randrange(1, 3))]
        return self.rng.choice([
            ["decode", "-a", chip, address, value],
            ["decode", "-a", chip, self.rng.choice(["CTRL", "CTRL[1]", "GCTRL", "PRE_OP[1]"]), value],
            ["encode", "-a", chip, self.rng.choice(["CTRL", "CTRL[1]", "EVENT_OP[0]"]), f"MODE={self.rng.choice(['QUAD', '3'])}"],
            ["compile", "-a", chip, "-d", str(self.rng.randrange(4)), *inputs],
            ["compile", "-a", chip, "-e", f"{{hits={self.logic()}, misses:stop={self.logic()}}}"],
            ["plan", "-a", chip, "-d", str(self.rng.randrange(3)), "-e", f"a={self.logic()}, b={self.logic()}"],
            ["plan", "-a", chip, "-M", self.rng.choice(["shader_busy", "l2_*", "gpu_busy", "x = 1 / 2 ratio"])],
            ["list", self.rng.choice(["chips", "options", "cores", "quirks", "events"])],
            ["list", self.rng.choice(["registers", "signals", "domains", "metrics", "sources", "filters"]), "-a", chip],
            ["explain", f"PC-{self.rng.choice('EWN')}{self.rng.randrange(900):04d}"],
            ["emit", self.rng.choice(["whisper-json", "dpi-bind", "core", "c-header", "devicetree"]), "--core",
             self.rng.choice(["cv64a6_imafdc_sv39", "cv32a6_imac_sv32", "cv32a60x", "none"])],
            ["emit", self.rng.choice(["c-header", "rnndb"]), "-a", chip],
            ["settle", "-a", chip],
            ["schema"], ["schema", self.rng.choice(["stat", "bus", "activity", "nothing"])],
            ["help", self.rng.choice(["stat", "bus", "none"])], ["version"],
        ])

    def logic(self):
        signals = [f"s{self.rng.randrange(24):02d}" for _ in range(self.rng.randrange(1, 5))]
        text = signals[0]
        for s in signals[1:]:
            text = f"({text} {self.rng.choice('&|^')} {'!' if self.some(0.3) else ''}{s})"
        return f"rise({text})" if self.some(0.1) else text

    # --- what is wrong ---

    def spoil(self, words):
        """Changes a call so that it is probably not valid."""
        words = list(words)
        for _ in range(self.rng.randrange(1, 3)):
            at = self.rng.randrange(len(words))
            kind = self.rng.randrange(7)
            if kind == 0:
                del words[at]
            elif kind == 1:
                words[at] = self.rng.choice(STRANGE)
            elif kind == 2:
                words.insert(at, self.rng.choice(STRANGE))
            elif kind == 3 and words[at]:
                i = self.rng.randrange(len(words[at]))
                words[at] = words[at][:i] + self.rng.choice(["", "x", "(", "'", "0", ".", "\t"]) + words[at][i + 1:]
            elif kind == 4:
                words.append(self.rng.choice(words))
            elif kind == 5:
                words.insert(at, self.rng.choice(["--from", "--format", "-o", "-e", "--help", "--nonsense", "-I", "--core"]))
            else:
                words[at] = (words[at] * self.rng.randrange(2, 200))[:20000]
            if not words:
                return ["stat"]
        return words
