"""Where things are: the compilers, and what is made of them below .build/apple."""

import hashlib
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
WORK = ROOT / ".build/apple"
ZIGLANG = "ziglang==0.17.1"


class Failure(Exception):
    """What the gate cannot go on after; its text says why."""


def find_toolchain():
    compiler = shutil.which("swiftc")
    if not compiler:
        raise Failure("swiftc is not on the PATH: https://www.swift.org/install")
    return pathlib.Path(compiler).resolve().parents[1]


TOOLCHAIN = find_toolchain()
FRONTEND = [str(TOOLCHAIN / "bin/swiftc"), "-frontend"]
CLANG = str(TOOLCHAIN / "bin/clang")


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)


def say(text):
    print(f"check-apple: {text}", file=sys.stderr, flush=True)


def stamp(*things):
    """Changes when one of the things does: files, folders, or words."""
    digest = hashlib.sha256()
    for thing in things:
        files = [thing] if not isinstance(thing, pathlib.Path) else [thing] if thing.is_file() else sorted(thing.rglob("*"))
        for file in files:
            is_file = isinstance(file, pathlib.Path) and file.is_file() and "__pycache__" not in file.parts
            digest.update(file.read_bytes() if is_file else str(file).encode())
    return digest.hexdigest()


def is_current(place, mark):
    """Whether what is in a folder was made of these very things."""
    note = place / "made-of"
    return note.exists() and note.read_text() == mark


def note_current(place, mark):
    (place / "made-of").write_text(mark)


def version():
    return run([TOOLCHAIN / "bin/swiftc", "--version"]).stdout.split("\n")[0]
