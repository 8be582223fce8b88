# SPDX-License-Identifier: MIT
"""Any process of a command's tree is killed at any moment: nothing is left, and others are not harmed.
    killed.py PROGRAM CLIENT FOLDER TIMES SEED
The client is paths.c; FOLDER is empty, and TMPDIR."""
import os
import random
import signal
import subprocess
import sys
import time

program, client, folder, times, seed = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
random.seed(seed)
TREE = f"{client} loop 7fffffff & {client} loop 7fffffff & sh -c '{client} loop 7fffffff; true' & sleep 100 & wait"


def children(pid):
    """All processes below one, by /proc."""
    parent = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    parent[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                pass
    found, more = [], [pid]
    while more:
        more = [one for one in parent if parent[one] in more]
        found += more
    return found


def alive(pid, began):
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return fields[19] == began and fields[0] != "Z"
    except OSError:
        return False


def began(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[19]
    except OSError:
        return None


def sockets():
    with open("/proc/net/unix") as file:
        return sum(folder in line for line in file)  # those of others have no name, and end with a process


def check(what, fine):
    if not fine:
        print(f"FAILED: seed {seed}: {what}", file=sys.stderr)
        sys.exit(1)


for turn in range(times):
    whole = subprocess.Popen([program, "card", "-q", "-a", "G92", "--log", f"mmiotrace={folder}/log", "-o", f"{folder}/report", "--",
                              "sh", "-c", TREE], stderr=subprocess.DEVNULL)
    if turn % 2:  # else all of them are there, but for some turns
        time.sleep(random.random() * 0.1)
    else:
        for _ in range(500):
            if len(children(whole.pid)) >= 6:
                break
            time.sleep(0.01)
        time.sleep(random.random() * 0.02)
    tree = {pid: began(pid) for pid in [whole.pid, *children(whole.pid)]}
    victim = random.choice(list(tree))
    first = victim in (whole.pid, *list(tree)[1:3])  # pcounter, its keeper, the command: all end
    os.kill(victim, signal.SIGKILL)
    if not first:
        time.sleep(0.02)
        check(f"turn {turn}: a child was killed, and all ended", whole.poll() is None)
        whole.terminate()
    whole.wait(timeout=20)
    end = time.monotonic() + 10
    tree.update({pid: began(pid) for pid in children(whole.pid)})
    while any(alive(pid, at) for pid, at in tree.items() if at) and time.monotonic() < end:
        time.sleep(0.005)
    left = [pid for pid, at in tree.items() if at and alive(pid, at)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    check(f"turn {turn}: processes are left: {left}", not left)
    def names():
        return [name for name in os.listdir(folder) if name not in ("log", "report")]
    while names() and time.monotonic() < end:  # a process that was not there yet takes them away
        time.sleep(0.005)
    check(f"turn {turn}: files are left: {names()}", not names())
    with open("/proc/mounts") as file:
        check(f"turn {turn}: a mount is left", "pcounter" not in file.read())
    check(f"turn {turn}: a socket is left", sockets() == 0)
print(f"{times} turns")
