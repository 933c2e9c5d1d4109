"""Swift modules: overlays, stand-ins and the SDK's, checked for one target."""

import re
import shutil

import availability
from interfaces import common
from targets import EXAMPLE_TRIPLE
from toolchain import FRONTEND, HERE, ROOT, TOOLCHAIN, WORK, run

# `Double` and `CGFloat` convert into each other without a word at Apple's. The compiler knows only Core Graphics' CGFloat for that, and
# that of Linux is Foundation's.
CONVERTED = re.compile(r"cannot convert value of type '(?:Double|CGFloat)' to expected argument type '(?:Double|CGFloat)'")
ERROR = re.compile(r"^(\S+?:\d+:\d+: (?:error|warning): .*)", re.M)


class Modules:
    """The modules of one target, each seeing those before it."""

    def __init__(self, target):
        self.target = target
        self.place = WORK / "targets" / target.name.replace(" ", "-").replace(",", "").lower()
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir(parents=True)

    def check(self, name, sources, *flags, package="AutoMobile", triple=None):
        """Makes the module, and then checks all of its code if it is the project's. Returns the errors, a line each."""
        return check(
            self.target.library, triple or self.target.triple, self.place, name, sources, *flags, package=package)

    def framework(self, name):
        overlay = HERE / "Overlays" / name
        if overlay.exists() and not (ROOT / "StandIns" / name).exists():
            return self.check(name, sorted(overlay.rglob("*.swift")), package="Overlays")
        alias, module = [], name
        if self.target.library == "macos":
            # A Mac has SwiftUI and no UIKit, on which the stand-in is built: that goes by another name.
            alias = ["-module-alias", "UIKit=StandInViews"]
            module = "StandInViews" if name == "UIKit" else name
        sources = availability.annotated(ROOT / "StandIns" / name, self.place / "standins" / name)
        extra = sorted(overlay.rglob("*.swift")) if overlay.exists() else []
        return self.check(module, sources + extra, "-disable-availability-checking", "-enable-library-evolution", *alias, package="StandIns")

    def project(self, name, sources, *flags, triple=None):
        defined = [word for flag in self.target.flags for word in ("-D", flag)]
        return self.check(name, sorted(sources.rglob("*.swift")), *defined, *flags, triple=triple)

    def example(self, name, sources):
        """With the macros that it uses, of SwiftUI and of Observation."""
        return self.project(name, sources, "-plugin-path", TOOLCHAIN / "lib/swift/host/plugins", triple=EXAMPLE_TRIPLE)


def check(library, triple, place, name, sources, *flags, package):
    base = [
        "-parse-as-library", "-package-name", package, "-swift-version", "6", "-module-name", name, *common(library, triple),
        "-I", place, "-enable-testing", *flags,
    ]
    result = run(
        FRONTEND + ["-emit-module", "-experimental-skip-all-function-bodies", *base, *sources, "-o", place / f"{name}.swiftmodule"])
    # What frameworks do is seen on Linux; of what is ours, every line.
    if package == "AutoMobile":
        result = run(FRONTEND + ["-typecheck", *base, *sources])
    said = {line.removeprefix(f"{ROOT}/") for line in ERROR.findall(result.stderr)}
    errors = sorted(line for line in said if ": error: " in line and not CONVERTED.search(line))
    if result.returncode and not said:
        errors = [f"{name}: the compiler ended with {result.returncode}: {result.stderr[-300:]}"]
    return errors


def overlay(library):
    """Compiles an overlay into the library's own modules."""

    def compile_overlay(name):
        underlying = ["-import-underlying-module"] if name in ("Darwin", "ObjectiveC") else []
        sources = sorted((HERE / "Overlays" / name).rglob("*.swift"))
        errors = check(library, None, WORK / library, name, sources, *underlying, package="Overlays")
        if errors:
            raise SystemExit("\n".join(errors))

    return compile_overlay
