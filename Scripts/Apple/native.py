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
    result = run([CLANG, "-target", triple, "-isysroot", SDK, "-c", *WARNINGS, "-I", SOURCES / "include", source, "-o", out])
    return [line.removeprefix(f"{ROOT}/") for line in result.stderr.splitlines() if ": error: " in line or "fatal error" in line]


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


def check_all():
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(C_TARGETS, pool.map(check, C_TARGETS)))
