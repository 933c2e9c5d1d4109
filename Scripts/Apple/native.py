"""The C of the SDK for each architecture, Linux's other one among them, without a warning; for Macs also linked against libSystem."""

import os
from concurrent.futures import ThreadPoolExecutor

from headers import SDK
from targets import C_TARGETS, LINKED, LINUX_C
from toolchain import CLANG, ROOT, WORK, run

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
SOURCES = ROOT / "Sources/CAutoMobile"


def zig(triple, *arguments):
    """Runs zig's clang, which brings the headers and libraries of its targets along."""
    folders = {"ZIG_GLOBAL_CACHE_DIR": str(WORK / "zig"), "ZIG_LOCAL_CACHE_DIR": str(WORK / "zig")}
    command = [WORK / "python/bin/python", "-m", "ziglang", "cc", "-target", triple]
    return run([*command, *arguments], env={**os.environ, **folders})


def compiler(triple):
    """Runs the compiler for a target: zig's where the toolchain has no headers for it."""
    if triple == LINUX_C:
        return lambda *arguments: zig(triple, *arguments)
    return lambda *arguments: run([CLANG, "-target", triple, "-isysroot", SDK, *arguments])


def compile_one(triple, source, place):
    out = place / f"{source.stem}.o"
    return errors(compiler(triple)("-c", *WARNINGS, "-I", SOURCES / "include", source, "-o", out))


def errors(result):
    """What clang says of a file, a line each."""
    found = [line.removeprefix(f"{ROOT}/") for line in result.stderr.splitlines() if ": error: " in line or "fatal error" in line]
    return found or ([f"the compiler ended with {result.returncode}: {result.stderr[-300:]}"] if result.returncode else [])


def link(triple, objects, place):
    """Everything that is called is there, in libSystem or here."""
    result = zig(LINKED[triple], "-shared", "-o", place / "linked.dylib", *objects)
    return [line for line in result.stderr.splitlines() if "error:" in line] or (["the linker failed"] if result.returncode else [])


def check(triple):
    """What is wrong with the C for one architecture."""
    place = WORK / "c" / triple
    place.mkdir(parents=True, exist_ok=True)
    found = []
    sources = sorted(SOURCES.rglob("*.c"))
    for source in sources:
        found += compile_one(triple, source, place)
    if not found and triple in LINKED:
        found = link(triple, [place / f"{source.stem}.o" for source in sources], place)
    return found


def in_parallel(check, triples):
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(triples, pool.map(check, triples)))


def check_all():
    return in_parallel(check, (*C_TARGETS, LINUX_C))
