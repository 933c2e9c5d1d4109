"""The C of the SDK for each architecture, without a warning; for Macs also linked against libSystem."""

import os
from concurrent.futures import ThreadPoolExecutor

from headers import SDK
from targets import C_TARGETS, LINKED
from toolchain import CLANG, ROOT, WORK, run

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
SOURCES = ROOT / "Sources/CAutoMobile"


def compile_one(triple, source, place):
    out = place / f"{source.stem}.o"
    return errors(run([CLANG, "-target", triple, "-isysroot", SDK, "-c", *WARNINGS, "-I", SOURCES / "include", source, "-o", out]))


def errors(result):
    """What clang says of a file, a line each."""
    found = [line.removeprefix(f"{ROOT}/") for line in result.stderr.splitlines() if ": error: " in line or "fatal error" in line]
    return found or ([f"the compiler ended with {result.returncode}: {result.stderr[-300:]}"] if result.returncode else [])


def link(triple, objects, place):
    """Everything that is called is there, in libSystem or here."""
    command = [WORK / "python/bin/python", "-m", "ziglang", "cc", "-target", LINKED[triple], "-shared", "-o", place / "linked.dylib"]
    result = run(command + objects, env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(WORK / "zig"), "ZIG_LOCAL_CACHE_DIR": str(WORK / "zig")})
    return [line for line in result.stderr.splitlines() if "error:" in line] or (["the linker failed"] if result.returncode else [])


def check(triple):
    """What is wrong with the C for one architecture."""
    place = WORK / "c" / triple
    place.mkdir(parents=True, exist_ok=True)
    found = []
    sources = sorted(SOURCES.glob("*.c"))
    for source in sources:
        found += compile_one(triple, source, place)
    if not found and triple in LINKED:
        found = link(triple, [place / f"{source.stem}.o" for source in sources], place)
    return found


def in_parallel(check, triples):
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(triples, pool.map(check, triples)))


def check_all():
    return in_parallel(check, C_TARGETS)
