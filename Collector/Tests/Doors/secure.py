"""HTTPS by the collector itself: what it speaks, and how its certificate is renewed while it runs."""

import datetime
import http.client
import ipaddress
import json
import os
import signal
import socket
import ssl
import subprocess
import time
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from house import places

# The collector looks at its files every ten seconds.
RENEWED = 30


class Authority:
    """Signs certificates for 127.0.0.1; each has a number."""

    def __init__(self, directory: Path):
        directory.mkdir(parents=True, exist_ok=True)
        self.directory, self.key = directory, ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "doors")])
        self.root = self.made(self.name, self.key.public_key(), 1, isAuthority=True)
        (directory / "root.pem").write_bytes(self.root.public_bytes(serialization.Encoding.PEM))

    def made(self, name, key, number, isAuthority=False):
        now = datetime.datetime.now(datetime.timezone.utc)
        return (
            x509.CertificateBuilder().subject_name(name).issuer_name(self.name).public_key(key).serial_number(number)
            .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .add_extension(x509.BasicConstraints(isAuthority, None), True).sign(self.key, hashes.SHA256()))

    def pair(self, number):
        """A certificate's and its key's text."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = self.made(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "collector")]), key.public_key(), number)
        return made.public_bytes(serialization.Encoding.PEM), key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())

    def context(self, **versions):
        context = ssl.create_default_context(cafile=self.directory / "root.pem")
        for name, version in versions.items():
            setattr(context, name, version)
        return context


def replace(path, text):
    """As those do who renew certificates: written beside it, and renamed."""
    other = path.with_suffix(".new")
    other.write_bytes(text)
    os.replace(other, path)


def serial(port, authority):
    with socket.create_connection(("127.0.0.1", port), 10) as plain:
        with authority.context().wrap_socket(plain, server_hostname="127.0.0.1") as secured:
            return x509.load_der_x509_certificate(secured.getpeercert(True)).serial_number


def until(port, authority, number):
    deadline = time.monotonic() + RENEWED
    while serial(port, authority) != number:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.3)
    return True


def refusal(tool, place, *files):
    done = subprocess.run([tool, "serve", "--port", "0", "--data", str(place / "refused"), "--tls-certificate", str(files[0]), "--tls-key",
                           str(files[1])], capture_output=True, timeout=30)
    return done.returncode, done.stderr.decode()


def https(tool, place):
    """HTTPS by the collector itself: no older protocol, no plain HTTP, no bad certificate, and a renewal that nobody notices"""
    authority = Authority(place)
    chain, key = place / "chain.pem", place / "key.pem"
    for path, text in zip((chain, key), authority.pair(10)):
        path.write_bytes(text)
    os.chmod(key, 0o600)
    process = subprocess.Popen(
        [tool, "serve", "--json", "--port", "0", "--data", str(place / "data"), "--tls-certificate", str(chain), "--tls-key", str(key),
         *places.now().serve(place / "data")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        url = json.loads(process.stdout.readline())["url"]
        port = int(url.rstrip("/").rsplit(":", 1)[1])
        if not url.startswith("https://"):
            yield f"it says that it is at {url}"
        kept = http.client.HTTPSConnection("127.0.0.1", port, context=authority.context(), timeout=20)
        yield from answers(kept)
        yield from older(port, authority)
        yield from answers(kept)
        # The connection from before goes on, whatever becomes of certificates.
        for renewal in renewals(port, authority, chain, key):
            yield from answers(kept)
            yield from renewal
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
        process.stdout.close()
    yield from refused(tool, place, authority)


def answers(connection):
    connection.request("GET", "/health")
    answer = connection.getresponse()
    if answer.status != 200 or b"version" not in answer.read():
        yield f"{answer.status} over HTTPS"


def older(port, authority):
    try:
        context = authority.context()
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        with socket.create_connection(("127.0.0.1", port), 10) as plain, context.wrap_socket(plain, server_hostname="127.0.0.1"):
            yield "TLS 1.1 is spoken"
    except (ssl.SSLError, OSError):
        pass
    with socket.create_connection(("127.0.0.1", port), 10) as plain:
        plain.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try:
            said = plain.recv(1000)
        except OSError:
            said = b""
        if b"HTTP/1.1 200" in said:
            yield "plain HTTP is answered"
    # Whoever says nothing before the handshake does not keep a place.
    with socket.create_connection(("127.0.0.1", port), 10) as plain:
        plain.settimeout(25)
        try:
            if plain.recv(1):
                yield "something is said to whoever says nothing"
        except ConnectionError:
            pass
        except TimeoutError:
            yield "a connection without a handshake is kept"


def renewals(port, authority, chain, key):
    """After each step, what is wrong."""
    (new_chain, new_key), (third_chain, third_key) = authority.pair(11), authority.pair(12)
    # One file after the other, with time between them: the pair before goes on.
    replace(chain, new_chain)
    time.sleep(12)
    yield [] if serial(port, authority) == 10 else ["a certificate is used that does not belong to the key"]
    replace(key, new_key)
    yield [] if until(port, authority, 11) else ["a renewed certificate is not used"]
    chain.write_bytes(b"nothing")
    time.sleep(12)
    yield [] if serial(port, authority) == 11 else ["a damaged certificate took the place of a good one"]
    replace(key, third_key)
    replace(chain, third_chain)
    yield [] if until(port, authority, 12) else ["after a damaged certificate no good one is used"]


def refused(tool, place, authority):
    (chain, _), (_, other) = authority.pair(20), authority.pair(21)
    (place / "other-chain.pem").write_bytes(chain)
    (place / "other-key.pem").write_bytes(other)
    for files, word in [(("other-chain.pem", "other-key.pem"), "does not belong"), (("none.pem", "other-key.pem"), "no certificate"),
                        (("other-chain.pem", "other-chain.pem"), "no private key")]:
        code, said = refusal(tool, place, *(place / name for name in files))
        if code != 2 or word not in said:
            yield f"{files}: ended with {code}, and said {said!r}"
