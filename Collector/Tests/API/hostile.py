"""What nobody described: other methods, other paths, and questions made to hurt."""

from urllib.parse import quote

from description import Wrong

METHODS = ("OPTIONS", "PATCH", "TRACE", "PROPFIND", "LOCK", "get")


def refused(answer, what, statuses=(404,)):
    """A refusal has the form of every other one."""
    if answer.status not in statuses:
        raise Wrong(f"{what}: {answer.status}, not {statuses}: {answer.text[:200]}")
    if answer.headers.get("Content-Type", "").split(";")[0] != "application/json":
        raise Wrong(f"{what}: {answer.status} is {answer.headers.get('Content-Type')}")


def methods(api, facts):
    """methods that no route has"""
    for path, described in api.description.document["paths"].items():
        target = path.replace("{segment}", "0" * 32).replace("{bundle}", "com.example.none").replace("{id}", "999999").replace("{file}", "nothing.js")
        known = {each.upper() for each in described}
        for method in METHODS + ("POST", "PUT", "DELETE"):
            if method not in known:
                # A method that is no token of the standard is refused by the parser.
                refused(api.ask(method, target), f"{method} {target}", (404, 400) if method == "get" else (404,))
        if "HEAD" not in known:
            head = api.ask("HEAD", target)
            if head.status != 404 or head.body:
                raise Wrong(f"HEAD {target}: {head.status}, {head.body[:100]}")


def paths(api, facts):
    """paths that no route has"""
    for target in ("/api", "/api/nothing", "/api/sessions/a/b/c", "/openapi.yaml", "/v1", "/API/SESSIONS"):
        for method in ("GET", "POST", "PUT", "DELETE"):
            refused(api.ask(method, target), f"{method} {target}")
    for target in ("/api/sessions/", "/api//sessions", "/api/./sessions", "/api/sessions/%2e%2e", "/openapi.json/"):
        refused(api.ask("GET", target), target, (400,))


TEXTS = ["\0", "'; DROP TABLE event; --", "%", "_", "*" * 200, "(" * 500, '"' * 31, "\U0001f9ea" * 300, "-" * 900, "a:" * 300, "x" * 20_000, "ﷺ", "\ud7ff", "NaN", "1e999",
         "-9223372036854775808", "9223372036854775808", "0." + "9" * 400, "5xx,none", "[0-9]", "../..", "\r\nX: y"]


def parameters(api, facts):
    """parameters that are made to hurt"""
    for name, (method, template, operation) in api.description.operations.items():
        if method != "GET" or name == "tailEvents":
            continue
        fixed = {"listSearchValues": "&in=sessions&field=user", "awaitCommands": "&launchId=x&wait=0"}.get(name, "")
        for parameter in operation.get("parameters", []):
            # However long it is, `wait` is waited for.
            if parameter["in"] != "query" or parameter["name"] == "wait":
                continue
            for text in TEXTS:
                target = template.replace("{id}", "1").replace("{segment}", "0" * 32).replace("{bundle}", "a").replace("{file}", "x")
                query = f"{parameter['name']}={quote(text, safe='', errors='surrogatepass')}{fixed}"
                answer = api.ask("GET", f"{target}?{query}")
                if answer.status >= 500:
                    raise Wrong(f"{name}: {target}?{query[:200]} answers {answer.status}: {answer.text[:200]}")
                if answer.status == 431:
                    continue
                api.description.check(name, answer)
    api.description.check("awaitCommands", api.ask("GET", "/sdk-commands?launchId=x&wait=NaN"))


def listening(api, facts):
    """questions of the live tail that cannot be read"""
    for query in ("q=" + quote("nofield:x"), "lastEventId=x", "lastEventId=1.99999999999999999999", "q=" + "x" * 1001):
        api.description.check("tailEvents", refused_or(api.ask("GET", "/api/tail?" + query)))


def refused_or(answer):
    if answer.status != 400:
        raise Wrong(f"the live tail answers {answer.status}")
    return answer


def strangers(api, facts):
    """everything again by somebody without a key"""
    stranger = facts.stranger(api)
    for name, (method, template, operation) in api.description.operations.items():
        target = template.replace("{id}", "1").replace("{segment}", "0" * 32).replace("{bundle}", "a").replace("{file}", "index.html")
        if operation["x-access"] == "anyone":
            continue
        answer = stranger.ask(method, target, {"Content-Type": "application/json"}, b"{}" if method in ("POST", "PUT") else None)
        if answer.status != 401:
            raise Wrong(f"{method} {target} without a key: {answer.status}")
        api.description.check(name, answer)


ALL = [methods, paths, parameters, listening, strangers]
