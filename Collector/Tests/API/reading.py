"""Every question of the API, asked of what the demo recorded."""

import http.client
import json

LONG_AGO, FAR_OFF = 1_000_000_000_000, 4_000_000_000_000


def sessions(api, facts):
    """sessions, in lists and one by one"""
    listed = api.call("listSessions", query={"limit": 2}).json
    assert listed["next"] and len(listed["sessions"]) == 2, listed
    api.call("listSessions", query={"before": listed["next"], "sort": "longest", "from": LONG_AGO, "to": FAR_OFF})
    api.call("listSessions", query={"q": "payment", "has": ["error"], "sort": "relevance"})
    api.call("listSessions", query={"q": "status:5xx"})
    api.call("listSessions", query={"user": "*", "tag": "*", "screen": "*", "url": "v1", "message": "a"})
    api.call("listSessions", 400, query={"q": "nofield:x"})
    api.call("listSessions", 400, query={"limit": 0})
    counted = api.call("countSessions", query={"app": ["com.example.coffeeshop"]}).json
    assert counted["total"] > 0 and counted["facets"]["app"]
    for session in facts.sessions:
        api.call("getSession", path={"id": session})
        api.call("getOutline", path={"id": session})
        api.call("listReplaysOfSession", path={"id": session})
    first = facts.sessions[0]
    api.call("getSession", 404, path={"id": "nobody"})
    page = api.call("listEventsOfSession", path={"id": first}, query={"limit": 5}).json
    api.call("listEventsOfSession", path={"id": first}, query={"after": page["next"], "type": "log,navigation", "q": "a"})
    back = api.call("listEventsOfSession", path={"id": first}, query={"before": page["next"], "limit": 500}).json
    assert [each["id"] for each in back["events"]] == [each["id"] for each in page["events"][:-1]], back
    api.call("listEventsOfSession", 400, path={"id": first}, query={"before": page["next"], "after": page["next"]})
    api.call("listEventsOfSession", path={"id": first}, query={"ids": ",".join(str(each["id"]) for each in page["events"])})
    api.call("getOutline", path={"id": first}, query={"q": "a", "newer": 1})
    packed = api.call("getOutline", path={"id": first}, headers={"Accept": "application/vnd.automobile.outline"})
    assert int.from_bytes(packed.body[:4], "little") % 8 == 4, packed.body[:64]
    for session in facts.sessions:
        trace = api.call("exportTrace", path={"id": session}).json
        assert sum("event" in each.get("args", {}) for each in trace["traceEvents"]) > 0
    api.call("exportTrace", 404, path={"id": "nobody"})
    file = api.call("exportSession", path={"id": first})
    taken = api.call("importSession", raw=file.body, kind="application/vnd.automobile.session+gzip").json
    assert taken["events"] > 0
    facts.wait(lambda: api.call("getSession", path={"id": taken["sessionId"]}).json["events"] > 0)
    assert "imported" in api.call("getSession", path={"id": taken["sessionId"]}).json
    api.call("importSession", 400, raw=b"{}", kind="application/octet-stream")
    api.call("importSession", 415, raw=b"{}", kind="text/plain")
    api.call("exportSession", 404, path={"id": "nobody"})


def events(api, facts):
    """events, launches, and the live tail"""
    page = api.call("searchEvents", query={"limit": 3}).json
    api.call("searchEvents", query={"before": page["next"], "type": "log", "q": "a", "session": facts.sessions[0]})
    api.call("searchEvents", query={"q": "type:crash"})
    api.call("searchEvents", 400, query={"before": "x"})
    api.call("listLaunches", query={"limit": 1})
    assert any("end" in each for each in api.call("listLaunches").json["launches"])
    api.call("listQuarantine", query={"limit": 10})
    tail(api)


def tail(api):
    """A stream does not end: it is read from the beginning of everything until an event has come."""
    method, target = api.description.request("tailEvents", {}, {"lastEventId": "0.0"}, {}, None)
    connection = http.client.HTTPConnection("127.0.0.1", api.port, timeout=20)
    connection.request(method, target, headers={"Authorization": f"Bearer {api.key}"} if api.key else {})
    response = connection.getresponse()
    assert response.status == 200 and response.headers["Content-Type"] == "text/event-stream", response.headers
    lines = iter(response.readline, b"")
    data = next(line for line in lines if line.startswith(b"data: "))
    event = api.description.document["components"]["schemas"]["Event"]
    api.description._validate("tailEvents", "an event", event, json.loads(data[6:]))
    connection.close()
    api.call("tailEvents", 400, query={"lastEventId": "nothing"})


def issues(api, facts):
    """issues and their reports"""
    for order in ("last", "first", "count", "sessions"):
        listed = api.call("listIssues", query={"sort": order, "limit": 10}).json["issues"]
    facts.issues = [each["id"] for each in listed]
    api.call("listIssues", query={"kind": "crash,hang", "status": "open", "version": "1.0", "bundleId": "com.example.coffeeshop", "q": "crash"})
    api.call("listIssues", 400, query={"status": "sleeping"})
    for issue in facts.issues:
        detail = api.call("getIssue", path={"id": issue}).json
        for report in detail["reports"][:2]:
            api.call("getReport", path={"id": report["event"]})
            api.call("exportReportAsText", path={"id": report["event"]})
            api.call("exportReportAsIPS", path={"id": report["event"]})
    api.call("getIssue", 404, path={"id": "nothing"})
    listed = api.call("listReports", query={"limit": 1, "kind": "crash"}).json
    api.call("listReports", query={"before": listed["next"] or "0.1"})
    api.call("getReport", 404, path={"id": 0})
    log = api.call("searchEvents", query={"type": "log", "limit": 1}).json["events"][0]["id"]
    api.call("getReport", 404, path={"id": log})
    api.call("getRequest", 404, path={"id": log})


def network(api, facts):
    """requests, whole and as files"""
    listed = api.call("listRequests", query={"limit": 3}).json
    api.call("listRequests", query={"before": listed["next"], "sort": "newest"})
    api.call("listRequests", query={
        "method": "GET,POST", "status": "2xx,404,none,unfinished", "host": "*", "path": "/*", "minMs": 0, "mocked": "false", "from": LONG_AGO,
        "to": FAR_OFF, "arrivedAfter": 0, "q": "payment", "app": "com.example.coffeeshop"})
    api.call("listRequests", query={"failed": "true", "sort": "slowest"})
    api.call("listRequests", 400, query={"status": "much"})
    api.call("listRequests", 400, query={"host": "*" * 9})
    api.call("countRequests", query={"session": facts.sessions[0]})
    api.call("countRequests")
    for each in listed["requests"]:
        for name in ("getRequest", "exportRequest", "exportRequestAsCurl", "exportRequestAsFetch", "exportRequestAsText"):
            api.call(name, path={"id": each["id"]})
    assert json.loads(api.call("exportRequests", query={"limit": 5}).body)["log"]["entries"]
    api.call("exportRequests", 400, query={"limit": "none"})
    api.call("getRequest", 404, path={"id": 0})
    api.call("getRequest", 400, path={"id": "x"})
    api.call("listResendHosts")


def people(api, facts):
    """people, apps and their health"""
    user, app = next((each["userId"], each["bundleId"]) for each in api.call("listSessions").json["sessions"] if each["userId"])
    api.call("getUser", path={"id": user})
    api.call("getUser", path={"id": user}, query={"app": app})
    api.call("getUser", 404, path={"id": "nobody at all"})
    api.call("listSessionsOfUser", path={"id": user}, query={"limit": 1})
    api.call("getHealth")
    api.call("getHealth", query={"app": "com.example.coffeeshop", "from": LONG_AGO, "to": FAR_OFF})
    api.call("getHealth", 400, query={"from": 2, "to": 1})
    assert "keptBytes" in api.call("getSavings", query={"app": "com.example.coffeeshop"}).json
    api.call("listApps")


def replays(api, facts):
    """replays"""
    found = [each for session in facts.sessions for each in api.call("listReplaysOfSession", path={"id": session}).json["replays"]]
    assert found, "the demo has none"
    for replay in found:
        api.call("getReplay", path={"id": replay["replayId"]})
    for segment in found[0]["segments"][:3]:
        place = {"id": found[0]["replayId"], "segment": segment["id"]}
        whole = api.call("getSegment", path=place, query={"parts": 1})
        api.call("getSegment", 304, path=place, query={"parts": 1}, headers={"If-None-Match": whole.headers["ETag"]})
    api.call("getReplay", 404, path={"id": "nothing"})
    api.call("getSegment", 404, path={"id": found[0]["replayId"], "segment": "0" * 32})


def searches(api, facts):
    """the query language"""
    for domain, fields in api.call("listSearchFields").json.items():
        for field in fields:
            api.call("listSearchValues", query={"in": domain, "field": field["name"]})
    api.call("listSearchFields", query={"in": "issues"})
    api.call("listSearchFields", 400, query={"in": "weather"})
    api.call("listSearchValues", 400, query={"in": "issues", "field": "weather"})
    api.call("listSearches")


def service(api, facts):
    """the collector itself, and its viewer"""
    api.call("getStatus")
    assert "automobile" in api.call("getMetrics").text
    for get, head in (("getViewer", "checkViewer"), ("getViewerFile", "checkViewerFile")):
        path = {} if get == "getViewer" else {"file": "index.html"}
        page = api.call(get, path=path)
        api.call(get, 304, path=path, headers={"If-None-Match": page.headers["ETag"]})
        api.call(head, path=path)
        api.call(head, 304, path=path, headers={"If-None-Match": page.headers["ETag"]})
    api.call("getViewerFile", 404, path={"file": "nothing.js"})
    api.call("checkViewerFile", 404, path={"file": "nothing.js"})
    described = api.call("getDescription")
    api.call("getDescription", 304, headers={"If-None-Match": described.headers["ETag"]})
    api.call("getSettings")
    api.call("listSymbols")
    api.call("listSourceLinks")
    api.call("listProjects")
    api.call("listConfigurations")
    api.call("listListeners")


ALL = [service, sessions, events, issues, network, people, replays, searches]
