"""lld's map: which object file brought how much."""
import collections
import re

import apps

# VMA, LMA, size, alignment; then the output section, or after eight blanks what went into it.
LINE = re.compile(r"^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+ (\S.*|        \S.*)$")


def by_file(text):
    """Bytes of each source file that are loaded into memory, from the file; what starts as zeros is not counted."""
    found, section = collections.Counter(), ""
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        address, size, what = int(match[1], 16), int(match[2], 16), match[3]
        if not what.startswith(" "):
            section = what
        elif address and section not in (".bss", ".tbss") and not section.startswith(".debug_"):
            path = what.strip().rsplit(":(", 1)[0]
            if name := apps.of_ours(path):
                found[name] += size
    return found
