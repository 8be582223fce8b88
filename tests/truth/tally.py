# SPDX-License-Identifier: MIT
"""Figures that are compared and counted, for the tests of this folder."""
import sys

tried = failed = 0


def fail(text):
    global failed
    failed += 1
    print("FAILED: " + text)


def check(what, got, want):
    global tried
    tried += 1
    if got != want or isinstance(got, bool) != isinstance(want, bool):
        fail(f"{what} is {str(got)[:400]}, not {str(want)[:400]}")


def end(least=1, more=""):
    """Says how many there were, and ends the test; fewer than so many are a failure."""
    if tried < least:
        fail(f"{tried} figures were found, not {least} or more")
    print(f"{tried} figures, {failed} wrong{more}")
    sys.exit(failed > 0)
