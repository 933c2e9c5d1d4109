"""The reference client of the protocol, over each of the ways in, and a collector of the test's own."""

import contextlib
import http.client
import json
import subprocess
import sys
import time
from pathlib import Path

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

sys.path.append(str(Path(__file__).resolve().parent.parent / "Cluster"))
import places  # noqa: E402

OPERATOR, READER = "operator-91be40c2d8", "ingest-5f1d0c3a77"
MODES = ["auto", "legacy"]


@contextlib.asynccontextmanager
async def over_http(url, key=None, mode="auto"):
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http_client:
        async with Client(streamable_http_client(url + "/mcp", http_client=http_client), mode=mode) as client:
            yield client


@contextlib.asynccontextmanager
async def over_stdio(tool, *arguments, mode="auto"):
    parameters = StdioServerParameters(command=str(tool), args=["mcp", *arguments])
    async with Client(stdio_client(parameters), mode=mode) as client:
        yield client


class Served:
    """A collector on a directory, for as long as the `with` block."""

    def __init__(self, tool, directory, *options):
        command = [str(tool), "serve", "--json", "--port", "0", "--data", str(directory), *options, *places.now().serve(directory)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=places.now().log(directory), text=True)
        self.url = json.loads(self.process.stdout.readline())["url"].rstrip("/")
        self.port = int(self.url.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, method, target, body=None, headers=None, key=None):
        """(status, headers, body) of a request as it is written."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        told = {"Authorization": f"Bearer {key}"} if key else {}
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        told = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **told, **(headers or {})}
        try:
            connection.request(method, target, body, {name: value for name, value in told.items() if value is not None})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def until(self, target, passes, key=None):
        deadline = time.monotonic() + 60
        while True:
            status, _, text = self.ask("GET", target, key=key)
            if status == 200 and passes(found := json.loads(text)):
                return found
            assert time.monotonic() < deadline, (target, status, text[:300])
            time.sleep(0.05)


def text_of(result):
    """The text of an answer, checked as every answer must be."""
    text = "\n".join(part.text for part in result.content if part.type == "text")
    assert len(text.encode()) <= 20_000, len(text.encode())
    assert all(line.startswith("| ") for line in inside(text)), text
    return text


def inside(text):
    """The lines of the frame of recorded data; there is one at most, opened and closed by the same number."""
    lines = text.split("\n")
    marks = [index for index, line in enumerate(lines) if line.startswith("===")]
    if not marks:
        return []
    assert len(marks) == 2, text
    opening, closing = (lines[index] for index in marks)
    number = opening.split()[3].rstrip(":")
    assert len(number) == 32 and closing == f"=== END OF RECORDED DATA {number} ===", (opening, closing)
    return lines[marks[0] + 1:marks[1]]
