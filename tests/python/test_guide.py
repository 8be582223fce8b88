# SPDX-License-Identifier: MIT
"""The examples of docs/guide/python.md are what Python prints."""
import doctest
import os
import re
from pathlib import Path


def test_guide(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    monkeypatch.setenv("PATH", f"{Path(os.environ['PC_PROGRAM']).parent}:{os.environ['PATH']}")
    page = Path("docs/guide/python.md").read_text(encoding="utf-8")
    text = re.sub(r"^```.*$", "", page, flags=re.M)
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", "docs/guide/python.md", 0)
    assert len(test.examples) > 20
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test).failed == 0


def test_fixture(gpu):
    page = (Path(__file__).parents[2] / "docs/guide/python.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(def test_.*?)^```", page, re.M | re.S)
    found = {}
    exec(code, found)
    found["test_driver_selects_quad_mode"](gpu)
