"""Reads an HTTP archive with a reader of somebody else's, and holds it against the specification.

    read.py FILE    prints what was read as JSON; ends with 1 and says why when the file is not HAR 1.2
"""
import base64
import json
import pathlib
import sys

import jsonschema
from haralyzer import HarParser

archive = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
schema = json.loads(pathlib.Path(__file__).with_name("har-1.2.schema.json").read_text())
errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in
          jsonschema.Draft202012Validator(schema).iter_errors(archive)]

for index, entry in enumerate(archive["log"]["entries"]):
    phases = {name: value for name, value in entry["timings"].items() if name != "ssl" and value >= 0}
    if abs(sum(phases.values()) - entry["time"]) > 0.001:
        errors.append(f"entry {index}: {phases} do not add up to {entry['time']}")
if errors:
    sys.exit("\n".join(errors))


def body(content):
    if content.get("encoding") == "base64":
        return base64.b64decode(content["text"]).hex()
    return content.get("text", "").encode().hex()


parser = HarParser(archive)
entries = [entry for page in parser.pages for entry in page.entries]
print(json.dumps([{
    "method": entry.request.method, "url": entry.request.url, "status": entry.response.status,
    "start": int(entry.startTime.timestamp() * 1000 + 0.5), "time": entry.time,
    "mimeType": entry.response.mimeType, "body": body(entry.response.raw_entry["content"]),
    "requestHeaders": {h["name"]: h["value"] for h in entry.request.headers},
    "responseHeaders": {h["name"]: h["value"] for h in entry.response.headers},
    "query": {q["name"]: q["value"] for q in entry.request.queryString},
    "redirect": entry.response.redirectURL,
} for entry in entries]))
