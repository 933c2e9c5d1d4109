"""The protocol itself, where no client goes: wrong headers, versions, messages and origins."""

import asyncio
import json
import subprocess

from clients import Served

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def modern(method, **params):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}


def headers(method, name=None, version="2026-07-28"):
    return {"MCP-Protocol-Version": version, "Mcp-Method": method, **({"Mcp-Name": name} if name else {})}


async def transport(place):
    """Over HTTP each rule of the transport is kept, and what breaks one is told so"""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with Served(place.tool, place.empty()) as served:
        def ask(body, told=None, method="POST"):
            status, answered, text = served.ask(method, "/mcp", body, told)
            return status, answered, json.loads(text) if text else None

        def refused(body, told, status, code):
            answer = ask(body, told)
            assert answer[0] == status and answer[2]["error"]["code"] == code, (body, told, answer)
            return answer[2]

        # The newest revision: everything is in the request, and headers say the same.
        status, answered, found = ask(modern("server/discover"), headers("server/discover"))
        assert status == 200 and answered["content-type"] == "application/json" and "mcp-session-id" not in answered
        assert found["result"]["resultType"] == "complete" and "2026-07-28" in found["result"]["supportedVersions"]
        assert found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "automobile"
        assert found["result"]["cacheScope"] == "private" and found["result"]["ttlMs"] >= 0
        refused(modern("tools/list"), headers("tools/call"), 400, -32020)
        refused(modern("tools/list"), {}, 400, -32020)
        refused(modern("tools/list"), headers("tools/list", version="2025-11-25"), 400, -32020)
        call = modern("tools/call", name="list_apps", arguments={})
        refused(call, headers("tools/call"), 400, -32020)
        refused(call, headers("tools/call", "find_sessions"), 400, -32020)
        assert ask(call, headers("tools/call", "list_apps"))[0] == 200
        assert ask(call, headers("tools/call", "=?base64?bGlzdF9hcHBz?="))[0] == 200
        refused({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers("tools/list"), 400, -32602)
        without = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}
        refused(without, headers("tools/list"), 400, -32602)
        future = {**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}
        future = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": future}}
        error = refused(future, headers("tools/list", version="2099-01-01"), 400, -32022)
        assert "2026-07-28" in error["error"]["data"]["supported"] and error["id"] == 1
        refused(modern("no/method"), headers("no/method"), 404, -32601)
        refused(modern("ping"), headers("ping"), 404, -32601)
        refused([modern("tools/list")], headers("tools/list"), 400, -32600)
        refused(modern("tools/call", name="nothing"), headers("tools/call", "nothing"), 400, -32602)

        # Those with a handshake.
        def hello(version):
            return {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}

        for version, agreed in [("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25")]:
            status, answered, found = ask(hello(version))
            assert status == 200 and found["id"] == "a" and found["result"]["protocolVersion"] == agreed, (version, found)
            assert "mcp-session-id" not in answered and "resultType" not in found["result"]
        assert ask({"jsonrpc": "2.0", "method": "notifications/initialized"})[::2] == (202, None)
        assert ask(ping, {"MCP-Protocol-Version": "2025-11-25"})[2]["result"] == {}
        refused(ping, {"MCP-Protocol-Version": "banana"}, 400, -32022)
        status, _, found = ask([ping, {"jsonrpc": "2.0", "method": "x"}, {**ping, "id": 2}])
        assert status == 200 and [each["id"] for each in found] == [1, 2]
        assert ask([{"jsonrpc": "2.0", "method": "x"}])[::2] == (202, None)
        refused([], {}, 400, -32600)
        refused([ping] * 21, {}, 400, -32600)
        refused([ping], {"MCP-Protocol-Version": "2025-06-18"}, 400, -32600)

        # What is no message.
        for body in [b"", b"{", b"\xff\xfe", b'{"a":' * 200]:
            refused(body, {}, 400, -32700)
        for body in [{}, {"jsonrpc": "1.0", "id": 1, "method": "ping"}, {**ping, "id": None}, {**ping, "id": 1.5}, {**ping, "id": []}, {**ping, "method": 7}, {"jsonrpc": "2.0", "id": 1, "result": {}}, [[]]]:
            answer = ask(body)
            error = answer[2][0] if isinstance(answer[2], list) else answer[2]
            assert error["error"]["code"] == -32600, (body, answer)
        refused({**ping, "params": []}, {"MCP-Protocol-Version": "2026-07-28"}, 400, -32602)
        assert ask(b" " * (200 << 10))[0] == 413
        assert ask(ping, {"Content-Type": "text/plain"})[0] == 415
        assert ask(ping, {"Accept": "text/html"})[0] == 406
        assert ask(ping, {"Accept": "application/json"})[0] == 200
        assert ask(ping, {"Accept": None})[0] == 200
        for method in ("GET", "DELETE"):
            status, answered, _ = served.ask(method, "/mcp", headers={"Mcp-Session-Id": "x"})
            assert status == 405 and answered["allow"] == "POST", (method, status)

        # Pages of others, and names that point here.
        for told in [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]:
            assert ask(ping, told)[0] == 403, told
        assert ask(ping, {"Origin": served.url})[0] == 200
        assert ask(ping, {"Host": "evil.example"})[0] == 421


async def stream(place):
    """Over stdio nothing but answers is written; what is no message, too long or called off does not end it"""
    with Served(place.tool, place.empty()) as served:
        process = await asyncio.create_subprocess_exec(
            place.tool, "mcp", "--url", served.url, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, limit=8 << 20)

        def send(message):
            process.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")

        async def answer():
            return json.loads(await asyncio.wait_for(process.stdout.readline(), 20))

        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        send(b"not json")
        assert (await answer())["error"]["code"] == -32700
        send(b"")
        send(b"x" * (3 << 20))
        assert (await answer())["error"]["code"] == -32600
        send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}})
        send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        send({**ping, "id": 5})
        assert (await answer()) == {"jsonrpc": "2.0", "id": 5, "result": {}}
        for number in range(200):
            send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "list_apps"}})
        assert {(await answer())["id"] for _ in range(200)} == set(range(200))
        send(modern("server/discover"))
        assert "2026-07-28" in (await answer())["result"]["supportedVersions"]
        # The last line has no end.
        process.stdin.write(json.dumps({**ping, "id": 7}).encode())
        process.stdin.close()
        assert (await answer())["id"] == 7
        assert await asyncio.wait_for(process.wait(), 10) == 0
        assert not await process.stderr.read()
