"""The Debian package."""
import re
import shutil

from common import OUT, machine, output, run, say, version

# What brings each library that a program may be linked with.
PACKAGES = {"libc.so": "libc6", "libm.so": "libc6", "ld-linux": "libc6", "libstdc++.so": "libstdc++6", "libgcc_s.so": "libgcc-s1",
            "libsqlite3.so": "libsqlite3-0", "libz.so": "zlib1g"}

DESCRIPTION = """\
Description: flight recorder for apps: collects what apps record, and shows it
 One program with an embedded database: apps that use the AutoMobile SDK
 deliver to it what happened in them, and it shows that in a web viewer and
 on the command line: screens, taps, requests, logs, hangs, crashes, replays.
 .
 `automobile serve` starts the collector, `automobile demo` shows all of it
 with an app that comes with the sources.
"""


def needed(binary):
    return re.findall(r"NEEDED +(\S+)", output("objdump", "-p", binary))


def newest(binary, symbol):
    """The newest version of the C library that it asks for."""
    found = re.findall(rf"\b{symbol}_(\d+(?:\.\d+)+)", output("objdump", "-T", binary))
    return max(found, key=lambda text: [int(part) for part in text.split(".")])


def depends(binary):
    packages = set()
    for library in needed(binary):
        package = next((package for name, package in PACKAGES.items() if library.startswith(name)), None)
        if package is None:
            say(f"{library} is in no package that is known: the program is not self-contained")
        elif package == "libc6":
            packages.add(f"libc6 (>= {newest(binary, 'GLIBC')})")
        else:
            packages.add(package)
    return ", ".join(sorted(packages))


def build(root):
    tree = OUT / "deb"
    shutil.copytree(root, tree)
    tool = tree / "usr/bin/automobile"
    size = sum(file.stat().st_size for file in tree.rglob("*") if file.is_file())
    control = "\n".join([
        "Package: automobile", f"Version: {version()}", f"Architecture: {machine()}", "Section: devel", "Priority: optional",
        "Maintainer: The AutoMobile maintainers <maintainers@automobile.invalid>", f"Installed-Size: {-(-size // 1024)}",
        f"Depends: {depends(tool)}", "Recommends: ca-certificates", DESCRIPTION])
    (tree / "DEBIAN").mkdir(mode=0o755)
    (tree / "DEBIAN" / "control").write_text(control)
    file = OUT / f"automobile_{version()}_{machine()}.deb"
    run("dpkg-deb", "--build", "--root-owner-group", "-Zxz", tree, file, stdout=-3)
    shutil.rmtree(tree)
    return file
