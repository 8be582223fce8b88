# SPDX-License-Identifier: MIT
"""A command with a simulator in it, whose signals are read while it runs (include/pcounter/tap.h)."""
from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
from typing import Sequence


class Simulation:
    """A running command.  `stream` is the socket that its simulator sends to; close() ends what still runs."""

    def __init__(self, command: Sequence[str | os.PathLike[str]]) -> None:
        self.command = [os.fspath(word) for word in command]
        if not self.command:
            raise ValueError("a command has at least one word")
        self._folder = tempfile.mkdtemp(prefix="pcounter-")
        self.stream, self._theirs = socket.socketpair()
        self._listener = socket.socket(socket.AF_UNIX)
        self._counted = False
        try:
            path = os.path.join(self._folder, "tap")
            self._listener.bind(path)
            self._listener.listen()
            self._process = subprocess.Popen(self.command, env={**os.environ, "PCOUNTER_TAP": path},
                                             stdin=subprocess.DEVNULL, start_new_session=True)
        except BaseException:
            self._close_sockets()
            raise
        threading.Thread(target=self._hand_over, daemon=True).start()
        threading.Thread(target=self._watch, daemon=True).start()

    def _hand_over(self) -> None:
        """Gives the stream to the first simulator that asks, and refuses the others."""
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                try:
                    if self._counted:
                        connection.sendall(b"another simulation of this command is counted already")
                    else:
                        self._counted = True
                        socket.send_fds(connection, [b"\1"], [self._theirs.fileno()])
                        self._theirs.close()
                except OSError:
                    pass

    def _watch(self) -> None:
        """Ends the stream where the command ends without a simulator."""
        code = self._process.wait()
        if not self._counted:
            self._counted = True
            text = f"{self.command[0]} ended with {code}, and no simulation in it had connected".encode()[:100]
            try:
                self._theirs.sendall(b"PCTAP\1\0\0F\1" + bytes([len(text)]) + text)
                self._theirs.close()
            except OSError:
                pass

    def wait(self) -> int:
        """Waits for the command's end; returns its exit code."""
        return self._process.wait()

    def _close_sockets(self) -> None:
        for each in (self._listener, self.stream, self._theirs):
            each.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        """Stops reading; a command that still runs after a second is ended."""
        self._close_sockets()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            self._process.wait()
