"""Servers that a test starts: they end with it, however it ends."""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 300


def find(name):
    """A program by its name, in the places where Debian has it."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    for folder in [*versions, *os.environ["PATH"].split(":"), "/usr/sbin"]:
        if os.access(found := Path(folder) / name, os.X_OK):
            return str(found)
    sys.exit(f"{name} is not installed: run Scripts/setup test")


def until(what, condition, patience=PATIENCE):
    deadline = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.1)
    return found


def end_with_this():
    """Said by a process that is started: it ends with this program, however that ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Process:
    """One that runs in the folder that is given, and writes what it has to say into a file there."""

    def __init__(self, command, folder, user=None):
        self.log = Path(folder) / "log"
        known = pwd.getpwnam(user) if user and os.geteuid() == 0 else None

        def prepare():
            if known:
                os.setgroups([])
                os.setgid(known.pw_gid)
                os.setuid(known.pw_uid)
            end_with_this()

        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=prepare)

    @property
    def runs(self):
        return self.process.poll() is None

    def said(self):
        return self.log.read_text(errors="replace")[-2000:]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self, signal=signal.SIGTERM):
        self.process.send_signal(signal)
        self.process.wait()


def give(folder, user):
    """The folder belongs to whoever a server runs as."""
    if os.geteuid() == 0:
        shutil.chown(folder, user)
