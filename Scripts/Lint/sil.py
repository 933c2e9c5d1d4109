"""Reads the compiler's intermediate language (SIL), and finds what can trap in it."""
import os
import re
from collections import defaultdict

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

BITS = {"Int": 64, "UInt": 64, "Int64": 64, "UInt64": 64, "Int32": 32, "UInt32": 32, "Int16": 16, "UInt16": 16,
        "Int8": 8, "UInt8": 8}
INTEGER = {"Si": "Int", "Su": "UInt", "s5Int64V": "Int64", "s6UInt64V": "UInt64", "s5Int32V": "Int32",
           "s6UInt32V": "UInt32", "s5Int16V": "Int16", "s6UInt16V": "UInt16", "s4Int8V": "Int8", "s5UInt8V": "UInt8"}
FLOATING = {"Sd": "Double", "Sf": "Float"}
OPERATOR = {"1p": "+", "1s": "-", "1m": "*", "2pe": "+=", "2se": "-=", "2me": "*=",
            "1d": "/", "1r": "%", "2de": "/=", "2re": "%="}
TRAPS = [
    (re.compile(r"_diagnoseUnexpectedNilOptional"), "a value is unwrapped by force"),
    (re.compile(r"^swift_unexpectedError$"), "an error is a trap here (try!)"),
    (re.compile(r"^\$ss\d+(fatalError|preconditionFailure|assertionFailure|precondition|assert)_"), "this traps"),
    (re.compile(r"^\$s(SD|s10DictionaryV|s17_NativeDictionaryV)20uniqueKeysWithValues"), "this traps on a key that comes twice"),
]
# `constant`: known to the compiler. `positive`: not 0. `natural`: not negative. `bounded`: at most a constant.
# `small`: a count of what is in memory: natural, and far from the end of 64 bits.
CONSTANT = {"constant", "positive", "natural", "bounded", "small"}

SYMBOL = re.compile(r"@(\S+)")
LOCATION = re.compile(r' loc (?:\* )?"([^"]+)":(\d+):(\d+)')
ASSIGN = re.compile(r"\s*(%\d+) = (.*)")
OPERANDS = re.compile(r"%\d+")


class Checker:
    def __init__(self):
        self.findings = set()
        self.calls = defaultdict(set)
        self.functions = {}

    def add(self, location, rule, message):
        if location and not location[0].startswith("<"):
            self.findings.add((os.path.relpath(location[0], ROOT), location[1], rule, message))

    def check(self, path):
        function = header = None
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("sil "):
                    match = SYMBOL.search(line)
                    function = match[1] if match and line.rstrip().endswith("{") else None
                    if function:
                        self.begin(function, line, header)
                elif line.startswith("//") and ", loc " in line:
                    header = line
                elif line.startswith("}"):
                    function = None
                elif function:
                    self.instruction(function, line)

    def begin(self, function, line, header):
        location = LOCATION.search(header or "")
        name = header[3:].split(", loc ")[0] if header else function
        self.functions[function] = {
            "name": name, "location": (location[1], int(location[2])) if location else None,
            "isAsynchronous": bool(re.search(r" : \$@convention\(\w+\) (@async )?@Sendable|@convention\(block\)", line))}
        self.isPublic = not re.match(r"sil (private|hidden|shared|package|non_abi)", line) and "closure #" not in name
        # What is known of values: `outside`, and what makes them harmless.
        self.references, self.literals, self.facts = {}, {}, defaultdict(set)

    def instruction(self, function, line):
        if line.startswith("bb0(") and self.isPublic:
            for value in re.findall(r"(%\d+) : \$(?:Int|Optional<Int>)\b", line):
                self.facts[value].add("outside")
            return
        match = ASSIGN.match(line)
        found = LOCATION.search(line)
        location = (found[1], int(found[2])) if found else None
        if "unconditional_checked_cast" in line:
            self.add(location, "trap", "a value is cast by force (as!)")
        if "copy_unowned_value" in line:
            self.add(location, "trap", "an unowned reference traps when its object is gone: use weak")
        if not match:
            self.store(line)
            if " apply " in line or line.lstrip().startswith("apply "):
                self.apply(line.strip(), location)
            return
        value, code = match[1], match[2]
        if code.startswith("function_ref"):
            symbol = SYMBOL.search(code)[1]
            self.references[value] = symbol
            self.calls[function].add(symbol)
            for pattern, message in TRAPS:
                if pattern.search(symbol.lstrip("@")):
                    self.add(location, "trap", message)
        elif code.startswith("witness_method"):
            requirement = re.search(r'#(?:SignedNumeric|AdditiveArithmetic|Numeric|BinaryInteger)\."?([-+*/%]=?)"?', code)
            if requirement:
                self.references[value] = "requirement " + requirement[1]
        elif code.startswith("integer_literal"):
            self.literals[value] = int(code.split(",")[1])
            self.facts[value] |= CONSTANT if self.literals[value] > 0 else CONSTANT - {"positive"}
        elif code.startswith(("apply ", "try_apply ")):
            self.apply(code, location, value)
        elif code.startswith(("move_value", "load ", "copy_value", "begin_borrow", "unchecked_enum_data")):
            source = OPERANDS.search(code)
            if source:
                self.copy(source[0], value)

    def copy(self, source, target):
        self.facts[target] |= self.facts[source]
        if source in self.literals:
            self.literals[target] = self.literals[source]

    def store(self, line):
        # Values go through memory on their way to generic functions.
        if line.lstrip().startswith("store "):
            values = OPERANDS.findall(line.split("loc ")[0])
            if len(values) >= 2:
                self.copy(*values[:2])

    def apply(self, code, location, value=None):
        match = re.match(r"(?:try_)?apply (?:\[[^\]]*\] )*(%\d+)(?:<([^()]*)>)?\(([^)]*)\)", code)
        if not match or match[1] not in self.references:
            return
        symbol, types = self.references[match[1]], [kind.strip() for kind in (match[2] or "").split(",")]
        arguments = OPERANDS.findall(match[3])
        if "_builtinIntegerLiteral" in symbol:
            return self.copy(arguments[0], value) if arguments else None
        if re.search(r"5count(33_\w+)?Sivg$|8capacitySivg$", symbol):
            self.facts[value] |= {"small"}
        if re.match(r"\$sSo\d+[A-Z][A-Z0-9_]+Sivg$|\$ss12MemoryLayoutO\d+\w+Sivg", symbol):
            self.facts[value] |= CONSTANT
        if re.match(r"\$ss3(max|min)yxx_xtSLRzlF", symbol) and len(arguments) == 3:
            known, isMaximum = [self.facts[argument] for argument in arguments[1:]], "3max" in symbol
            common = set.intersection(*known) | (set.union(*known) & ({"positive"} if isMaximum else {"bounded"}))
            self.facts[arguments[0]] |= common - {"outside"}
            if isMaximum and any("constant" in fact for fact in known):
                self.facts[arguments[0]].add("natural")
        operation = re.match(r"\$s(S[iu]|s\d+U?Int\d+V)([12][a-z]{1,2})oi", symbol)
        if operation and operation[2] in OPERATOR:
            if OPERATOR[operation[2]] == "%" and "constant" in self.facts[arguments[1]]:
                self.facts[value] |= {"bounded"} | ({"natural"} if "U" in INTEGER[operation[1]] else set())
            return self.arithmetic(INTEGER[operation[1]], OPERATOR[operation[2]], arguments, location)
        if symbol.startswith("requirement ") and types[0] in BITS:
            operator = symbol.split()[1]
            sign = operator == "-" and len(arguments) == 2  # the result's place, and the operand
            if sign and arguments[1] not in self.literals:
                self.add(location, "arithmetic", f"the smallest {types[0]} has no opposite: use 0 &- x, or its magnitude")
            elif not sign:
                self.arithmetic(types[0], operator, arguments[1:], location)
            return
        if symbol.startswith("$ss3abs") and types[0] in BITS:
            return self.add(location, "arithmetic", f"abs traps at the smallest {types[0]}: use its magnitude")
        if re.match(r"\$sSLsE(3zzl|3zzz)oi", symbol) and types[0] in BITS and types[0] not in ("Int", "UInt8"):
            if all("constant" in self.facts[argument] for argument in arguments[1:3]):
                return None
            if types[0].startswith("U") and self.literals.get(arguments[1]) == 0:
                return None
            return self.add(location, "range", f"a range of {types[0]} traps when it ends before it begins")
        self.conversion(symbol, types, arguments, location)

    def arithmetic(self, kind, operator, arguments, location):
        if operator.rstrip("=") in "/%":
            if "positive" not in self.facts[arguments[1]]:
                self.add(location, "division", f"division of {kind} by what may be 0: divide by max(1, x), or a literal")
            return
        known = [self.facts[argument] for argument in arguments[:2]]
        if kind == "Int" and not any("outside" in fact for fact in known):
            return
        if all("constant" in fact for fact in known):
            return
        whence = "an Int from outside" if kind == "Int" else f"{kind}, the type of clocks, positions and foreign sizes,"
        self.add(location, "arithmetic", f"{operator} on {whence} can overflow: use &{operator}, or saturate")

    def conversion(self, symbol, types, arguments, location):
        floating = re.match(r"\$s(S[iu]|s\d+U?Int\d+V)y\w*?(S[df])cfC$", symbol)
        if floating:
            return self.add(location, "conversion", f"{INTEGER[floating[1]]} of {FLOATING[floating[2]]} traps on NaN and"
                            " out of range: use init(saturating:)")
        clamping = re.match(r"\$ss17FixedWidthIntegerPsE8clamping", symbol)
        if clamping and types[0] == "Int" and types[1:] != ["Int"] and arguments:
            self.facts[arguments[0]].add("outside")
        if not re.match(r"\$sS[zZU]ss17FixedWidthIntegerRzrlEyxqd__c", symbol) or len(types) < 2:
            return
        target, source = types[0], types[1]
        if target not in BITS or source not in BITS:
            return
        facts = self.facts[arguments[1]]
        self.facts[arguments[0]] |= facts - {"outside"}
        if "constant" in facts or (BITS[target] == 64 and {"small", "bounded"} & facts and
                                   ("small" in facts or "natural" in facts)):
            return
        if {target, source} == {"Int", "UInt64"} and target == "UInt64" and "natural" in facts:
            return
        isUnsigned, fromUnsigned = target.startswith("U"), source.startswith("U")
        widens = (BITS[target] >= BITS[source] if isUnsigned == fromUnsigned
                  else fromUnsigned and BITS[target] > BITS[source])
        if not widens:
            self.add(location, "conversion", f"{target} of {source} traps out of range: say clamping:, exactly: or"
                     " truncatingIfNeeded:")

    def recursion(self):
        """Functions that come back to themselves while they run. A closure that is @Sendable runs later."""
        graph = {name: {callee for callee in self.calls[name] if callee in self.functions
                        and not self.functions[callee]["isAsynchronous"]} for name in self.functions}
        for group in components(graph):
            if len(group) > 1 or group[0] in graph[group[0]]:
                members = [self.functions[name] for name in group]
                bounded = any(re.search(r"\b(depth|remaining|limit):", member["name"]) for member in members)
                named = [member for member in members if "closure #" not in member["name"]] or members
                location = min((member["location"] for member in named if member["location"]), default=None)
                if not bounded:
                    names = ", ".join(sorted({member["name"] for member in named}))
                    self.add(location, "recursion", f"{names} calls itself: give it a parameter `depth`, or loop")


def components(graph):
    """Tarjan's strongly connected components, without recursion of its own."""
    index, low, stack, on, result = {}, {}, [], set(), []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root), on.add(root)
        while work:
            node, edges = work[-1]
            for edge in edges:
                if edge not in index:
                    index[edge] = low[edge] = len(index)
                    stack.append(edge), on.add(edge)
                    work.append((edge, iter(graph[edge])))
                    break
                if edge in on:
                    low[node] = min(low[node], index[edge])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = []
                    while not group or group[-1] != node:
                        group.append(stack.pop())
                        on.discard(group[-1])
                    result.append(group)
    return result
