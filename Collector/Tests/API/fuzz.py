"""Schemathesis makes requests out of the description: no 5xx, and every answer as described.

Bounded, and the same each time. What it cannot try: the live tail, which does not end (hostile.py asks it).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from description import Wrong

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"
HERE = Path(__file__).parent


def readable(schema):
    """The same for a reader that does not know `prefixItems`: what stands at each place can stand at any. The exact one is tried by calls."""
    if isinstance(schema, list):
        return [readable(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: readable(value) for name, value in schema.items()}
    if "prefixItems" in result:
        places = result.pop("prefixItems")
        result.update({"items": {"anyOf": places}, "maxItems": len(places)})
    return result


def fuzz(api, directory, examples, key, phases="examples,coverage,fuzzing"):
    """Lets it run; its report when something is wrong."""
    document = Path(directory) / f"openapi-{'key' if key else 'stranger'}.json"
    document.write_text(json.dumps(readable(api.description.document)))
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", str(document), "--url", f"http://127.0.0.1:{api.port}", "--checks", CHECKS,
        "--phases", phases, "--max-examples", str(examples), "--seed", "21", "--generation-deterministic",
        "--request-timeout", "20", "--continue-on-failure", "--no-shrink", "--suppress-health-check", "all",
        "--warnings", "off", "--exclude-operation-id", "tailEvents",
    ]
    if key:
        command += ["-H", f"Authorization: Bearer {key}"]
    run = subprocess.run(
        command, cwd=directory, capture_output=True, text=True, timeout=900,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "NO_COLOR": "1"})
    if run.returncode != 0:
        raise Wrong(run.stdout[-12000:] + run.stderr[-3000:])
    return next((line.strip() for line in reversed(run.stdout.splitlines()) if "generated" in line or "cases" in line), "")
