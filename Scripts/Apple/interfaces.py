"""The standard library and Foundation for Apple's platforms, compiled from what the toolchain has as text.

The standard library comes with textual interfaces, whose availability is that of Apple's platforms. Foundation's is written out of the
toolchain's binary module by `swift-synthesize-interface`; what it cannot say is left out, and counted. What Apple's Foundation has
besides is declared in Overlays, as Apple documents it.
"""

import re
import shutil

from headers import MAPS, SDK
from targets import LIBRARIES
from toolchain import FRONTEND, HERE, TOOLCHAIN, WORK, Failure, is_current, note_current, run, say, stamp, version

SHIMS = TOOLCHAIN / "lib/swift/shims"
LINUX = TOOLCHAIN / "lib/swift/linux"
# A type that the compiler asks for as soon as there is Objective-C, and that the standard library of Linux has not.
AUTORELEASING = """
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  public init(_ _rawValue: Builtin.RawPointer)
  public var pointee: Pointee { get nonmutating set }
}
@available(*, unavailable)
extension Swift.AutoreleasingUnsafeMutablePointer : Swift.Sendable {}
"""
STANDARD = ("Swift", "SwiftOnoneSupport", "_Concurrency", "_Builtin_float", "_StringProcessing", "Observation")
#: The overlays below the frameworks, each after those that it needs.
OVERLAYS = ("ObjectiveC", "Darwin", "CoreFoundation", "Foundation")
INTEROPERATION = ["-enable-objc-interop", "-disable-objc-attr-requires-foundation-module"]
DECLARES = re.compile(r"\b(func|var|let|init|subscript|struct|class|enum|extension|protocol|typealias|case)\b")


def common(library, triple=None):
    """What every call of the compiler for a library's platform has."""
    return [
        "-target", triple or LIBRARIES[library], *INTEROPERATION, "-I", WORK / library, "-I", MAPS, "-I", SHIMS, "-sdk", SDK,
    ]


class Text:
    """A textual interface on its way to being one that compiles."""

    def __init__(self, library, name, lines):
        self.library, self.name, self.lines, self.left_out = library, name, lines, 0
        self.path = WORK / library / "text" / f"{name}.swiftinterface"

    def compile(self, *flags, prunes=False):
        for _ in range(20):
            self.path.write_text("\n".join(self.lines))
            result = run(
                FRONTEND + ["-compile-module-from-interface", self.path, "-o", WORK / self.library / f"{self.name}.swiftmodule",
                 "-module-name", self.name, "-disable-availability-checking", *common(self.library), *flags])
            if result.returncode == 0:
                break
            if not prunes or not self.prune(result.stderr):
                raise Failure(f"{self.name} does not compile for {self.library}: {result.stderr[:1500]}")
        if self.left_out:
            say(f"{self.name} for {self.library}: {self.left_out} of {len(self.lines) + self.left_out} lines cannot be said as text")

    def prune(self, errors):
        """Removes the declarations that the errors are about; false when there are none."""
        places = re.findall(re.escape(self.path.name) + r":(\d+):\d+: error:", errors)
        numbers = sorted({int(place) - 1 for place in places}, reverse=True)
        before = self.left_out
        for number in numbers:
            if 2 < number < len(self.lines) and self.lines[number].strip() not in ("", "}"):
                self.remove(number)
        return self.left_out > before

    def remove(self, number):
        first = last = number
        while self.lines[last].strip().startswith("@") and not DECLARES.search(self.lines[last]):
            last += 1
        depth = self.lines[last].count("{") - self.lines[last].count("}")
        while depth > 0:
            last += 1
            depth += self.lines[last].count("{") - self.lines[last].count("}")
        while first > 3 and self.lines[first - 1].strip().startswith("@") and not DECLARES.search(self.lines[first - 1]):
            first -= 1
        self.left_out += last - first + 1
        del self.lines[first : last + 1]


# MARK: The standard library


def standard(library, name):
    """As it is there, without Objective-C, but for the target: it knows no Glibc, and some bodies call what only Linux's library has."""
    text = next((LINUX / f"{name}.swiftmodule").glob("*-linux-gnu.swiftinterface")).read_text()
    text = re.sub(r"-target \S+-linux-gnu", f"-target {LIBRARIES[library]}", text)
    text = text.replace("import Glibc", "import Darwin")
    for call in ("_stdlib_remainderl(self, other)", "_stdlib_squareRootl(self)"):
        text = text.replace(f"self = {call}", "fatalError()")
    # Bodies for systems before these functions: there are two of each then.
    text += AUTORELEASING if name == "Swift" else ""
    return [line for line in text.split("\n") if "@backDeployed(before" not in line]


# MARK: Foundation

# What the printed interface says in another way than Apple's Foundation, and in the way of Objective-C. In each, the group is replaced.
REWRITTEN = (
    # Asked for by `#selector(getter:)`, which wants what Objective-C sees.
    (r"^    open var protocolClasses: ", r"    @objc open var protocolClasses: "),
    (r"^(    )(public enum (?:AuthChallengeDisposition|ResponseDisposition|CloseCode) : Int)", r"\1@objc \2"),
    (r"^    public enum DelayedRequestDisposition : Sendable", r"    @objc public enum DelayedRequestDisposition : Int, Sendable"),
)
# Declared in Overlays instead: NSObject is the root class of Objective-C there, and only its protocols have optional methods.
REPLACED = re.compile(
    r"^public protocol (?:URLSession(?:Data|Task|Download|Stream|WebSocket)?Delegate|StreamDelegate)\b"
    r"|^extension (?:URLSession(?:Data|Task|Download|Stream|WebSocket)?Delegate|NSObjectProtocol|StreamDelegate|NSObject)\b"
    r"|^public typealias NSRange\b|^open class NSObject :|^public protocol NSObjectProtocol\b")


def printed(module):
    """A module of the toolchain as text, without comments."""
    result = run([TOOLCHAIN / "bin/swift-synthesize-interface", "-module-name", module, "-target", "x86_64-unknown-linux-gnu"])
    lines = [line for line in result.stdout.split("\n") if not line.startswith("import ") and not line.lstrip().startswith("///")]
    return without(lines, REPLACED)


def without(lines, pattern):
    """Without the declarations at the outermost level that begin so."""
    kept, skipping = [], False
    for line in lines:
        if skipping:
            skipping = line != "}"
        elif pattern.match(line):
            skipping = line.rstrip().endswith("{")
            while kept and kept[-1].startswith("@"):
                kept.pop()
        else:
            kept.append(line)
    return kept


def as_apples(lines):
    for line in lines:
        line = re.sub(r"\b(private|fileprivate|internal)\(set\) ", "", line)
        for pattern, replacement in REWRITTEN:
            line = re.sub(pattern, replacement, line)
        if re.search(r"\bsubscript\s*[<(]", line) and "{" not in line:
            line += " { get }"
        if re.search(r"\boverride\b.*\bvar \w+: [^{=]+$", line):
            line += " { get set }"
        yield line


def foundation(library, module, name, imports):
    lines = [
        "// swift-interface-format-version: 1.0", f"// swift-compiler-version: {version()}",
        f"// swift-module-flags: -target {LIBRARIES[library]} {' '.join(INTEROPERATION)} -module-name {name} -swift-version 5"
        " -enable-library-evolution -enable-experimental-feature Lifetimes",
    ]
    lines += [f"@_exported import {imported}" for imported in imports] + list(as_apples(printed(module)))
    fragment = HERE / "Overlays" / f"{name}.swiftinterface"
    if fragment.exists():
        lines += fragment.read_text().split("\n")
    text = Text(library, name, lines)
    text.compile(prunes=True)


def prepare(library, mark, compile_overlay):
    """Everything below the frameworks, unless it is there. `compile_overlay` makes a module of a folder in Overlays."""
    place = WORK / library
    below = [path for path in sorted((HERE / "Overlays").iterdir()) if path.name in OVERLAYS or path.is_file()]
    mark = stamp(mark, HERE / "interfaces.py", *below, version())
    if is_current(place, mark):
        return
    say(f"compiling the standard library and Foundation for {LIBRARIES[library]}; they are kept in {place.relative_to(WORK.parent.parent)}")
    kept = stamp(HERE / "interfaces.py", version())
    if not is_current(place / "text", kept):
        shutil.rmtree(place, ignore_errors=True)
        (place / "text").mkdir(parents=True)
        for name in STANDARD:
            Text(library, name, standard(library, name)).compile("-disable-objc-interop", *(["-parse-stdlib"] if name == "Swift" else []))
        note_current(place / "text", kept)
    compile_overlay(OVERLAYS[0])
    foundation(library, "FoundationEssentials", "FoundationEssentials", ["Darwin"])
    foundation(library, "FoundationInternationalization", "FoundationInternationalization", ["FoundationEssentials"])
    foundation(library, "Dispatch", "Dispatch", [])
    foundation(library, "Foundation", "_FoundationCore",
               ["Darwin", "ObjectiveC", "Dispatch", "FoundationEssentials", "FoundationInternationalization"])
    # Its own module on Linux, part of Foundation at Apple: so that canImport(FoundationNetworking) is false.
    foundation(library, "FoundationNetworking", "_FoundationNetworking", ["_FoundationCore"])
    for name in OVERLAYS[1:]:
        compile_overlay(name)
    note_current(place, mark)
