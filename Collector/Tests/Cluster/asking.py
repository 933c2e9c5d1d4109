"""Requests to a collector, and to whatever stands before it."""

import gzip
import http.client
import json
import urllib.error
import urllib.request

APP = "dev.test.cluster"


def ask(url, method="GET", body=None, headers=None):
    """The status and the answer; 0 when there is none."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        url, data, {"Content-Type": "application/json", "X-Bundle-Id": APP, **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            status, content, encoding = answer.status, answer.read(), answer.headers["Content-Encoding"]
    except urllib.error.HTTPError as error:
        status, content, encoding = error.code, error.read(), error.headers["Content-Encoding"]
    except (OSError, http.client.HTTPException):
        return 0, None
    if encoding == "gzip":
        content = gzip.decompress(content)
    try:
        return status, json.loads(content) if content else None
    except ValueError:
        return status, content.decode(errors="replace")


def steady(answer):
    """Without what moves with the clock."""
    if isinstance(answer, dict):
        return {name: steady(value) for name, value in answer.items() if name not in ("now", "isLive", "live", "generatedAt")}
    return [steady(each) for each in answer] if isinstance(answer, list) else answer


def difference(one, other, path=""):
    """Where two answers differ first; nothing when they are the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            if found := difference(one.get(name), other.get(name), f"{path}.{name}"):
                return found
        return None
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next((found for index, pair in enumerate(zip(one, other)) if (found := difference(*pair, f"{path}[{index}]"))), None)
    return None if one == other else f"{path}: {str(one)[:300]} and {str(other)[:300]}"
