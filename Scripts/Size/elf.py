"""Sections and symbols of a 64-bit little-endian ELF file."""
import collections
import re
import struct
import zlib

ALLOCATED, EXECUTABLE, NO_BITS, SYMBOLS = 2, 4, 8, 2
UNWIND = (".eh_frame", ".eh_frame_hdr", ".gcc_except_table")

# The end of a mangled Swift name says what it names; the first that fits counts.
KINDS = [
    ("Codable that the compiler derived", r"CodingKeys|6encode2toys7Encoder_p|4froms7Decoder_p|4fromACs7Decoder|s7Encoder_pKF|s7Decoder_pKc"),
    ("specialisations of generic code", r"T[gGsB]q?\d|T[gG][q5]|Tf\d|Tm$"),
    ("protocol witness tables", r"W[Ppa]$|W[lLI]$|Mc$"),
    ("protocol witnesses", r"TW(Tm)?$"),
    ("closures, partial application, reabstraction", r"U\d*_|TA(\.\d+)?$|TR(TA)?$|T[Rr]"),
    ("outlined copies, destructors and the like", r"WO[a-z]$"),
    ("type metadata, descriptors, fields", r"M[a-zA-Z]+$|N$|WV$|MX\w?$"),
    ("value witnesses", r"w[a-z]{2}$"),
]


def sections(contents):
    (offset,) = struct.unpack_from("<Q", contents, 40)
    size, count, names = struct.unpack_from("<HHH", contents, 58)
    rows = [struct.unpack_from("<IIQQQQIIQQ", contents, offset + index * size) for index in range(count)]
    for name, kind, flags, address, start, length, link, _, _, entry in rows:
        begin = rows[names][4] + name
        yield contents[begin:contents.index(b"\0", begin)].decode(), kind, flags, start, length, rows[link], entry


def sizes(contents):
    """Code, data and unwind tables, in bytes of the file."""
    found = dict.fromkeys(("code", "data", "unwind"), 0)
    for name, kind, flags, _, length, _, _ in sections(contents):
        if flags & ALLOCATED and kind != NO_BITS:
            found["unwind" if name in UNWIND else "code" if flags & EXECUTABLE else "data"] += length
    return found


def compressed(contents):
    return len(zlib.compress(contents, 9))


def unwind(contents):
    """The tables for unwinding alone."""
    return b"".join(contents[start:start + length] for name, _, _, start, length, _, _ in sections(contents) if name in UNWIND)


def symbols(contents):
    """Name and size of each; of what has several names the first."""
    seen = set()
    for _, kind, _, start, length, strings, entry in sections(contents):
        if kind != SYMBOLS:
            continue
        for at in range(start, start + length, entry):
            name, _, _, _, address, size = struct.unpack_from("<IBBHQQ", contents, at)
            if size and address not in seen:
                seen.add(address)
                begin = strings[4] + name
                yield contents[begin:contents.index(b"\0", begin)].decode(errors="replace"), size


def by_kind(contents):
    found = collections.Counter()
    for name, size in symbols(contents):
        if not name.startswith("$s"):
            found["C, and what has no Swift name"] += size
        else:
            found[next((kind for kind, end in KINDS if re.search(end, name)), "functions and data")] += size
    return found
