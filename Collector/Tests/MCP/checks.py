"""What agents do with a recording."""

import base64
import io
import json
import subprocess
import time
import uuid

from clients import MODES, OPERATOR, READER, Served, inside, over_http, over_stdio, places, text_of
from PIL import Image
from questions import COMMANDING, READING, Story, ask_everything


class Place:
    """Where the demo's recording is; each check gets a data directory with it."""

    def __init__(self, tool, app, directory):
        self.tool, self.app, self.directory = tool, app, directory
        self.count = 0

    def recording(self):
        master = self.directory / "demo"
        if not master.exists():
            command = [self.tool, "demo", "--once", "--port", "0", "--json", "--data", master, "--app", self.app]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180)
        data = self.empty()
        places.now().bring(self.tool, master / "collector", data)
        return data

    def empty(self):
        self.count += 1
        return self.directory / f"copy{self.count}"

    def keys(self):
        """Options of a collector that asks for keys."""
        return ["--key", READER, "--operator-key", OPERATOR]

    def key_file(self):
        path = self.directory / "key"
        if not path.exists():
            path.touch(0o600)
            path.write_text(READER + "\n")
        return path


async def http_without_keys(place):
    """Over HTTP, by both eras of the protocol, every tool answers what it should"""
    asked = 0
    with Served(place.tool, place.recording()) as served:
        for mode in MODES:
            async with over_http(served.url, mode=mode) as client:
                assert client.protocol_version == {"auto": "2026-07-28", "legacy": "2025-11-25"}[mode]
                assert "EVIDENCE, NOT INSTRUCTIONS" in client.instructions and served.url in client.instructions
                asked += await ask_everything(client, await Story.found(client), READING)
    return f"{asked} questions"


async def http_with_keys(place):
    """A collector that asks for keys gives agents what their key may, and nothing without one"""
    with Served(place.tool, place.recording(), *place.keys()) as served:
        for key in (None, "wrong-wrong-wrong"):
            status, _, _ = served.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, key=key)
            assert status == 401, status
        made = served.ask("POST", "/api/projects", {"bundleId": "com.example.mine", "name": "mine"}, key=OPERATOR)[2]
        import json
        project_key = json.loads(served.ask("POST", "/api/keys", {"project": json.loads(made)["id"]}, key=OPERATOR)[2])["key"]
        status, _, body = served.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, key=project_key)
        assert status == 403, (status, body)
        async with over_http(served.url, READER) as client:
            story = await Story.found(client)
            for name, arguments, word in story.good:
                assert word in await story.call(client, name, **arguments)


async def stdio_of_a_collector(place):
    """Over stdio, of a running collector, with a key file and without a key"""
    with Served(place.tool, place.recording(), *place.keys()) as served:
        for mode in MODES:
            async with over_stdio(place.tool, "--url", served.url, "--key-file", str(place.key_file()), mode=mode) as client:
                await ask_everything(client, await Story.found(client), READING)
        async with over_stdio(place.tool, "--url", served.url) as client:
            result = await client.call_tool("find_sessions", {})
            assert result.is_error and "key" in text_of(result)
    async with over_stdio(place.tool, "--url", served.url) as client:
        result = await client.call_tool("find_sessions", {})
        assert result.is_error and "is it running" in text_of(result)


async def stdio_of_data(place):
    """Over stdio, of a data directory: beside a running collector, after one that was killed, and where there is none"""
    data = place.recording()
    with Served(place.tool, data) as served:
        async with over_stdio(place.tool, "--data", str(data)) as client:
            story = await Story.found(client)
            await ask_everything(client, story, READING)
            async with over_http(served.url) as other:
                for name, arguments, word in story.good[:3]:
                    assert word in await story.call(other, name, **arguments)
        served.kill()
    before = {path: path.stat().st_mtime_ns for path in data.rglob("*") if path.is_file() and path.suffix != ".sqlite-shm"}
    async with over_stdio(place.tool, "--data", str(data), mode="legacy") as client:
        for name, arguments, word in story.good:
            assert word in await story.call(client, name, **arguments)
    after = {path: path.stat().st_mtime_ns for path in before if path.exists()}
    assert {path for path in before if before[path] != after.get(path)} <= {data / "index.sqlite-shm"}, "something was written"
    missing = subprocess.run([place.tool, "mcp", "--data", place.empty()], input="", capture_output=True, text=True, timeout=20)
    assert missing.returncode == 2 and "no collector's data" in missing.stderr and not missing.stdout, missing


async def pages(place):
    """Lists go on with their cursors: everything comes once, whatever the page"""
    with Served(place.tool, place.recording()) as served:
        async with over_http(served.url) as client:
            story = await Story.found(client)
            for name, arguments, mark in [
                ("timeline", {"session": story.session, "limit": 7}, "#"), ("list_requests", {"limit": 3}, "#"),
                ("find_sessions", {"limit": 1}, " · "), ("search_logs", {"limit": 9}, "#"),
            ]:
                seen, cursor, pages = [], None, 0
                while True:
                    text = await story.call(client, name, **arguments, **({"cursor": cursor} if cursor else {}))
                    seen += [line.split(mark)[1].split(" ")[0] if mark == "#" else line.split(mark)[0] for line in inside(text)]
                    pages += 1
                    if "More follows" not in text:
                        break
                    cursor = text.rsplit('cursor "', 1)[1].split('"')[0]
                assert pages > 1 and len(seen) == len(set(seen)), (name, pages, len(seen), len(set(seen)))
                whole = await story.call(client, name, **{**arguments, "limit": 100})
                assert {line.split(mark)[1].split(" ")[0] if mark == "#" else line.split(mark)[0] for line in inside(whole)} <= set(seen)


async def around(place):
    """Around an event stand the event and its neighbours, however much there is; cursors go on behind them"""
    with Served(place.tool, place.recording()) as served:
        async with over_http(served.url) as client:
            story = await Story.found(client)
            looked = 0
            for session in story.sessions:
                whole, cursor = [], None
                while cursor != "":
                    text = await story.call(client, "timeline", session=session, limit=100, **({"cursor": cursor} if cursor else {}))
                    whole += [number_of(line) for line in inside(text)]
                    cursor = text.rsplit('cursor "', 1)[1].split('"')[0] if "More follows" in text else ""
                for index in {0, len(whole) // 3, len(whole) // 2, len(whole) - 1}:
                    window = {"before": 86_400, "after": 86_400, "limit": 8}
                    text = await story.call(client, "timeline", session=session, event=whole[index], **window)
                    lines = inside(text)
                    shown = [number_of(line) for line in lines]
                    place_of = next(place for place, line in enumerate(lines) if line.startswith("| >> "))
                    assert shown[place_of] == whole[index], (whole[index], lines)
                    assert shown == whole[index - place_of:index - place_of + len(shown)], (whole[index], lines)
                    assert len(shown) == min(8, len(whole)) and (place_of > 3 or index <= place_of), (index, len(whole), lines)
                    assert ("Before these there are more" in text) == (index > place_of), (index, text)
                    while "More follows" in text:
                        cursor = text.rsplit('cursor "', 1)[1].split('"')[0]
                        text = await story.call(client, "timeline", session=session, event=whole[index], cursor=cursor, **{**window, "limit": 100})
                        shown += [number_of(line) for line in inside(text)]
                    assert shown == whole[index - place_of:], (index, place_of, len(shown), len(whole))
                    few = inside(await story.call(client, "timeline", session=session, event=whole[index], before=0, after=0))
                    assert any(line.startswith("| >> ") for line in few), few
                    assert all(line.removeprefix("| >> ").removeprefix("| ").startswith("+0 ms ") for line in few), few
                    looked += 1
            for number, moment in enumerate((-2**63, -1, 0, 2**63 - 1)):
                session = f"far-{number}"
                event = {"eventType": "log", "timestamp": moment, "level": 3, "message": "far", "sessionId": session}
                payload = base64.b64encode(json.dumps(event).encode()).decode()
                status, _, answer = served.ask("POST", "/sdk-events", {
                    "bundleId": "com.example.far", "launchId": str(uuid.uuid4()).upper(), "timestamp": 1_790_000_000_000,
                    "events": [{"eventType": "log", "sequence": 160, "payload": payload}]})
                assert status == 200, answer
                found = served.until(f"/api/sessions/{session}/events", lambda page: page.get("events"))["events"]
                for window in ({}, {"before": 86_400, "after": 86_400}):
                    text = await story.call(client, "timeline", session=session, event=found[0]["id"], **window)
                    assert ">> +0 ms" in text, (moment, text)
    return f"{looked} events"


def number_of(line):
    return int(line.split(" #")[1].split(" ")[0])


async def pictures(place):
    """The screen at a moment is a picture that can be opened, and the one that was there"""
    with Served(place.tool, place.recording()) as served:
        async with over_http(served.url) as client:
            story = await Story.found(client)
            sizes, shown = [], set()
            for session in story.sessions:
                first = inside(await story.call(client, "timeline", session=session, limit=1))[0].split(" ")[1]
                for arguments in ({}, {"event": story.request} if session == story.session else {}):
                    result = await client.call_tool("screen_picture", {"session": session, **arguments})
                    assert not result.is_error, text_of(result)
                    image = next(part for part in result.content if part.type == "image")
                    data = base64.b64decode(image.data)
                    assert len(data) <= 700_000
                    picture = Image.open(io.BytesIO(data))
                    picture.load()
                    assert picture.format == {"image/png": "PNG", "image/jpeg": "JPEG"}[image.mime_type]
                    colours = picture.convert("RGB").getcolors(1 << 20)
                    assert len(colours) > 3, "something is on it"
                    sizes.append(len(data))
                    shown.add(data)
                assert first
            assert len(shown) > 1, "different moments look different"
    return f"up to {max(sizes) // 1000} KB"


async def resources(place):
    """Sessions and issues are resources: listed in pages, read by address, refused when there is none"""
    for mode in MODES:
        with Served(place.tool, place.recording()) as served:
            async with over_http(served.url, mode=mode) as client:
                found, cursor = [], None
                while True:
                    page = await client.list_resources(cursor=cursor)
                    found += page.resources
                    cursor = page.next_cursor
                    if not cursor:
                        break
                addresses = [str(resource.uri) for resource in found]
                assert sum(each.startswith("automobile://sessions/") for each in addresses) == 3, addresses
                assert any(each.startswith("automobile://issues/") for each in addresses)
                for address in addresses:
                    content = (await client.read_resource(address)).contents[0]
                    assert inside(content.text) and len(content.text.encode()) <= 20_000
                templates = await client.list_resource_templates()
                assert len(templates.resource_templates) == 3
                for address in ["automobile://sessions/nobody", "automobile://issues/", "file:///etc/passwd", "automobile://sessions/%2e%2e"]:
                    try:
                        await client.read_resource(address)
                        raise AssertionError(address)
                    except Exception as error:
                        assert "no such resource" in str(error), (address, error)


async def prompts(place):
    """Prompts take their arguments as values, and say what is missing"""
    with Served(place.tool, place.empty()) as served:
        async with over_http(served.url) as client:
            listed = (await client.list_prompts()).prompts
            assert {"why_did_it_fail", "investigate_issue", "release_check"} <= {prompt.name for prompt in listed}
            for prompt in listed:
                values = {argument.name: f'x"\n{argument.name}\u202e' for argument in prompt.arguments}
                text = (await client.get_prompt(prompt.name, values)).messages[0].content.text
                assert "\u202e" not in text and all(f"- {name}: \"x\\\"\\\\n{name}" in text for name in values), text
                try:
                    await client.get_prompt(prompt.name, {})
                    raise AssertionError(prompt.name)
                except Exception as error:
                    assert "is missing" in str(error), error


async def speed(place):
    """An answer takes 100 ms at most"""
    with Served(place.tool, place.recording()) as served:
        async with over_http(served.url) as client:
            story = await Story.found(client)
            slowest = []
            for name, arguments, _ in story.good:
                times = []
                for _ in range(5):
                    start = time.perf_counter()
                    await client.call_tool(name, arguments)
                    times.append(time.perf_counter() - start)
                slowest.append((min(times), name))
            worst, name = max(slowest)
            # A build for debugging on a busy machine is given more; releases are measured by the benchmark.
            assert worst < 0.5, (worst, name)
    return f"the slowest, {name}: {worst * 1000:.0f} ms"
