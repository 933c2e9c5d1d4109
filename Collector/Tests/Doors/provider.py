"""An identity provider of the test's own (OpenID Connect), which can lie in every way that it is told to."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

CLIENT, SECRET = "automobile-test", "client-secret-5b1f"


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, length=None):
    return text(value.to_bytes(length or (value.bit_length() + 7) // 8, "big"))


class Provider:
    """Runs as long as the `with` block. `lies` changes the claims; `sign` is how a token is signed."""

    def __init__(self, name="127.0.0.1"):
        self.keys = {"first": rsa.generate_private_key(65537, 2048)}
        self.signer = "first"
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = f"http://{name}:{self.server.server_port}"
        self.honest()

    def honest(self):
        self.claims = {"sub": "mira-1", "name": "Mira Falk", "groups": ["support"], "email": "mira@example.com", "email_verified": True}
        self.lies, self.header, self.sign, self.calls = {}, {}, "RS256", []
        self.codes, self.document, self.with_code = {}, {}, {}
        self.key_id = None

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def options(self):
        return ["--oidc-issuer", self.issuer, "--oidc-client-id", CLIENT, "--allow-egress", self.issuer.removeprefix("http://")]

    # MARK: Tokens

    def token(self, nonce):
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **self.claims}
        for name, value in self.lies.items():
            claims.pop(name, None) if value is None else claims.update({name: value})
        header = {"alg": self.sign, "kid": self.key_id or self.signer, "typ": "JWT", **self.header}
        signed = f"{text(json.dumps(header).encode())}.{text(json.dumps(claims).encode())}"
        return f"{signed}.{text(self._signature(signed.encode()))}"

    def _signature(self, signed):
        key = self.keys[self.signer]
        if self.sign == "none":
            return b""
        if self.sign == "HS256":
            public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            return hmac.new(public, signed, hashlib.sha256).digest()
        if self.sign == "ES256":
            r, s = decode_dss_signature(key.sign(signed, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        return key.sign(signed, padding.PKCS1v15(), hashes.SHA256())

    def key_set(self):
        entries = []
        for name, key in self.keys.items():
            numbers = key.public_key().public_numbers()
            if isinstance(key, rsa.RSAPrivateKey):
                entry = {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)}
            else:
                entry = {"kty": "EC", "crv": "P-256", "alg": "ES256", "x": number(numbers.x, 32), "y": number(numbers.y, 32)}
            entries.append({"kid": name, "use": "sig", **entry})
        # Of a kind that is not known: it is passed over.
        return {"keys": [{"kty": "future", "kid": "none", "use": "sig"}, *entries]}

    # MARK: Requests

    def authorize(self, query):
        """Where the browser is sent: somebody has signed in there."""
        asked = dict(urllib.parse.parse_qsl(query))
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        back = {"code": code, "state": asked["state"], **self.with_code}
        return asked["redirect_uri"] + "?" + urllib.parse.urlencode(back)

    def exchange(self, form, authorization):
        asked = self.codes.pop(form.get("code"), None)
        expected = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        known = authorization == f"Basic {expected}" or (form.get("client_id") == CLIENT and authorization is None)
        challenge = text(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if not asked or not known or asked["code_challenge_method"] != "S256" or asked["code_challenge"] != challenge:
            return 400, {"error": "invalid_grant"}
        if form.get("redirect_uri") != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "unused", "token_type": "Bearer", "id_token": self.token(asked["nonce"])}

    def _handler(provider):
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                path, _, query = self.path.partition("?")
                provider.calls.append(path)
                if path == "/.well-known/openid-configuration":
                    places = {f"{name}": f"{provider.issuer}/{path}" for name, path in
                              (("authorization_endpoint", "authorize"), ("token_endpoint", "token"), ("jwks_uri", "keys"))}
                    return self.answer(200, {"issuer": provider.issuer, **places, **provider.document})
                if path == "/keys":
                    return self.answer(200, provider.key_set())
                if path == "/authorize":
                    self.send_response(302)
                    self.send_header("Location", provider.authorize(query))
                    self.send_header("Content-Length", "0")
                    return self.end_headers()
                self.answer(404, {})

            def do_POST(self):
                provider.calls.append(self.path)
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.answer(*provider.exchange(dict(urllib.parse.parse_qsl(body)), self.headers.get("Authorization")))

            def answer(self, status, content):
                body = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler


def elliptic():
    return ec.generate_private_key(ec.SECP256R1())


def another():
    return rsa.generate_private_key(65537, 2048)
