"""Tools that reach into a running debug build: where they were switched on, and with an operator's key."""

from clients import OPERATOR, READER, Served, over_http, over_stdio, text_of
from questions import COMMANDING, READING


async def reaching(place):
    """Tools that reach into apps are there only when switched on, and do something only with an operator's key"""
    rule = {"app": "com.example.shop", "id": "sold-out", "path": "/orders", "status": 409, "body": "{}"}
    with Served(place.tool, place.empty(), *place.keys()) as served:
        async with over_http(served.url, OPERATOR) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == READING
            try:
                await client.call_tool("add_mock_rule", rule)
                raise AssertionError("it was not switched on")
            except Exception as error:
                assert "no such tool" in str(error), error
    with Served(place.tool, place.empty(), "--mcp-commands", *place.keys()) as served:
        async with over_http(served.url, READER) as client:
            for name, arguments in [("query_database", {"app": "com.example.shop"}), ("read_defaults", {"app": "com.example.shop"}), ("add_mock_rule", rule)]:
                result = await client.call_tool(name, arguments)
                assert result.is_error and ("40" in text_of(result)), text_of(result)
        assert served.ask("GET", "/api/config/com.example.shop", key=READER)[2].find(b"sold-out") < 0
        async with over_http(served.url, OPERATOR) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == READING + COMMANDING
            assert [tool.name for tool in tools if not tool.annotations.read_only_hint] == ["add_mock_rule"]
            result = await client.call_tool("add_mock_rule", rule)
            assert not result.is_error, text_of(result)
            wrong = await client.call_tool("add_mock_rule", {**rule, "failure": "timedOut"})
            assert wrong.is_error and "either status or failure" in text_of(wrong)
            nobody = await client.call_tool("query_database", {"app": "com.example.shop", "database": "a", "sql": "SELECT 1"})
            assert nobody.is_error and "not listening" in text_of(nobody), text_of(nobody)
        found = served.ask("GET", "/api/config/com.example.shop", key=READER)[2]
        assert b"sold-out" in found and b"409" in found, found
