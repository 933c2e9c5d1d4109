"""The lines that no configuration compiles: neither one of Linux nor one of the targets that are checked."""

import re

from native import compiler
from targets import LINUX_C, SDK as MODULES, TARGETS
from toolchain import CLANG, HERE, ROOT, Failure, run

NOTE = HERE / "UNCOMPILED.md"
LINUX = {"os": {"Linux"}, "arch": {"x86_64"}, "targetEnvironment": set(),
         "canImport": {"FoundationNetworking", "Glibc", "CAutoMobileSQLite", "Foundation", "Dispatch"}, "flags": {"DEBUG"}}
EVERYWHERE = {"Darwin", "ObjectiveC", "SQLite3", "MachO", "CoreFoundation", "Foundation", "Dispatch", "os"}
DIRECTIVE = re.compile(r"^\s*#(if|elseif|else|endif)\b(.*?)(?://.*)?$")


def configurations():
    """What is true in each."""
    yield LINUX
    standins = {name for target in TARGETS for name in target.frameworks if (ROOT / "StandIns" / name).exists()}
    yield {**LINUX, "canImport": LINUX["canImport"] | standins | {"CJPEG"}}
    for target in TARGETS:
        hidden = {"UIKit"} if target.library == "macos" else set()
        yield {
            "os": {"macOS" if target.library == "macos" else "iOS"}, "arch": {target.triple.split("-")[0]},
            "targetEnvironment": {"simulator"} if "simulator" in target.triple else {"macCatalyst"} if "macabi" in target.triple else set(),
            "canImport": EVERYWHERE | set(target.frameworks) - hidden, "flags": set(target.flags),
        }


def holds(condition, configuration):
    text = re.sub(r"\b(os|arch|targetEnvironment|canImport)\((\w+)\)",
                  lambda found: str(found[2] in configuration[found[1]]), condition)
    text = text.replace("&&", " and ").replace("||", " or ")
    text = re.sub(r"!", " not ", text)
    names = set(re.findall(r"\b[A-Za-z_]\w*\b", text)) - {"and", "or", "not", "True", "False"}
    return bool(eval(text, {"__builtins__": {}}, {name: name in configuration["flags"] for name in names}))


def swift_lines(lines, configuration):
    """The numbers of the lines that are compiled, directives not among them."""
    seen, branches = set(), []
    for number, line in enumerate(lines):
        found = DIRECTIVE.match(line)
        if not found:
            if all(active for active, _ in branches):
                seen.add(number)
            continue
        kind, condition = found[1], found[2].strip()
        if kind == "if":
            value = holds(condition, configuration)
            branches.append((value, value))
        elif kind == "endif":
            branches.pop()
        else:
            _, taken = branches.pop()
            value = not taken and (kind == "else" or holds(condition, configuration))
            branches.append((value, taken or value))
    return seen


def c_lines(source, include, compile):
    """The numbers of the lines that the preprocessor leaves."""
    result = compile("-E", "-DAM_JOURNAL_HOOKS", "-I", include, source)
    if result.returncode:
        raise Failure(f"{source} cannot be preprocessed: {result.stderr[-300:]}")
    seen, number, inside = set(), 0, False
    for line in result.stdout.split("\n"):
        marker = re.match(r'# (\d+) "([^"]*)"', line)
        if marker:
            number, inside = int(marker[1]) - 1, marker[2] == str(source)
            continue
        if inside and line.strip():
            seen.add(number)
        number += 1
    return seen


def is_code(line):
    text = line.strip()
    return bool(text) and not text.startswith(("//", "///", "#", "*", "/*")) and text not in ("}", "{", ")")


def uncompiled():
    """How many lines of code no configuration compiles, by file."""
    counts = {}
    known = list(configurations())
    for module in MODULES:
        for file in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            lines = file.read_text().split("\n")
            seen = set().union(*(swift_lines(lines, configuration) for configuration in known))
            counts[file] = sum(number not in seen and is_code(line) and not DIRECTIVE.match(line) for number, line in enumerate(lines))
    folder = ROOT / "Sources/CAutoMobile"
    for file in sorted(folder.rglob("*.c")):
        lines = file.read_text().split("\n")
        seen = c_lines(file, folder / "include", lambda *arguments: run([CLANG, *arguments]))
        for triple in ("arm64-apple-ios15.0", "x86_64-apple-macos12.0", LINUX_C):
            seen |= c_lines(file, folder / "include", compiler(triple))
        # The preprocessor joins what goes over several lines, such as the arguments of a macro.
        seen |= {number + more for number in seen for more in (1, 2, 3)}
        counts[file] = sum(number not in seen and is_code(line) for number, line in enumerate(lines))
    return {str(file.relative_to(ROOT)): count for file, count in counts.items() if count}


def allowed():
    """The number that is written down."""
    return int(re.search(r"\*\*(\d+)\*\* lines", NOTE.read_text())[1])
