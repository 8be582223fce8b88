# SPDX-License-Identifier: MIT
"""Reports of the program."""
from __future__ import annotations

import errno
import json
import os
import subprocess
from collections.abc import Mapping
from typing import Any


def report(verb: str, *arguments: str | os.PathLike[str], core: str | os.PathLike[str] | Mapping[str, Any] | None = None,
           program: str = "pcounter", input: str | None = None) -> Any:
    """Returns what a verb of the program reports as JSON: report("bus", "soc.fst").

    core is --core: a configuration of CVA6, the path of a description (pcounter-core(5)), or a
    description as a dictionary.

    The arguments are those of the command line.  RuntimeError, with what the program said, where it
    fails; an expectation that is not met (exit code 1 with a report) is no failure: the report has it.
    """
    command = [program, verb, *(os.fspath(a) for a in arguments), "--format", "json"]
    if isinstance(core, Mapping):
        command += ["--core", "-"]
        input = json.dumps(core)
    elif core is not None:
        command += ["--core", os.fspath(core)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, input=input, check=False)
    except FileNotFoundError as error:
        raise FileNotFoundError(errno.ENOENT, "the program is not there: install pcounter, or give its path as program=",
                                program) from error
    if done.returncode != 0 and not (done.returncode == 1 and done.stdout):
        raise RuntimeError(done.stderr.strip() or f"{program} {verb} ended with {done.returncode}")
    return json.loads(done.stdout)
