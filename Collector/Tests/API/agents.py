"""What agents ask over HTTP."""

import json


def agents(api, facts):
    """the Model Context Protocol"""
    def ask(method, status=200, headers=None, **params):
        return api.call("callMCP", status, headers=headers, body={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    assert ask("initialize", **hello).json["result"]["serverInfo"]["name"] == "automobile"
    api.call("callMCP", 202, body={"jsonrpc": "2.0", "method": "notifications/initialized"})
    tools = ask("tools/list").json["result"]["tools"]
    assert tools
    for method in ("resources/list", "resources/templates/list", "prompts/list"):
        ask(method)
    assert "error" in ask("tools/call", name="weather").json
    assert "error" in ask("weather").json
    batch = [{"jsonrpc": "2.0", "id": each, "method": "ping"} for each in (1, "two")]
    assert len(api.call("callMCP", body=batch, headers={"MCP-Protocol-Version": "2025-03-26"}).json) == 2
    ask("tools/list", 400, headers={"MCP-Protocol-Version": "1999-01-01"})
    newest = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "weather"}
    ask("weather", 404, headers=headers, _meta=newest)
    ask("tools/list", 400, headers=headers, _meta=newest)
    api.call("callMCP", 400, raw=b"nothing")
    api.call("callMCP", 400, raw=json.dumps({"method": 7}).encode())
    api.call("callMCP", 406, raw=b"{}", headers={"Accept": "text/html"})
    api.call("callMCP", 413, raw=b"[" + b" " * (128 << 10) + b"]")
    api.call("callMCP", 415, raw=b"{}", kind="text/plain")
    assert api.call("listenToMCP", 405).headers["Allow"] == "POST"
    api.call("endMCP", 405)


ALL = [agents]
