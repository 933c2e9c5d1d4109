"""Who signs in, and who would like to be taken for somebody who has."""

import http.client
import json
import time
import urllib.parse

from house import OPERATOR, House, places
from provider import SECRET, Provider, another, elliptic


class Browser:
    """Keeps cookies, and says where its requests come from."""

    PAGE = {"Sec-Fetch-Site": "same-origin", "X-AutoMobile-Viewer": "1"}
    RETURN = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}

    def __init__(self, house):
        self.house, self.cookies = house, {}

    def ask(self, method, target, body=None, headers=PAGE):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.house.port, timeout=30)
        told = dict(headers)
        if self.cookies:
            told["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            body, told["Content-Type"] = json.dumps(body).encode(), told.get("Content-Type", "application/json")
        try:
            connection.request(method, target, body, told)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            if "Max-Age=0" in line:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer.status, answer.headers, text

    def reads(self):
        return self.ask("GET", "/api/sessions")[0] == 200

    def leave(self, place=""):
        """The address at the provider."""
        status, _, text = self.ask("POST", "/api/sign-in/provider", {"place": place})
        assert status == 200, (status, text)
        return json.loads(text)["url"]

    def arrive(self, target):
        """Where the collector sends it, having come back from the provider."""
        status, headers, _ = self.ask("GET", target, headers=self.RETURN)
        assert status == 303, status
        return headers["Location"]

    def sign_in(self, provider, place=""):
        back = provider.authorize(urllib.parse.urlsplit(self.leave(place)).query)
        return self.arrive(back[len(self.house.url):])


def token(house, **body):
    return house.tell("POST", "/api/sign-in/links", body, OPERATOR)["path"].partition("#token=")[2]


def provided(tool, place, provider, *grants):
    secret = place.with_suffix(".secret")
    secret.write_text(SECRET)
    secret.chmod(0o600)
    rules = [part for grant in grants or ("groups=support:viewer",) for part in ("--oidc-grant", grant)]
    return House(tool, place, arguments=[*provider.options, "--oidc-client-secret-file", str(secret), *rules])


def links(tool, place):
    """20. A sign-in link works once, and fetching it uses nothing up"""
    with House(tool, place) as house:
        secret = token(house, role="viewer", name="Mira")
        for _ in range(3):
            assert house.ask("GET", "/sign-in")[0] == 200
        first, second = Browser(house), Browser(house)
        assert first.ask("POST", "/api/sign-in", {"token": secret})[0] == 200 and first.reads()
        if second.ask("POST", "/api/sign-in", {"token": secret})[0] != 401 or second.reads():
            yield "it works twice"
        state = places.now().state(place)
        if any(told.encode() in state or told.encode().hex().encode() in state for told in (secret, *first.cookies.values())):
            yield "the state has what it takes to sign in"
        if house.ask("POST", "/api/sign-in/links", {"role": "admin"}, None, {"Cookie": cookie(first), **Browser.PAGE})[0] != 403:
            yield "a viewer makes a link for an admin"


def cookie(browser):
    return "; ".join(f"{name}={value}" for name, value in browser.cookies.items())


def forms(tool, place):
    """21. No page of another origin changes anything with somebody's cookie"""
    with House(tool, place) as house:
        browser = Browser(house)
        assert browser.ask("POST", "/api/sign-in", {"token": token(house, role="admin")})[0] == 200
        own = f"http://127.0.0.1:{house.port}"
        foreign = [{}, {"Origin": "null"}, {"Origin": "https://evil.example"}, {"Origin": own}, {"Sec-Fetch-Site": "same-origin"},
                   {"Sec-Fetch-Site": "same-site", "X-AutoMobile-Viewer": "1"}, {"Sec-Fetch-Site": "none", "X-AutoMobile-Viewer": "1"},
                   {"X-AutoMobile-Viewer": "1"}, {"Origin": own + ".evil.example", "X-AutoMobile-Viewer": "1"}]
        for headers in foreign:
            for method, target, body in (("POST", "/api/projects", {"bundleId": "com.forged", "name": "x"}), ("POST", "/api/keys", {"role": "operator"}),
                                         ("PUT", "/api/settings/retention", {"days": 1}), ("DELETE", "/api/projects/1", None),
                                         ("POST", "/api/sign-out", {"everywhere": True})):
                status, _, text = browser.ask(method, target, body, headers)
                if status != 403:
                    yield f"{method} {target} with {headers}: {status} {text[:100]}"
        form = {"Content-Type": "text/plain", **Browser.PAGE}
        if (status := browser.ask("POST", "/api/projects", {"bundleId": "com.forged"}, form)[0]) != 415:
            yield f"what a form can send is taken: {status}"
        for target in ("/", "/sign-in", "/index.html"):
            head = browser.ask("GET", target)[1]
            if head["X-Frame-Options"] != "DENY" or "frame-ancestors 'none'" not in head["Content-Security-Policy"]:
                yield f"{target} can be framed"


def cookies(tool, place):
    """22. A session is its browser's: new at each sign-in, over at sign-out, guessed by nobody"""
    with House(tool, place) as house:
        attacker, victim = Browser(house), Browser(house)
        attacker.ask("POST", "/api/sign-in", {"token": token(house, role="viewer", name="attacker")})
        victim.cookies = dict(attacker.cookies)
        victim.ask("POST", "/api/sign-in", {"token": token(house, role="admin", name="victim")})
        if victim.cookies == attacker.cookies or attacker.reads():
            yield "the session that was there before goes on"
        (name, value), = victim.cookies.items()
        for forged in (f"{name}={value[:-1]}", f"{name}={value}x", f"{name}={value}; {name}={value}", f"{name}=", f"{name}=%00", f"x{name}={value}"):
            if house.ask("GET", "/api/sessions", headers={"Cookie": forged})[0] != 401:
                yield f"the cookie {forged!r} lets in"
        kept = dict(victim.cookies)
        victim.ask("POST", "/api/sign-out", {})
        victim.cookies = kept
        if victim.reads():
            yield "the cookie lives on after the sign-out"


def tokens(tool, place):
    """23. Nobody signs in with a token that the provider did not sign for this sign-in"""
    with Provider() as provider, provided(tool, place, provider) as house:
        location, mira = None, Browser(house)
        location = mira.sign_in(provider, "#/issues")
        assert location == "../#/issues" and mira.reads(), location
        told = json.loads(mira.ask("GET", "/api/sign-in")[2])["session"]
        assert (told["name"], told["issuer"], told["grants"]) == ("Mira Falk", provider.issuer, [{"role": "viewer", "project": None}]), told
        now = int(time.time())
        lies = [
            ("of another issuer", dict(iss="http://127.0.0.1:1")), ("without issuer", dict(iss=None)), ("for another client", dict(aud="another")),
            ("for two, without azp", dict(aud=["automobile-test", "another"])), ("for two, azp another", dict(aud=["automobile-test", "another"], azp="another")),
            ("without audience", dict(aud=None)), ("with another nonce", dict(nonce="x" * 43)), ("without nonce", dict(nonce=None)),
            ("that has expired", dict(exp=now - 120, iat=now - 600)), ("without an end", dict(exp=None)), ("from the future", dict(iat=now + 600)),
            ("that is not valid yet", dict(nbf=now + 600)), ("without subject", dict(sub=None)), ("of nobody's groups", dict(groups=["others"])),
            ("with an end that is no number", dict(exp="never")),
        ]
        changes = [(what, dict(lies=claims)) for what, claims in lies] + [
            ("signed by nobody", dict(sign="none")), ("signed with the public key as secret", dict(sign="HS256")),
            ("with extensions", dict(header={"crit": ["x"], "x": 1})), ("that says another algorithm", dict(header={"alg": "ES256"})),
            ("that says none", dict(header={"alg": "none"})), ("by a key that nobody has", dict(key_id="unknown")),
            ("of another provider", dict(with_code={"iss": "http://127.0.0.1:1"}))]
    # Whoever goes wrong as often as this waits: another collector has not counted.
    for number in range(0, len(changes), 8):
        with Provider() as provider, provided(tool, place.with_name(f"lies-{number}"), provider) as house:
            for what, change in changes[number:number + 8]:
                provider.honest()
                for name, value in change.items():
                    setattr(provider, name, value)
                yield from tried(house, provider, what)
            provider.honest()
            assert Browser(house).sign_in(provider) == "../", "the honest provider"
    with Provider() as provider, provided(tool, place.with_name("own-key"), provider) as house:
        # A key of one's own under the name of the provider's.
        published = provider.key_set()
        true, provider.keys["first"] = provider.keys["first"], another()
        provider.key_set = lambda: published
        yield from tried(house, provider, "signed by another key of the same name")
        del provider.key_set
        provider.keys["first"] = true
    with Provider() as provider, provided(tool, place.with_name("rotated"), provider) as house:
        assert Browser(house).sign_in(provider) == "../"
        # Not known yet, and asked for: but not for every token.
        time.sleep(0.1)
        provider.keys = {"second": elliptic()}
        provider.signer, provider.sign = "second", "ES256"
        before = provider.calls.count("/keys")
        refused = Browser(house).sign_in(provider)
        assert refused.startswith("../sign-in#problem="), refused
        if provider.calls.count("/keys") != before:
            yield "the keys are asked for more than once a minute"


def tried(house, provider, what):
    browser = Browser(house)
    location = browser.sign_in(provider)
    if browser.reads() or not location.startswith("../sign-in#problem="):
        yield f"a token {what} signs in: {location}"


def redirects(tool, place):
    """24. Who comes back is who went; nobody is sent anywhere else"""
    with Provider() as provider, provided(tool, place, provider) as house:
        for target in ("https://evil.example", "//evil.example", "#/../..//evil", "/\\evil.example", "javascript:alert(1)", "#/x\r\nX: y", "#" + "/" * 600):
            browser = Browser(house)
            location = browser.sign_in(provider, target)
            if location not in ("../", "../" + target) or location.startswith("../" + target) and not target.startswith("#/"):
                yield f"{target!r} leads to {location!r}"
        mine, theirs = Browser(house), Browser(house)
        back = provider.authorize(urllib.parse.urlsplit(mine.leave()).query)[len(house.url):]
        # Somebody else's browser, without a cookie and with the cookie of another sign-in.
        theirs.arrive(back)
        if theirs.reads():
            yield "a browser that never left is signed in"
        theirs.leave()
        theirs.arrive(back)
        if theirs.reads():
            yield "a browser that left for another sign-in is signed in"
        wrong = back.replace("state=", "state=x")
        if not mine.arrive(wrong).startswith("../sign-in#problem=") or mine.reads():
            yield "another state is taken"
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(Browser(house).leave()).query))
        if asked["redirect_uri"] != house.url + "/sign-in/callback" or asked["code_challenge_method"] != "S256" or len(asked["state"]) < 32:
            yield f"it asks for {asked}"
        if house.ask("POST", "/api/sign-in/provider", {}, headers={"Sec-Fetch-Site": "cross-site"})[0] != 403:
            yield "another page sends people to the provider"


def provider_down(tool, place):
    """25. Without its provider the collector says so, and links and keys serve; it is asked at no private address unless that is allowed"""
    provider = Provider()
    with provided(tool, place, provider) as house:
        provider.server.server_close()
        browser = Browser(house)
        status, _, text = browser.ask("POST", "/api/sign-in/provider", {})
        assert status == 502 and b"cannot be reached" in text, (status, text)
        assert browser.ask("POST", "/api/sign-in", {"token": token(house, role="viewer")})[0] == 200 and browser.reads()
    with Provider() as provider:
        with House(tool, place.with_name("closed"), arguments=[*provider.options[:4], "--oidc-grant", "sub=*:viewer"]) as house:
            status, _, text = Browser(house).ask("POST", "/api/sign-in/provider", {})
            if status != 502 or provider.calls:
                yield f"it connects to this machine: {status} {text[:200]}"
        with provided(tool, place.with_name("named"), provider) as house:
            provider.document = {"issuer": "http://another.example"}
            status, _, text = Browser(house).ask("POST", "/api/sign-in/provider", {})
            if status != 502:
                yield f"a provider that calls itself otherwise is taken: {status}"
