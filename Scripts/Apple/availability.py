"""The availability of stand-ins, which is in their comments on Linux, as the attribute that the compiler checks."""

import re
import shutil

# `/// Documentation: *title*. iOS 16.0.`
COMMENT = re.compile(r"///\s*Documentation:\s*\*[^*]+\*\.\s*(?P<platform>iOS|macOS)\s+(?P<version>\d+(?:\.\d+)?)\.")
OLDEST = (15, 0)


def annotated(source, place):
    """Copies of the Swift files below a folder, in which what is newer than the deployment target says so."""
    shutil.rmtree(place, ignore_errors=True)
    copies = []
    for file in sorted(source.rglob("*.swift")):
        copy = place / file.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text("\n".join(with_attributes(file.read_text().split("\n"))))
        copies.append(copy)
    return copies


def with_attributes(lines):
    since = None
    for line in lines:
        found = COMMENT.search(line)
        if found and found["platform"] == "iOS":
            parts = tuple(int(part) for part in (found["version"].split(".") + ["0"])[:2])
            since = found["version"] if parts > OLDEST else None
        elif since and line.strip() and not line.strip().startswith("///"):
            yield f"@available(iOS {since}, *)"
            since = None
        yield line
