"""One package with an app for each of the SDK's products, built once."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / ".build" / "size"
SCRATCH = PACKAGE / ".build"
NOTHING, EVERYTHING = "nothing", "everything"

# Without -function-sections, a file of which anything is used stays as a whole. lld writes the map that is read here.
FLAGS = ["-Xswiftc", "-Xfrontend", "-Xswiftc", "-function-sections", "-Xswiftc", "-use-ld=lld"]
# What Apple's linker does to a release build, and lld does when it is asked: equal functions are there once, and what has to be put
# right when the app is loaded takes two bits a place and not 24 bytes.
AS_SHIPPED = ["-Xlinker", "--icf=all", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]


def products():
    """The library products of the SDK."""
    package = json.loads(subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    return [product["name"] for product in package["products"] if "library" in product["type"]]


def executable(name):
    return "app-" + name


def target(name, dependencies):
    uses = ", ".join(f'.product(name: "{product}", package: "AutoMobile")' for product in dependencies)
    linked = f'.unsafeFlags(["-Xlinker", "-Map={SCRATCH / executable(name)}.map"])'
    return f'    .executableTarget(name: "{executable(name)}", dependencies: [{uses}], linkerSettings: [{linked}]),'


def source(uses):
    """An app that does something itself, so that what it would have anyway is not counted for the SDK."""
    imports = "".join(f"import {product}\n" for product in uses)
    calls = "".join(use + "\n" for use in uses.values() if use)
    return f"import Foundation\n{imports}\nprint(Date(), ProcessInfo.processInfo.arguments.count)\n{calls}"


def write_if_new(path, text):
    """An unchanged file is not built again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def build(uses, together):
    """The apps by name, as they are shipped and linked plainly: without the SDK, with each product, with all of them.

    `uses`: a statement for each product, or nil; `together`: the products that one is used with.
    """
    with_others = {name: {name: use} | dict.fromkeys(together.get(name, [])) for name, use in uses.items()}
    variants = {NOTHING: {}} | with_others | {EVERYTHING: uses}
    manifest = "\n".join([
        "// swift-tools-version: 6.0", "import PackageDescription", "", "let package = Package(", '  name: "size",',
        "  platforms: [.macOS(.v12)],", f'  dependencies: [.package(name: "AutoMobile", path: "{ROOT}")],', "  targets: [",
        *(target(name, variant) for name, variant in variants.items()), "  ],", "  swiftLanguageModes: [.v6])", ""])
    write_if_new(PACKAGE / "Package.swift", manifest)
    wanted = {executable(name) for name in variants}
    for directory in (PACKAGE / "Sources").glob("*"):
        if directory.name not in wanted:
            shutil.rmtree(directory)
    for name, variant in variants.items():
        write_if_new(PACKAGE / "Sources" / executable(name) / "main.swift", source(variant))
    plain = linked(variants, [], SCRATCH / "plain")
    return linked(variants, AS_SHIPPED, SCRATCH / "shipped"), plain


def linked(variants, linking, directory):
    """Builds, and keeps the apps in a directory; only the linking is done anew when that is all that differs."""
    directory.mkdir(parents=True, exist_ok=True)
    environment = {key: value for key, value in os.environ.items() if key != "AUTOMOBILE_STANDINS"}
    command = ["swift", "build", "-c", "release", "--package-path", str(PACKAGE), "--scratch-path", str(SCRATCH), *FLAGS, *linking]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(done.stdout)
    binaries = {name: directory / executable(name) for name in variants}
    for binary in binaries.values():
        shutil.copy2(SCRATCH / "release" / binary.name, binary)
        shutil.copyfile(SCRATCH / f"{binary.name}.map", binary.with_suffix(".map"))
    return binaries


def start(binary):
    """Runs an app once, in a home of its own: what was left out must not be missed."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [binary], env={"HOME": home, "PATH": os.environ.get("PATH", ""), "SWIFT_BACKTRACE": "enable=no"}, cwd=home, timeout=60,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(f"size: {binary.name} ended with {done.returncode}\n{done.stdout}")


def of_ours(path):
    """`…/AutoMobileSDK.build/Encoding/Escaping.swift.o` is `AutoMobileSDK/Encoding/Escaping.swift`; nil for what is not ours."""
    match = re.search(r"([^/]+)\.build/(.+)\.o$", path)
    return f"{match[1]}/{match[2]}" if match else None
