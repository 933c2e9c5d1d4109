"""Two projects with everything in them that a project can have, and keys for the one of them only."""

import gzip
import json
import re
import sys
import uuid
from pathlib import Path
from urllib.parse import quote, urlencode

from house import MINE, OPERATOR, THEIRS, House, envelope, places
from strangers import replay

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Page"))
from collector import Launch  # noqa: E402

# In everything that is theirs: nothing that is answered to somebody else may have it.
SECRET = "zebra"
TRACE = "5eb7a0000000000000000000000000a1"
UNKNOWN = {"number": "987654321", "name": "nobody-9f", "hash": "0" * 31 + "7", "bundle": "dev.nobody.app"}


def isolated(tool, place):
    """17. Keys of one project read and change nothing of another, on any route"""
    with House(tool, place) as house:
        scene = Scene(house)
        before = scene.state()
        for who, key in scene.mine.items():
            for operation in scene.operations():
                yield from (f"{who}: {way}" for way in scene.attempt(operation, key))
        for way in scene.searches(scene.mine["viewer"]):
            yield way
        after = scene.state()
        for name in before:
            if before[name] != after[name]:
                yield f"{name} of the other project is changed: {str(before[name])[:300]} → {str(after[name])[:300]}"
        yield from scene.agents(scene.mine["viewer"])
        for way in scene.own():
            yield way
        print(f"         {scene.count} requests")


class Scene:
    """The other project's data, with its ids, and one's own keys."""

    def __init__(self, house):
        self.house = house
        projects = {each["bundleId"]: each for each in house.tell("GET", "/api/projects", key=OPERATOR)["projects"]}
        self.project = projects[THEIRS]["id"]
        house.tell("PUT", f"/api/projects/{self.project}", {"name": f"{SECRET} project"}, OPERATOR)
        own = projects[MINE]["id"]
        self.mine = {"ingest": house.app_key, **{role: self._key(own, role) for role in ("viewer", "operator")}}
        self.their_key_number = projects[THEIRS]["keys"][0]["id"]
        self.own_key_number = projects[MINE]["keys"][0]["id"]
        self._fill(THEIRS, house.their_key, SECRET)
        self._fill(MINE, house.app_key, "horse")
        self._find()
        self.count = 0

    def _key(self, project, role):
        return self.house.tell("POST", "/api/keys", {"project": project, "role": role, "name": f"{role} of mine"}, OPERATOR)["key"]

    def _fill(self, app, key, word):
        """A session with an event of each kind, a replay, a trace, a configuration, a search, an alert."""
        house, launch = self.house, Launch(user=f"{word}-user")
        launch.session = f"{word}-session"
        launch.context.update(sessionId=launch.session, deviceModel=f"{word}Phone", appVersion=f"1.0-{word}", tags={"team": f"{word}-team"})
        events = [
            launch.event("navigation", destination=f"{word}Screen", source=f"{word}Before", arguments={}),
            launch.event("log", level=4, tag=f"{word}tag", message=f"the {word} word", filterName="all"),
            launch.event("network_request", url=f"https://{word}.example.com/{word}/1?q={word}", host=f"{word}.example.com", path=f"/{word}/1",
                         method="GET", statusCode=503, durationMs=12.5, requestHeaders={}, responseHeaders={"x": word}),
            launch.event("handled_exception", exceptionClass=f"{word}Error", customMessage=f"{word} failed", bundleId=app, appVersion="1"),
            launch.event("interaction", interactionType="rage_tap", elementText=f"{word} button", screen=f"{word}Screen"),
            launch.event("custom", name=f"{word}_bought", properties={"what": word}),
            launch.crash([f"{word}.pay()", "main"]),
        ]
        for number, event in events:
            event["bundleId"] = app if "bundleId" in event else None
        body = envelope([event for _, event in events], app, str(uuid.uuid4()).upper())
        status, text = house.ask("POST", "/sdk-events", body, key)
        assert status == 200, text
        trace = TRACE if word == SECRET else "6" * 32
        span = {"traceId": trace, "spanId": "a1" * 8, "name": f"{word} span", "startTimeUnixNano": "1790000000000000000",
                "endTimeUnixNano": "1790000000005000000"}
        resource = {"attributes": [{"key": "service.name", "value": {"stringValue": app}},
                                   {"key": "session.id", "value": {"stringValue": f"{word}-traced"}}]}
        house.tell("POST", "/v1/traces", {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [span]}]}]}, key)
        # What cannot be read is kept apart.
        broken = envelope([], app)
        broken["events"] = [{"eventType": "log", "sequence": 160, "payload": "eyI" + word[:4]}]
        house.ask("POST", "/sdk-events", broken, key)
        if word == SECRET:
            replay(house, key, app, launch.session)
        house.tell("PUT", f"/api/config/{app}", {"shop": {"campaign": f"{word} sale"}}, OPERATOR)
        house.tell("POST", "/api/searches", {"name": f"{word} search", "address": f"#/sessions?q={word}"}, OPERATOR)
        house.until(f"/api/sessions/{launch.session}", lambda found: found["events"] == len(events))
        house.until(f"/api/traces/{trace}", lambda found: found["spans"])
        # The crash, and the exception.
        house.until(f"/api/issues?bundleId={app}", lambda found: len(found["issues"]) == 2)

    def _find(self):
        ask = self.house.tell
        session = f"{SECRET}-session"
        events = ask("GET", f"/api/sessions/{session}/events?limit=100", key=OPERATOR)["events"]
        self.events = {each["eventType"]: each["id"] for each in events}
        self.launch = events[0]["launchId"]
        self.issues = [each["id"] for each in ask("GET", "/api/issues?limit=100", key=OPERATOR)["issues"] if each["bundleId"] == THEIRS]
        self.own_issues = [each["id"] for each in ask("GET", "/api/issues?limit=100", key=OPERATOR)["issues"] if each["bundleId"] == MINE]
        assert self.issues and self.own_issues, "no issues"
        self.replay = ask("GET", f"/api/sessions/{session}/replays", key=OPERATOR)["replays"][0]["replayId"]
        self.segment = ask("GET", f"/api/replays/{self.replay}", key=OPERATOR)["segments"][0]["id"]
        self.search = ask("GET", "/api/searches", key=OPERATOR)["searches"][0]["id"]
        self.session = session
        # Whoever sees everything sees it: what is looked for below is there.
        assert SECRET in json.dumps(events)

    def state(self):
        """What there is of the other project."""
        ask = self.house.tell
        everything = ask("GET", "/api/projects", key=OPERATOR)
        theirs = next(each for each in everything["projects"] if each["id"] == self.project)
        for key in theirs["keys"]:
            key["lastUsedAt"] = None
        session = ask("GET", f"/api/sessions/{self.session}", key=OPERATOR)
        # It ends with the clock.
        session.pop("live")
        return {
            "the project": theirs,
            "the keys for all": [key["id"] for key in everything["keys"]],
            "the configuration": ask("GET", f"/api/config/{THEIRS}", key=OPERATOR),
            "an issue": [ask("GET", f"/api/issues/{each}", key=OPERATOR) for each in self.issues],
            "the session": session,
            "the searches": ask("GET", "/api/searches", key=OPERATOR),
            "the settings": ask("GET", "/api/settings", key=OPERATOR)["retention"]["days"],
            "the forwarders": ask("GET", "/api/forwarders", key=OPERATOR)["forwarders"],
            "the rules": ask("GET", "/api/alerts", key=OPERATOR)["rules"],
            "the default": ask("GET", "/api/config/%2A", key=OPERATOR),
        }

    # MARK: Each operation

    def operations(self):
        document = self.house.tell("GET", "/openapi.json")
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if operation["x-access"] != "anyone":
                    yield method.upper(), path, operation

    def ids(self, path):
        """For each name in a path: what the other project calls it, and what nobody does."""
        number, name = UNKNOWN["number"], UNKNOWN["name"]
        if "{bundle}" in path:
            return [{"bundle": (THEIRS, UNKNOWN["bundle"])}]
        if path.startswith("/api/replays"):
            return [{"id": (self.replay, name), "segment": (self.segment, UNKNOWN["hash"])}]
        known = {
            "/api/sessions": [(self.session, name)], "/api/issues": [(each, UNKNOWN["hash"][:len(each)]) for each in self.issues],
            "/api/events": [(each, number) for each in self.events.values()], "/api/network": [(each, number) for each in self.events.values()],
            "/api/users": [(f"{SECRET}-user", name)], "/api/traces": [(TRACE, "8" * 32)], "/api/projects": [(self.project, number)],
            "/api/keys": [(self.their_key_number, number)], "/api/searches": [(self.search, number)],
            "/api/ingest/segment": [(self.segment, UNKNOWN["hash"])],
        }
        found = next((each for begin, each in known.items() if path.startswith(begin + "/")), [("1", number)])
        return [{"id": each} for each in found]

    def queries(self, operation):
        """Without any, and with each parameter that can name something of the other project."""
        own = {"bundleId": THEIRS, "app": THEIRS, "session": self.session, "q": SECRET, "user": f"{SECRET}*", "screen": f"{SECRET}*",
               "url": SECRET, "message": SECRET, "host": f"{SECRET}*", "tag": "*", "version": f"1.0-{SECRET}", "launchId": "mine",
               "in": "sessions", "field": "user", "beginning": SECRET, "lastEventId": "0.0", "from": "0", "after": "0"}
        names = {each["name"] for each in operation.get("parameters", []) if each.get("in") == "query"}
        required = {each["name"]: own.get(each["name"], "1") for each in operation.get("parameters", [])
                    if each.get("in") == "query" and each.get("required")}
        yield {**required, **({"wait": "0"} if "wait" in names else {})}
        for name in names & set(own):
            yield {**required, name: own[name], **({"wait": "0"} if "wait" in names else {})}

    def body(self, method, path):
        issue = self.issues[0]
        bodies = {
            "/api/issues/{id}/status": {"status": "ignored"}, "/api/issues/{id}/assignee": {"assignee": "me"},
            "/api/issues/{id}/link": {"link": "https://example.com"}, "/api/issues/{id}/comments": {"text": "mine"},
            "/api/issues/{id}/merge": {"issues": [issue]}, "/api/issues/{id}/split": {"issue": issue},
            "/api/config/{bundle}": {"shop": {}}, "/api/commands": {"bundleId": THEIRS, "command": "sql", "timeoutSeconds": 0.1},
            "/api/keys": {"project": self.project, "role": "viewer"}, "/api/keys/{id}": {"name": "mine"},
            "/api/projects": {"bundleId": "dev.other.app", "name": "x"}, "/api/projects/{id}": {"name": "mine"},
            "/api/projects/{id}/retention": {"days": 1},
            "/api/searches": {"name": "mine", "address": "#/"}, "/api/searches/{id}": {"name": "mine"},
            "/api/settings/retention": {"days": 1}, "/sdk-events": envelope([], THEIRS),
            "/mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_sessions", "arguments": {}}},
        }
        return bodies.get(path, {}) if method in ("POST", "PUT") else None

    def attempt(self, operation, key):
        method, path, described = operation
        for names in self.ids(path) if "{" in path else [{}]:
            for query in self.queries(described):
                answers = []
                for side in (0, 1):
                    target = re.sub(r"\{(\w+)\}", lambda match: quote(str(names[match[1]][side]), safe="-._~"), path)
                    answers.append(self.ask(method, target + ("?" + urlencode(query) if query else ""), self.body(method, path), key))
                    if not names:
                        break
                status, text = answers[0]
                place = f"{method} {path} {query or ''} of {[each[0] for each in names.values()]}"
                told = text
                if status >= 500:
                    yield f"{place}: {status} {text[:300]}"
                named = [THEIRS] if THEIRS in json.dumps(self.body(method, path)) else []
                for given in [str(each[0]) for each in names.values()] + [str(each) for each in query.values()] + named:
                    told = told.replace(given, "…")
                if re.search(f"{SECRET}|{THEIRS}|{self.launch}", told, re.IGNORECASE):
                    yield f"{place}: {status} {told[:300]}"
                if len(answers) == 2 and not self.alike(names, *answers):
                    yield f"{place}: {status} {text[:200]}, and of what there is not {answers[1][0]} {answers[1][1][:200]}"

    @staticmethod
    def alike(names, ours, theirs):
        """Whether an answer would be the same if there were nothing of the name."""
        texts = []
        for side, (_, text) in enumerate((ours, theirs)):
            for pair in names.values():
                text = text.replace(str(pair[side]), "…").replace(str(pair[side])[:60], "…")
            texts.append(text)
        return ours[0] == theirs[0] and texts[0] == texts[1]

    def ask(self, method, target, body, key, headers=None):
        """(status, text); of a stream what comes first."""
        self.count += 1
        if target.startswith("/api/tail"):
            return 200, self.stream(target, key)
        status, text = self.house.ask(method, target, body, key, headers)
        if text[:2] == b"\x1f\x8b":
            text = gzip.decompress(text)
        return status, text.decode("utf-8", "replace")

    def stream(self, target, key, wanted=None):
        """What comes first; where something is wanted, everything until that has come."""
        with self.house.get(target, key) as connection:
            # A cluster looks for what has arrived before it tells of any.
            connection.settimeout(20 if wanted else 2 if places.now().isCluster else 0.4)
            text = b""
            try:
                while not (wanted and wanted in text) and (part := connection.recv(65536)):
                    text += part
            except TimeoutError:
                pass
        return text.decode("utf-8", "replace")

    # MARK: Guessing

    def searches(self, key):
        """Words, values and numbers that only the other project has lead to nothing, and to no count."""
        for word in (SECRET, f"user:{SECRET}-user", f"screen:{SECRET}Screen", "status:503", "has:crash", "type:crash", f"app:{THEIRS}"):
            for path in ("/api/sessions", "/api/sessions/facets", "/api/events", "/api/issues", "/api/network"):
                status, text = self.ask("GET", f"{path}?{urlencode({'q': word})}", None, key)
                if re.search(SECRET, text.replace(word, "…").replace(word.split(":")[-1], "…"), re.IGNORECASE):
                    yield f"{path} finds {word}: {text[:300]}"
        for field, domain in (("user", "sessions"), ("screen", "sessions"), ("tag", "sessions"), ("type", "events"), ("name", "events"),
                              ("host", "requests"), ("route", "requests"), ("file", "issues"), ("type", "issues"), ("assignee", "issues")):
            for beginning in ("", SECRET[:3]):
                query = urlencode({"in": domain, "field": field, "beginning": beginning, "q": beginning})
                status, text = self.ask("GET", f"/api/search/values?{query}", None, key)
                if SECRET in text.lower():
                    yield f"/api/search/values of {field}: {text[:300]}"
        counted = json.loads(self.ask("GET", "/api/sessions/facets", None, key)[1])
        if counted["total"] != 2:
            yield f"{counted['total']} sessions are counted of 2"
        # Numbers around one's own: one machine counts, a cluster has numbers that are far apart.
        last = max(self.events.values())
        numbers = range(1, last + 20) if last < 1000 else (number + step for number in self.events.values() for step in range(-3, 4))
        for number in numbers:
            for path in (f"/api/events/{number}/report", f"/api/network/{number}", f"/api/network/{number}/har"):
                status, text = self.ask("GET", path, None, key)
                if SECRET in text.lower():
                    yield f"{path}: {text[:300]}"

    def agents(self, key):
        """Every tool of an agent, with each name of the other project, and with none."""
        def call(method, params):
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return self.ask("POST", "/mcp", message, key, {"MCP-Protocol-Version": "2025-06-18"})[1]

        names = {"app": [THEIRS], "session": [self.session], "first": [self.session], "second": [self.session], "issue": self.issues,
                 "event": list(self.events.values()), "q": [SECRET], "query": [SECRET], "text": [SECRET], "user": [f"{SECRET}-user"],
                 "host": [f"{SECRET}.example.com"], "at": ["2026-09-21T14:13:20Z"], "old": [f"1.0-{SECRET}"], "new": [f"1.0-{SECRET}"]}
        for tool in json.loads(call("tools/list", {}))["result"]["tools"]:
            properties = tool["inputSchema"].get("properties", {})
            required = {name: names[name][0] for name in tool["inputSchema"].get("required", [])}
            tried = [required] + [{**required, name: value} for name in properties for value in names.get(name, [])]
            for arguments in tried:
                text = call("tools/call", {"name": tool["name"], "arguments": arguments})
                told = text
                for value in map(str, arguments.values()):
                    told = told.replace(value, "…")
                if re.search(f"{SECRET}|{THEIRS}|{self.launch}", told, re.IGNORECASE):
                    yield f"the tool {tool['name']} with {arguments}: {told[:300]}"
        if MINE not in (text := call("tools/call", {"name": "list_apps", "arguments": {}})):
            yield f"the tools do not find what is one's own: {text[:300]}"

    def own(self):
        """What is one's own is found, and changed."""
        house, operator, viewer = self.house, self.mine["operator"], self.mine["viewer"]
        for key in (operator, viewer):
            found = house.tell("GET", "/api/sessions", key=key)["sessions"]
            if {each["sessionId"] for each in found} != {"horse-session", "horse-traced"}:
                yield f"one's own sessions are not found: {[each['sessionId'] for each in found]}"
            for path in ("/api/events?q=horse", "/api/network?host=horse*", "/api/issues?q=horse", "/api/health", "/api/apps", "/api/launches",
                         "/api/sessions?q=horse&has=crash", "/api/sessions/horse-session/outline", "/api/sessions/horse-session/events",
                         "/api/network?failed=true&sort=slowest", "/api/sessions?q=status:503", "/api/users/horse-user"):
                text = json.dumps(house.tell("GET", path, key=key))
                if "horse" not in text and MINE not in text:
                    yield f"{path} does not find what is one's own: {text[:300]}"
        house.tell("PUT", f"/api/issues/{self.own_issues[0]}/status", {"status": "resolved"}, operator)
        house.tell("PUT", f"/api/config/{MINE}", {"shop": {"campaign": "another"}}, operator)
        if "the horse word" not in (told := self.stream("/api/tail?lastEventId=0.0", viewer, b"the horse word")) or SECRET in told:
            yield f"the tail tells {told[:300]}"
        projects = house.tell("GET", "/api/projects", key=operator)["projects"]
        if [each["bundleId"] for each in projects] != [MINE]:
            yield f"one's own project is not listed: {projects}"
        made = house.tell("POST", "/api/keys", {"project": projects[0]["id"], "role": "viewer"}, operator)
        house.tell("DELETE", f"/api/keys/{made['id']}", key=operator)
        for body in ({"role": "operator", "project": projects[0]["id"]}, {"role": "viewer"}, {"role": "operator"}):
            if (status := house.ask("POST", "/api/keys", body, operator)[0]) != 403:
                yield f"a project's operator makes a key {body}: {status}"
        if house.ask("PUT", f"/api/issues/{self.own_issues[0]}/status", {"status": "open"}, viewer)[0] != 403:
            yield "a viewer changes an issue"
