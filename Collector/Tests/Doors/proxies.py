"""Who says that a request comes from somebody else."""

import http.client
import json

from house import INGEST, OPERATOR, House
from people import Browser, token

PROXY = ["--trusted-proxy", "127.0.0.1", "--trusted-proxy", "10.0.0.0/8"]


def addresses(house):
    """From where refusals came, as the audit log has it, the newest first."""
    entries = house.tell("GET", "/api/audit?action=refused&limit=200", key=OPERATOR)["entries"]
    return [entry["address"] for entry in entries]


def seen(house, thing, *headers):
    """The address that a refused request is written down with; each of `headers` is a field, and one can stand there twice."""
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=30)
    connection.putrequest("GET", f"/api/sessions/{thing}")
    connection.putheader("Authorization", "Bearer nobody-knows-this")
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    assert connection.getresponse().status in (400, 401, 431)
    connection.close()
    found = house.tell("GET", f"/api/audit?action=refused&what={thing}", key=OPERATOR)["entries"]
    return found[0]["address"] if found else None


def forwarded(tool, place):
    """26. Only a trusted proxy says whom a request comes from, and only as far back as its word reaches"""
    cases = [
        ([], "127.0.0.1"),
        ([("X-Forwarded-For", "203.0.113.7")], "203.0.113.7"),
        # What the stranger wrote stands before what the proxy heard.
        ([("X-Forwarded-For", "198.51.100.1, 203.0.113.7")], "203.0.113.7"),
        ([("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", "203.0.113.7, 10.1.2.3")], "203.0.113.7"),
        ([("X-Forwarded-For", "203.0.113.7, 10.1.2.3, 127.0.0.1")], "203.0.113.7"),
        ([("X-Forwarded-For", "10.9.9.9, 10.1.2.3")], "10.9.9.9"),
        ([("X-Forwarded-For", "2001:db8::1")], "2001:db8::1"),
        ([("X-Forwarded-For", "[2001:DB8:0::1]:4711")], "2001:db8::1"),
        ([("X-Forwarded-For", "::ffff:203.0.113.7")], "203.0.113.7"),
        ([("X-Forwarded-For", "198.51.100.1, unknown, 10.1.2.3")], "10.1.2.3"),
        ([("X-Forwarded-For", "<script>alert(1)</script>")], "127.0.0.1"),
        ([("X-Forwarded-For", "203.0.113.7' OR 1=1")], "127.0.0.1"),
        ([("X-Forwarded-For", "203.0.113.7," * 500)], "127.0.0.1"),
        ([("X-Forwarded-For", "")], "127.0.0.1"),
        ([("Forwarded", 'for=203.0.113.9;proto=https;by=10.1.2.3')], "203.0.113.9"),
        ([("Forwarded", 'for=198.51.100.1, FOR="[2001:db8::9]:4711"')], "2001:db8::9"),
        ([("Forwarded", 'for=_hidden')], "127.0.0.1"),
        ([("Forwarded", 'for="198.51.100.1, for=203.0.113.7"')], "127.0.0.1"),
        # The one that the proxy does not know is the stranger's.
        ([("X-Forwarded-For", "203.0.113.7"), ("Forwarded", "for=198.51.100.1")], "127.0.0.1"),
        ([("X-Forwarded-For", "203.0.113.7"), ("Forwarded", "for=203.0.113.7")], "203.0.113.7"),
    ]
    with House(tool, place / "trusting", arguments=PROXY) as house:
        for number, (headers, wanted) in enumerate(cases):
            found = seen(house, f"case{number}x", *headers)
            if found != wanted:
                yield f"{headers} is taken for {found}, not {wanted}"
    for name, arguments in (("nobody", []), ("others", ["--trusted-proxy", "10.0.0.0/8"])):
        with House(tool, place / name, arguments=arguments) as house:
            for number, (headers, _) in enumerate(cases):
                found = seen(house, f"case{number}x", *headers)
                if found != "127.0.0.1":
                    yield f"without trust in {name}, {headers} is taken for {found}"


def throttled(tool, place):
    """27. Guesses at sign-in links are counted by who is behind the proxy, and cannot be spread by writing other names"""
    with House(tool, place / "trusting", arguments=PROXY) as house:
        def guess(address, secret="x" * 43):
            body, headers = json.dumps({"token": secret}).encode(), {**Browser.PAGE, "Content-Type": "application/json", "X-Forwarded-For": address}
            return house.ask("POST", "/api/sign-in", body, None, headers)[0]

        statuses = [guess(f"198.51.100.{number}, 203.0.113.7") for number in range(60)]
        if 429 not in statuses:
            yield f"60 guesses of one address under 60 names: {sorted(set(statuses))}"
        if guess("203.0.113.8") == 429:
            yield "somebody else behind the proxy waits as well"
        if guess("203.0.113.7") != 429:
            yield "the one who guessed does not wait"
        if guess("203.0.113.7", token(house, role="viewer", name="Mira")) != 200:
            yield "a link that is right waits as well"
    with House(tool, place / "nobody") as house:
        body = json.dumps({"token": "x" * 43}).encode()
        statuses = [house.ask("POST", "/api/sign-in", body, None, {**Browser.PAGE, "Content-Type": "application/json", "X-Forwarded-For": f"203.0.113.{number}"})[0]
                    for number in range(60)]
        if 429 not in statuses:
            yield "a header of anybody's has guesses counted for others"


def secure_cookie(tool, place):
    """28. A cookie is made for TLS when a trusted proxy says that the browser came by it, and by nobody else's word"""
    for name, arguments, wanted in (("trusting", PROXY, True), ("nobody", [], False)):
        with House(tool, place / name, arguments=arguments) as house:
            browser = Browser(house)
            status, headers, _ = browser.ask("POST", "/api/sign-in", {"token": token(house, role="viewer", name="Mira")}, {**Browser.PAGE, "X-Forwarded-Proto": "https"})
            cookie = headers["Set-Cookie"] or ""
            if status != 200 or ("Secure" in cookie and cookie.startswith("__Host-")) != wanted:
                yield f"with {name}: {status} {cookie}"
            if wanted and browser.ask("GET", "/api/sessions", headers={"X-Forwarded-Proto": "https"})[0] != 200:
                yield "the cookie is not known again"
            if wanted and browser.ask("GET", "/api/sessions", headers={"X-Forwarded-Proto": "http, https"})[0] != 200:
                yield "the last proxy's word does not count"


def behind_proxy(tool, place):
    """29. Behind a proxy on the same machine, and where people sign in, nobody is taken for somebody of this machine"""
    signing = ["--oidc-issuer", "http://127.0.0.1:9", "--oidc-client-id", "automobile", "--oidc-grant", "sub=*:viewer", "--allow-egress", "127.0.0.1:9"]
    for name, arguments in (("proxy", PROXY), ("people", signing)):
        with House(tool, place / name, locked=False, arguments=arguments) as house:
            for method, target, body in (
                ("GET", "/api/sessions", None), ("GET", "/api/events?q=a", None), ("GET", "/api/audit", None),
                ("POST", "/api/projects", {"bundleId": "dev.attacker.app", "name": "mine"}), ("POST", "/v1/logs", {"resourceLogs": []}),
            ):
                for key in (None, "nobody-knows-this"):
                    status, text = house.ask(method, target, body, key)
                    if status not in (401, 403):
                        yield f"{name}: {method} {target} is answered with {status} to whoever comes with {key}: {text[:100]}"
    with House(tool, place / "alone", locked=False) as house:
        if house.ask("GET", "/api/sessions")[0] != 200:
            yield "on this machine alone nobody gets in either"
    with House(tool, place / "starter", locked=False, arguments=[*PROXY, "--key", INGEST]) as house:
        status, _ = house.ask("POST", "/api/projects", {"bundleId": "dev.attacker.app", "name": "mine"}, INGEST)
        if status not in (401, 403):
            yield f"a key out of an app makes projects through a proxy: {status}"
