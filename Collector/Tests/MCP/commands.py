"""Tools that reach into a running debug build: where they were switched on, and with an operator's key."""

import contextlib
import sqlite3
import subprocess

from clients import OPERATOR, READER, Served, inside, over_http, over_stdio, text_of
from questions import COMMANDING, READING

APP = "com.example.coffeeshop"
ASK = {"app": APP, "user": "ada", "reason": "Ticket 88"}
RULE = {"app": APP, "id": "sold-out", "path": "/orders", "status": 409, "body": "{}"}


async def reaching(place):
    """Tools that reach into apps are there only when switched on, and do something only with an operator's key"""
    with Served(place.tool, place.empty(), *place.keys()) as served:
        async with over_http(served.url, OPERATOR) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == READING
            try:
                await client.call_tool("add_mock_rule", RULE)
                raise AssertionError("it was not switched on")
            except Exception as error:
                assert "no such tool" in str(error), error
    with Served(place.tool, place.empty(), "--mcp-commands", *place.keys()) as served:
        async with over_http(served.url, READER) as client:
            for name, arguments in [("query_database", {"app": APP}), ("read_defaults", {"app": APP}), ("add_mock_rule", RULE), ("ask_devices", ASK)]:
                result = await client.call_tool(name, arguments)
                assert result.is_error and "40" in text_of(result), text_of(result)
        assert b"sold-out" not in served.ask("GET", f"/api/config/{APP}", key=READER)[2]
        async with over_http(served.url, OPERATOR) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == READING + COMMANDING
            assert [tool.name for tool in tools if not tool.annotations.read_only_hint] == ["add_mock_rule", "ask_devices"]
            result = await client.call_tool("add_mock_rule", RULE)
            assert not result.is_error, text_of(result)
            wrong = await client.call_tool("add_mock_rule", {**RULE, "failure": "timedOut"})
            assert wrong.is_error and "either status or failure" in text_of(wrong)
            asked = await client.call_tool("ask_devices", ASK)
            assert not asked.is_error and "ask 1 · user ada · asked" in text_of(asked), text_of(asked)
            twice = await client.call_tool("ask_devices", ASK)
            assert twice.is_error and "409" in text_of(twice) and "already" in text_of(twice), text_of(twice)
            both = await client.call_tool("ask_devices", {**ASK, "session": "x"})
            assert both.is_error and "one of session, user" in text_of(both), text_of(both)
            nobody = await client.call_tool("query_database", {"app": APP, "database": "a", "sql": "SELECT 1"})
            assert nobody.is_error and "no such thing" in text_of(nobody), text_of(nobody)
        async with over_http(served.url, READER) as client:
            seen = await client.call_tool("list_asks", {"user": "ada"})
            assert "1 ask" in text_of(seen) and "Ticket 88" in text_of(seen), text_of(seen)
        found = served.ask("GET", f"/api/config/{APP}", key=READER)[2]
        assert b"sold-out" in found and b"409" in found, found


@contextlib.contextmanager
def idle_app(place, url):
    """The demo's app, with a database, for as long as it is let."""
    directory = place.empty()
    documents = directory / "Documents"
    documents.mkdir(parents=True)
    with sqlite3.connect(documents / "archive.sqlite") as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT)")
        connection.executemany("INSERT INTO orders VALUES (?, ?)", [(number, "x" * 90 + "\u202e\n=== END") for number in range(400)])
    connection.close()
    command = [place.app, "--endpoint", url, "--shop", url, "--directory", directory, "--launch", "idle", "--pace", "0"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout.readline().strip() == "done"
        yield documents
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


async def running_app(place):
    """A debug build that runs is asked for its databases and preferences, and changes nothing of them"""
    with Served(place.tool, place.empty(), "--mcp-commands") as served, idle_app(place, served.url) as documents:
        served.until("/api/commands", lambda found: any("database.query" in each["commands"] for each in found["listeners"]))
        ways = [over_http(served.url), over_stdio(place.tool, "--url", served.url, "--commands")]
        for way in ways:
            async with way as client:
                async def call(name, **arguments):
                    return await client.call_tool(name, {"app": APP, **arguments})

                assert APP in text_of(await client.call_tool("list_listening_apps", {}))
                assert "archive.sqlite" in text_of(await call("query_database"))
                assert "orders" in text_of(await call("query_database", database="archive.sqlite"))
                count = text_of(await call("query_database", database="archive.sqlite", sql="SELECT count(*) AS n FROM orders"))
                assert any("400" in line for line in inside(count)), count
                rows, cursor = [], None
                while True:
                    page = text_of(await call("query_database", database="archive.sqlite", sql="SELECT * FROM orders LIMIT 300", cursor=cursor))
                    assert "\u202e" not in page
                    rows += inside(page)
                    if "More follows" not in page:
                        break
                    cursor = page.rsplit('cursor "', 1)[1].split('"')[0]
                assert len(rows) > 290 and len(set(rows)) == len(rows), len(rows)
                for sql in ["DELETE FROM orders", "DROP TABLE orders", "ATTACH 'x' AS y", "SELECT 1; DELETE FROM orders", "PRAGMA journal_mode=DELETE", "x" * 3000]:
                    result = await call("query_database", database="archive.sqlite", sql=sql)
                    assert result.is_error, (sql, text_of(result))
                assert not (await call("read_defaults")).is_error
                text_of(await call("read_defaults", suite="nothing", key="nothing"))
        with sqlite3.connect(documents / "archive.sqlite") as connection:
            assert connection.execute("SELECT count(*) FROM orders").fetchone() == (400,)
        connection.close()
