#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SAIF against what OpenSTA's reader takes, by a lexer and a parser of its rules (power/SaifLex.ll, SaifParse.yy) in our
own words: with --opensta it reads all; without, it does, or a note says that it will not.

usage: activity_opensta.py PCOUNTER WAVEFORM...
"""
import re
import subprocess
import sys

pcounter, waves = sys.argv[1], sys.argv[2:]
HEADER = {"SAIFVERSION": ["text"], "DIRECTION": ["text"], "DESIGN": ["text", ""], "DATE": ["text"], "VENDOR": ["text"],
          "PROGRAM_NAME": ["text"], "VERSION": ["text"], "DIVIDER": ["/", "."], "TIMESCALE": ["number name"], "DURATION": ["number"]}
STATES = {"T0", "T1", "TX", "TZ", "TB", "TC", "IG"}
WORDS = set(HEADER) | STATES | {"SAIFILE", "INSTANCE", "NET", "PORT"}


class Refused(Exception):
    """The reader stops."""


def lex(text):
    """Pairs of kind and text.  The longest match counts, and a word of SAIF is no name."""
    rules = [(None, r"/\*.*?\*/"), ("text", r'"(?:\\.|[^"\\])*"'), (None, r"//[^\n]*\r?\n"), ("number", r"[0-9]+"),
             ("name", r"[A-Za-z_][A-Za-z0-9_$\[\]\\.]*"), (None, r"[ \n\t\r\b]"), ("char", r".")]
    at = 0
    while at < len(text):
        length, kind = max(((len(found[0]), -i) for i, (_, rule) in enumerate(rules)
                            if (found := re.compile(rule, re.S).match(text, at))))
        kind = rules[-kind][0]
        word = text[at:at + length]
        at += length
        if kind in ("name", "char"):
            yield (word if kind == "char" or word in WORDS else "name"), word
        elif kind:
            yield kind, word


class Parser:
    def __init__(self, text):
        self.tokens = list(lex(text)) + [("end", "")]
        self.at = 0
        self.nets = 0

    def take(self, *kinds):
        kind, word = self.tokens[self.at]
        if kind not in kinds:
            raise Refused(f"{word!r} in place of {kinds}")
        self.at += 1
        return kind, word

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][0]

    def file(self):
        self.take("(")
        self.take("SAIFILE")
        unit = None
        while self.peek(1) in HEADER:
            self.take("(")
            name, _ = self.take(*HEADER)
            begin = self.at
            while self.peek() != ")":
                self.take("text", "number", "name", "/", ".")
            kinds = [kind for kind, _ in self.tokens[begin:self.at]]
            if " ".join(kinds) not in HEADER[name]:
                raise Refused(f"{name} has {kinds}")
            unit = [word for _, word in self.tokens[begin:self.at]] if name == "TIMESCALE" else unit
            self.take(")")
        if not unit or unit[0] not in ("1", "10", "100") or unit[1] not in ("us", "ns", "ps", "fs"):
            raise Refused(f"times in {unit}")
        self.instance()
        self.take(")")
        self.take("end")

    def instance(self):
        self.take("(")
        self.take("INSTANCE")
        if self.peek() == "text":
            self.take("text")
        self.take("name")
        while self.peek() == "(":
            if self.peek(1) in ("NET", "PORT"):
                self.take("(")
                self.take("NET", "PORT")
                while self.peek() == "(" or self.peek() != ")":
                    self.net()
                self.take(")")
            else:
                self.instance()
        self.take(")")

    def net(self):
        self.take("(")
        self.take("name")
        self.nets += 1
        while self.peek() == "(":
            self.take("(")
            self.take(*STATES)
            self.take("number")
            self.take(")")
        self.take(")")


def run(*words):
    done = subprocess.run([pcounter, "activity", *words, "--format", "saif"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{words}: {done.stderr}")
    return done.stdout, done.stderr


def is_read(text):
    parser = Parser(text)
    try:
        parser.file()
    except Refused as why:
        return 0, str(why)
    return parser.nets, ""


failures = read = refused = 0
for wave in waves:
    text, said = run(wave)
    nets, why = is_read(text)
    read += nets > 0
    refused += nets == 0
    if (nets == 0) != ("PC-N0505" in said):
        failures += 1
        print(f"{wave}: {why or 'is read'}, and said is {said!r}")
    text, said = run(wave, "--opensta", "--timescale", "1ps")
    nets, why = is_read(text)
    left = "INSTANCE" in text
    if left and nets == 0:
        failures += 1
        print(f"{wave} --opensta: {why}")
    if not left and "PC-W0506" not in said:
        failures += 1
        print(f"{wave} --opensta: nothing is left, and nobody says so")
print(f"{len(waves)} waveforms: {read} read as they are, {refused} not; {failures} failed")
sys.exit(1 if failures or not read or not refused else 0)
