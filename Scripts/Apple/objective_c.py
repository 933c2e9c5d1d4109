"""The Objective-C of the SDK for each architecture, without a warning, and its twin in Overlays against the real headers."""

import json
import re

from headers import OBJECTIVE_C_HEADERS, SDK
from native import WARNINGS, errors, in_parallel
from targets import C_TARGETS
from toolchain import CLANG, HERE, ROOT, WORK, run

SOURCES = ROOT / "Sources/AutoMobileErrorBarrier"
TWIN = HERE / "Overlays/AutoMobileErrorBarrier/AutoMobileErrorBarrier.swift"
# As Apple's builds have it; exceptions of other languages are caught, too.
LANGUAGE = ["-fobjc-arc", "-fblocks", "-fexceptions", "-fobjc-exceptions"]


def command(triple):
    return [CLANG, "-target", triple, "-isysroot", SDK, "-isystem", OBJECTIVE_C_HEADERS, "-I", SOURCES / "include", *LANGUAGE]


def check(triple):
    """What is wrong with it for one architecture. Not linked: nobody publishes what Foundation's library has."""
    place = WORK / "objective-c" / triple
    place.mkdir(parents=True, exist_ok=True)
    return errors(run([*command(triple), "-c", *WARNINGS, *sorted(SOURCES.glob("*.m"))], cwd=place))


def check_all():
    return in_parallel(check, C_TARGETS)


# MARK: The twin

# What the importer makes of a type; a pointer to a class is the class.
IMPORTED = {
    "BOOL": "Bool", "Class": "AnyClass", "SEL": "Selector", "id": "Any", "void": "Void", "uint64_t": "UInt64",
    "const char *": "UnsafePointer<CChar>", "void *": "UnsafeMutableRawPointer", "NSString *": "String",
    "NSArray<NSNumber *> *": "[NSNumber]",
}
CALLABLE = re.compile(r"^(.*?) ?\(([*^]) ?(_Nonnull|_Nullable)?\)\((.*)\)$")
OWNERSHIP = re.compile(r" ?(__strong|__unsafe_unretained|__autoreleasing)\b")


class Importer:
    """Says declarations of the headers as Swift does, without the names of parameters."""

    def __init__(self, declarations):
        self.callables = {each["name"]: each["type"]["qualType"] for each in declarations if each["kind"] == "TypedefDecl"}

    def type(self, text, is_parameter=False):
        text = re.sub(r" +", " ", OWNERSHIP.sub("", text)).strip()
        stays = "__attribute__((noescape))" in text
        text = text.replace("__attribute__((noescape)) ", "")
        optional = text.endswith("_Nullable")
        text = re.sub(r" _(Nonnull|Nullable)$", "", text)
        found = CALLABLE.match(self.callables.get(text, text))
        if not found:
            return IMPORTED.get(text, text.removesuffix(" *")) + "?" * optional
        optional = optional or found[3] == "_Nullable"
        taken = "" if found[4] == "void" else ", ".join(map(self.type, re.split(r",(?![^(]*\))", found[4])))
        said = f"({taken}) -> {self.type(found[1])}"
        if found[2] == "*":
            said = f"@convention(c) {said}"
        elif is_parameter and not optional and not stays:
            said = f"@escaping {said}"
        return f"({said})?" if optional else said

    def function(self, declaration):
        kept = [each for each in declaration.get("inner", ()) if each["kind"] == "ParmVarDecl"]
        escapes = re.findall("noescape", declaration["type"]["qualType"])
        parameters = []
        for each in kept:
            text = each["type"]["qualType"]
            # The attribute is with the function's type alone.
            parameters.append("_: " + self.type("__attribute__((noescape)) " * bool(escapes and "^" in text) + text, is_parameter=True))
        result = self.type(re.match(r"(.*?) ?\(", declaration["type"]["qualType"])[1])
        return f"func {declaration['name']}({', '.join(parameters)})" + (f" -> {result}" if result != "Void" else "")

    def members(self, interface):
        name = interface["name"]
        sendable = any(each["kind"] == "SwiftAttrAttr" for each in interface["inner"])
        yield f"class {name}: {interface['super']['name']}" + ", Sendable" * sendable
        for each in interface["inner"]:
            if each["kind"] == "ObjCPropertyDecl":
                yield f"{name}: {'class ' * each.get('class', False)}var {each['name']}: {self.type(each['type']['qualType'])}"
            elif each["kind"] == "ObjCMethodDecl" and each["name"].startswith("initWith"):
                labels = each["name"].removesuffix(":").split(":")
                labels[0] = labels[0][8].lower() + labels[0][9:]
                taken = [part["type"]["qualType"] for part in each["inner"] if part["kind"] == "ParmVarDecl"]
                parts = (f"{label}: {self.type(text, is_parameter=True)}" for label, text in zip(labels, taken))
                yield f"{name}: init({', '.join(parts)})"


def imported():
    """What the headers declare."""
    flags = ["-x", "objective-c", "-fsyntax-only", "-Xclang", "-ast-dump=json"]
    result = run([*command(C_TARGETS[0]), *flags, SOURCES / "include/AutoMobileErrorBarrier.h"])
    declarations = [each for each in json.loads(result.stdout)["inner"] if each.get("name", "").startswith("AM")]
    importer = Importer(declarations)
    for each in declarations:
        if each["kind"] == "FunctionDecl":
            yield importer.function(each)
        elif each["kind"] == "TypedefDecl":
            yield f"typealias {each['name']} = {importer.type(each['type']['qualType'])}"
        elif each["kind"] == "ObjCInterfaceDecl" and "inner" in each:
            yield from importer.members(each)


def twin():
    """What the twin declares, in the same words."""
    owner, aliases = "", {}
    for line in TWIN.read_text().split("\n"):
        found = re.match(r"\s*(?:@discardableResult )?(?:public |open |final )+(.*?)\s*(?:\{.*)?$", line)
        if not found:
            owner = "" if line == "}" else owner
            continue
        text = re.sub(r"\b(?!var |class )(\w+) \w+:", r"\1:", found[1])
        for name, meaning in aliases.items():
            text = re.sub(rf"\b{name}\?", f"({meaning})?", text)
        if alias := re.match(r"typealias (\w+) = (.*)", text):
            aliases[alias[1]] = alias[2]
        if text.startswith("class AM"):
            owner = re.match(r"class (\w+)", text)[1]
            yield text
        else:
            yield f"{owner}: {text}" if owner else text


def check_twin():
    known = set(imported())
    place = TWIN.relative_to(ROOT)
    return [f"{place}: error: the headers do not say: {said}" for said in twin() if said not in known]
