"""Everything that the API changes, changed and put back."""

import base64
import gzip
import hashlib
import json
import os
import threading
import time
import uuid

AUTHOR = {"X-AutoMobile-Author": "Lea%20Ming"}


def issues(api, facts):
    """what people decide about issues"""
    first, second = facts.twins
    place = {"id": first}
    api.call("setIssueStatus", path=place, headers=AUTHOR, body={"status": "resolved", "version": "2.4"})
    assert "resolvedIn" in api.call("listIssues", query={"status": "resolved"}).json["issues"][0]
    api.call("setIssueStatus", path=place, body={"status": "resolved", "after": "2.3"})
    api.call("setIssueStatus", 400, path=place, raw=b'{"status":"asleep"}')
    api.call("undoIssueStatus", path=place)
    api.call("undoIssueStatus", 409, path=place)
    api.call("setIssueAssignee", path=place, body={"assignee": "Lea"})
    api.call("setIssueAssignee", path=place, body={"assignee": None})
    api.call("setIssueAssignee", 400, path=place, raw=json.dumps({"assignee": "x" * 81}).encode())
    api.call("setIssueLink", path=place, body={"link": "https://example.com/1"})
    api.call("setIssueLink", 400, path=place, body={"link": "javascript:alert(1)"})
    api.call("commentOnIssue", path=place, body={"text": "Seen on iPads only."})
    api.call("commentOnIssue", 404, path={"id": "nothing"}, body={"text": "Seen."})
    merged = api.call("mergeIssues", path=place, body={"issues": [second]}).json
    assert merged["merged"], merged
    api.call("splitIssue", path=place, body={"issue": second})
    api.call("splitIssue", 404, path=place, body={"issue": second})
    api.call("mergeIssues", 404, path=place, body={"issues": ["nothing"]})
    assert api.call("getIssue", path=place).json["history"]


def projects(api, facts):
    """projects and keys"""
    made = api.call("createProject", headers=AUTHOR, body={"bundleId": "com.example.api", "name": "API"}).json["id"]
    api.call("createProject", 409, body={"bundleId": "com.example.api"})
    api.call("createProject", 400, raw=b'{"bundleId":""}')
    api.call("changeProject", path={"id": made}, body={"name": "The API", "tracker": "https://example.com/new?title={title}"})
    api.call("changeProject", 400, path={"id": made}, body={"tracker": "https://example.com/{weather}"})
    kept = api.call("setProjectRetention", path={"id": made}, body={"days": 3650}).json
    assert kept["days"] == 3650 and kept["keptDays"] <= 3650, kept
    api.call("setProjectRetention", 400, path={"id": made}, raw=b'{"days":0}')
    api.call("setProjectRetention", 400, path={"id": made}, raw=b'{"days":7,"bytes":1}')
    api.call("setProjectRetention", 404, path={"id": 999_999}, body={"days": 7})
    assert api.call("setProjectRetention", path={"id": made}, body={"days": None}).json["days"] is None
    key = api.call("createKey", body={"role": "ingest", "project": made, "name": "devices"}).json
    api.call("renameKey", path={"id": key["id"]}, body={"name": "phones"})
    rotated = api.call("rotateKey", path={"id": key["id"]}, body={"graceDays": 0}).json
    api.call("rotateKey", 400, path={"id": rotated["id"]}, raw=b'{"graceDays":366}')
    viewer = api.call("createKey", body={"role": "viewer"}).json
    assert {each["role"] for each in api.call("listProjects").json["keys"]} >= {"viewer"}
    api.call("revokeKey", path={"id": viewer["id"]})
    api.call("revokeKey", path={"id": rotated["id"]})
    api.call("renameKey", 404, path={"id": 999_999}, body={"name": "x"})
    api.call("removeProject", path={"id": made})
    api.call("removeProject", 404, path={"id": made})
    api.call("removeProject", 400, path={"id": "x"})


def sign_in(api, facts):
    """people sign in, and are signed out"""
    page = {"X-AutoMobile-Viewer": "1", "Sec-Fetch-Site": "same-origin"}
    link = api.call("createSignInLink", headers=AUTHOR, body={"role": "viewer", "name": "Mira", "minutes": 5}).json
    token = {"token": link["path"].partition("#token=")[2]}
    api.call("createSignInLink", 400, raw=b'{"role":"root"}')
    api.call("createSignInLink", 404, body={"role": "viewer", "project": "com.example.none"})
    api.call("getSignInPage")
    api.call("signIn", 403, body=token)
    cookie = api.call("signIn", headers=page, body=token).headers["Set-Cookie"].partition(";")[0]
    api.call("signIn", 401, headers=page, body=token)
    # A key would stand above it.
    mira = {**page, "Cookie": cookie, "Authorization": "-"}
    assert api.call("getSignIn", headers=mira).json["session"]["name"] == "Mira"
    assert api.call("getSignIn").json["session"] is None
    id = api.call("listSignIns").json["sessions"][0]["id"]
    api.call("signOut", 403, headers={"Cookie": cookie, "Authorization": "-"}, body={})
    assert api.call("signOut", headers=mira, body={}).json["ended"] == 1
    api.call("endSignIn", 404, path={"id": id})
    told = api.call("listAudit", query={"who": "Mira", "limit": 2}).json
    assert told["entries"][0]["action"] == "sign-out" and told["next"], told
    api.call("listAudit", query={"who": "Mira", "limit": 2, "before": told["next"]})
    api.call("listAudit", 400, query={"before": "x"})
    api.call("leaveForProvider", 404, headers=page, body={})
    api.call("arriveFromProvider", 303, query={"code": "x", "state": "y"})


def asks(api, facts):
    """asking for what devices keep"""
    wish = {"bundleId": "com.example.shop", "user": "ada", "reason": "Ticket 88"}
    asked = api.call("ask", headers=AUTHOR, body={**wish, "from": 1, "to": None}).json
    assert asked["state"] == "asked" and asked["gone"] is None, asked
    api.call("ask", 409, body={**wish, "from": 1})
    api.call("ask", 400, body={**wish, "device": "d"})
    api.call("ask", 400, raw=b'{"bundleId":"a","user":"ada"}')
    api.call("ask", 404, body={"session": "nobody", "reason": "r"})
    asker = {"X-AutoMobile-Asker": "user=ada"}
    told = api.call("getOwnConfiguration", query={"bundleId": "com.example.shop", "launchId": "a"}, headers=asker)
    (named,) = told.json["upload"]["asks"]
    assert named.pop("id").endswith(f"-{asked['id']}") and named == {"user": "ada", "from": 1}, told.json
    api.call("awaitCommands", 204, query={"bundleId": "com.example.shop", "launchId": "a", "wait": 0}, headers=asker)
    api.call("getAsk", path={"id": asked["id"]})
    api.call("getAsk", 404, path={"id": 999_999})
    assert api.call("listAsks", query={"user": "ada", "open": "true", "limit": 1}).json["asks"][0]["reason"] == "Ticket 88"
    api.call("listAsks", 400, query={"user": "ada", "device": "d"})
    assert api.call("withdrawAsk", path={"id": asked["id"]}).json["gone"] == "withdrawn"
    api.call("withdrawAsk", 409, path={"id": asked["id"]})
    api.call("withdrawAsk", 404, path={"id": 999_999})


def settings(api, facts):
    """retention, sources and saved searches"""
    before = api.call("getSettings").json["retention"]
    api.call("setRetention", headers=AUTHOR, body={"days": 3650, "bytes": 1 << 40})
    api.call("setRetention", 400, raw=b'{"days":0}')
    api.call("setRetention", 400, raw=b'{"weeks":1}')
    api.call("setRetention", 413, raw=b'{"days":' + b" " * 20_000 + b"1}")
    api.call("setRetention", body={"days": before["days"], "bytes": before["bytes"]})
    api.call("setSourceLink", body={"app": "*", "link": "vscode://file/{path}:{line}", "root": "/build"})
    assert api.call("listSourceLinks").json["sources"]
    api.call("setSourceLink", 400, body={"app": "*", "link": "javascript:{path}"})
    api.call("setSourceLink", body={"app": "*", "link": None})
    saved = api.call("saveSearch", body={"name": "Payments", "address": "#/network?q=payment"}).json["id"]
    other = api.call("saveSearch", body={"name": "Others", "address": "#/network"}).json["id"]
    api.call("saveSearch", 400, raw=b'{"name":"x","address":"https://example.com"}')
    api.call("renameSearch", path={"id": saved}, body={"name": "Failed payments"})
    api.call("renameSearch", 409, path={"id": saved}, body={"name": "Others"})
    assert api.call("listSearches").json["searches"]
    api.call("deleteSearch", path={"id": saved})
    api.call("deleteSearch", path={"id": other})
    api.call("deleteSearch", 404, path={"id": saved})


def erasures(api, facts):
    """erasing, with a receipt"""
    tried = api.call("erase", body={"user": "nobody-of-this-name", "dryRun": True}).json
    assert tried["dryRun"] and tried["sessions"] == 0, tried
    for wrong in ({}, {"user": "a", "session": "b"}, {"user": ""}, {"device": ""}, {"session": ""}, {"user": "ada", "reason": "ada asked"}, {"user": "ada", "project": "a b"}):
        api.call("erase", 400, raw=json.dumps(wrong).encode())
    begun = api.call("erase", headers=AUTHOR, body={"user": "nobody-of-this-name", "reason": "Request 4711"}).json["id"]
    deadline = time.monotonic() + 60
    while (found := api.call("getErasure", path={"id": begun}).json)["step"] != "done":
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    assert hashlib.sha256(found["receipt"].encode()).hexdigest() == found["sha256"], found
    assert api.call("listErasures", query={"user": "nobody-of-this-name"}).json["erasures"][0]["id"] == begun
    assert api.call("listErasures").json["erasures"]
    api.call("listErasures", 400, query={"user": "a", "device": "b"})
    api.call("getErasure", 404, path={"id": 999_999})


def redactions(api, facts):
    """rules of redaction"""
    pattern = api.call("addRedaction", headers=AUTHOR, body={"pattern": "iban", "project": "com.example.redacted"}).json["id"]
    field = api.call("addRedaction", body={"field": "x-secret", "project": "com.example.redacted"}).json["id"]
    for wrong in ({}, {"pattern": "regex"}, {"field": "a b"}, {"field": "sessionId"}, {"pattern": "ip", "project": "a b"}):
        api.call("addRedaction", 400, raw=json.dumps(wrong).encode())
    assert {rule["id"] for rule in api.call("listRedactions").json["rules"]} >= {pattern, field}
    text = api.call("tryRedaction", body={"text": "x-secret: a\nb@example.com", "project": "com.example.redacted", "patterns": ["email"], "fields": ["b"]}).json
    assert text["text"] == "x-secret: [redacted]\n[redacted:email]" and text["redacted"] == 2, text
    api.call("tryRedaction", 400, raw=b"{}")
    for rule in (pattern, field):
        api.call("removeRedaction", path={"id": rule})
    api.call("removeRedaction", 404, path={"id": pattern})


def symbols(api, facts):
    """symbols and sources of a build"""
    program = facts.program.read_bytes()
    added = api.call("addSymbols", query={"name": "victim"}, raw=program, kind="application/octet-stream").json["added"]
    assert len(added) == 1, added
    assert api.call("addSymbols", raw=program, kind="application/octet-stream").json["known"]
    api.call("addSymbols", 422, raw=b"nothing", kind="application/octet-stream")
    api.call("addSymbols", 415, raw=program, kind="text/plain")
    build = added[0]["id"]
    source = b"print(1)\n"
    names = json.dumps({"commit": "4f1c2a9", "files": [{"path": "main.swift", "bytes": len(source)}]}).encode()
    archive = b"automobile sources 1\n" + len(names).to_bytes(8, "little") + names + source
    api.call("addSources", query={"build": [build]}, raw=archive, kind="application/octet-stream")
    api.call("addSources", 422, query={"build": [build]}, raw=archive[:-1], kind="application/octet-stream")
    api.call("addSources", 404, query={"build": ["00" * 20]}, raw=archive, kind="application/octet-stream")
    api.call("removeSymbols", path={"id": build})
    api.call("removeSymbols", 404, path={"id": build})


def control(api, facts):
    """configuration documents, and a command that an app answers"""
    app = {"bundle": "com.example.api"}
    assert api.call("getConfiguration", path=app).json["version"] == 0
    written = api.call("setConfiguration", path=app, headers=AUTHOR, body={"sampling": {"sessionRate": 0.5}}).json
    api.call("setConfiguration", 409, path=app, body={"version": written["version"] - 1})
    api.call("setConfiguration", 400, path=app, body={"sampling": {"sessionRate": 2}})
    api.call("listConfigurationChanges", path=app, query={"limit": 5})
    api.call("getConfiguration", 400, path={"bundle": "a b"})
    told = api.call("getOwnConfiguration", query={"bundleId": "com.example.api"})
    api.call("getOwnConfiguration", 304, query={"bundleId": "com.example.api"}, headers={"If-None-Match": told.headers["ETag"]})
    rule = {"name": "hangs", "when": {"hang": {"atLeastMs": 2000}}}
    tried = api.call("tryUploadRules", path=app, body={"upload": {"mode": "whenTriggered", "rules": [rule, {"name": "odd", "when": {}}]}}).json
    assert [one["name"] for one in tried["rules"]] == ["hangs"] and tried["problems"][0]["place"].startswith("upload.rules[1]"), tried
    assert api.call("tryUploadRules", path=app, raw=b'{"upload":7}').json["problems"]
    api.call("tryUploadRules", 400, path=app, raw=b"[")
    wrong = api.call("setConfiguration", 400, path=app, body={"upload": {"rules": [rule, {"name": "odd", "when": {}}]}}).json
    assert wrong["error"]["problems"], wrong
    api.call("setConfiguration", path=app, body={})
    command(api)


def command(api):
    launch = {"launchId": str(uuid.uuid4()).upper(), "bundleId": "com.example.api"}
    said = {}

    def give():
        for _ in range(100):
            said["listeners"] = api.call("listListeners").json["listeners"]
            if said["listeners"]:
                break
            time.sleep(0.05)
        said["answer"] = api.call("giveCommand", body={"command": "ping", "launchId": launch["launchId"], "arguments": {"a": 1}}).json

    giver = threading.Thread(target=give)
    giver.start()
    given = api.call("awaitCommands", query={**launch, "commands": "ping", "wait": 20}).json["commands"]
    api.call("answerCommand", path={"id": given[0]["id"]}, query=launch, body={"ok": True, "pong": given[0]["arguments"]})
    giver.join(30)
    assert said["answer"]["answer"]["pong"] == {"a": 1}, said
    api.call("answerCommand", 404, path={"id": given[0]["id"]}, query=launch, body={"ok": True})
    api.call("awaitCommands", 204, query={**launch, "wait": 0})
    api.call("awaitCommands", 400, query={"launchId": "x" * 65})
    api.call("giveCommand", 404, body={"command": "ping", "bundleId": "com.example.nobody"})
    api.call("giveCommand", 400, body={"command": "ping"})


def ingest(api, facts):
    """deliveries"""
    event = {"timestamp": int(time.time() * 1000), "message": "Hello"}
    batch = {
        "bundleId": "com.example.api", "timestamp": event["timestamp"], "launchId": str(uuid.uuid4()),
        "events": [
            {"eventType": "log", "sequence": 1, "payload": base64.b64encode(json.dumps(event).encode()).decode()},
            {"eventType": "log", "sequence": 2, "payload": "***"},
        ],
    }
    taken = api.call("deliverEvents", body=batch).json
    assert taken["accepted"] == 1 and len(taken["rejected"]) == 1, taken
    api.call("deliverEvents", raw=gzip.compress(json.dumps(batch).encode()), headers={"Content-Encoding": "gzip"})
    api.call("deliverEvents", 400, raw=b'{"events":7}')
    api.call("deliverEvents", 400, raw=b"nothing", kind="application/x-automobile-journal")
    api.call("deliverEvents", 415, raw=b"{}", kind="text/plain")
    api.call("deliverEvents", 400, raw=b"nothing", headers={"Content-Encoding": "gzip"})
    assert api.call("drainEvents", query={"bundleId": "com.example.api"}).json


def replay(api, facts):
    """a replay, from the announcement to the end"""
    app = {"X-Bundle-Id": "com.example.api"}
    name, now = str(uuid.uuid4()), int(time.time() * 1000)
    api.call("getReplayPolicy", headers=app)
    assert api.call("authorizeDevice", headers=app, body={"deviceId": "3F2A"}).json["uploadToken"]
    content = b'{"nodes":[]}\n'
    body = gzip.compress(content)
    announced = {
        "sessionId": name, "segmentId": os.urandom(16).hex(), "kind": "hierarchy", "startTime": now - 1000, "endTime": now, "frameCount": 1,
        "sizeBytes": len(body), "contentHash": hashlib.sha256(content).hexdigest(), "telemetrySessionIds": facts.sessions[:1],
    }
    place = {"id": announced["segmentId"]}
    api.call("putSegment", 404, path=place, headers=app, raw=body, kind="application/gzip")
    assert "uploadUrl" in api.call("announceSegment", headers=app, body=announced).json
    api.call("putSegment", 400, path=place, headers=app, raw=gzip.compress(b"other"), kind="application/gzip")
    api.call("putSegment", 204, path=place, headers=app, raw=body, kind="application/gzip")
    assert "skipUpload" in api.call("announceSegment", headers=app, body=announced).json
    finished = {"segmentId": announced["segmentId"], "actualSizeBytes": len(body)}
    api.call("completeSegment", headers=app, body=finished)
    assert "alreadyCompleted" in api.call("completeSegment", headers=app, body=finished).json
    api.call("announceSegment", 400, headers=app, raw=b"{}")
    fault = {"incidentId": str(uuid.uuid4()), "sessionId": name, "timestampMs": now, "category": "exception", "frames": [], "context": {}}
    api.call("reportFault", headers=app, body=fault)
    assert "deduplicated" in api.call("reportFault", headers=app, body=fault).json
    api.call("endReplay", headers=app, body={"sessionId": name, "endedAt": now, "endReason": "app", "metrics": {"frames": 1}})
    assert "ignored" in api.call("endReplay", headers=app, body={"sessionId": name, "endedAt": now}).json
    seen = api.call("getReplay", path={"id": name}).json
    assert seen["faults"] and seen["segments"] and seen["metrics"], seen
    lines = api.call("getSegment", path={"id": name, "segment": announced["segmentId"]})
    assert gzip.decompress(lines.body) == content


def resend(api, facts):
    """a recorded request, sent once more"""
    sent = api.call("resendRequest", path={"id": facts.repeatable}, headers=AUTHOR).json
    assert sent["statusCode"] == 200 and sent["responseBody"] == "again", sent
    api.call("resendRequest", 403, path={"id": facts.elsewhere})
    api.call("resendRequest", 404, path={"id": 0})


ALL = [ingest, issues, projects, sign_in, asks, settings, erasures, redactions, symbols, control, replay, resend]
