"""Mail over a real server of SMTP: encrypted by STARTTLS with a certificate of the test's own, signed in, one message as it arrives."""

import datetime
import email
import email.policy
import ipaddress
import logging
import socket
import ssl
import urllib.error
import warnings
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

PASSWORD = "correct horse"


def certificate(directory: Path):
    """A certificate for 127.0.0.1 that signs itself, with its key; returns the file that a collector has to trust."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(True, None), True).sign(key, hashes.SHA256()))
    (directory / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (directory / "key.pem").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()))
    return directory / "certificate.pem"


class MailServer:
    """Takes mail from who has the password, and over TLS alone; `without` are ways to sign in that it does not know."""

    def __init__(self, directory: Path, without=()):
        warnings.filterwarnings("ignore", module="aiosmtpd")
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)
        self.trust = directory / "certificate.pem"
        if not self.trust.exists():
            certificate(directory)
        self.messages = []
        self.signed_in = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.trust, directory / "key.pem")
        # A port that is free: the controller wants to know it before it listens.
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.controller = Controller(
            self, hostname="127.0.0.1", port=self.port, tls_context=context, authenticator=self.authenticate, auth_required=True,
            auth_require_tls=True, require_starttls=True, auth_exclude_mechanism=without)

    def __enter__(self):
        self.controller.start()
        return self

    def __exit__(self, *_):
        self.controller.stop()

    def authenticate(self, server, session, envelope, mechanism, data):
        self.signed_in.append((mechanism, data.login, session.ssl is not None))
        # Not handled: the server says 535 itself.
        return AuthResult(success=data.password == PASSWORD.encode(), handled=False)

    async def handle_DATA(self, server, session, envelope):
        self.messages.append((envelope, email.message_from_bytes(envelope.content, policy=email.policy.default)))
        return "250 OK"


def check_mail(collector, post, server):
    """A channel for mail tells what it should, to whom it should; one with a wrong password says why it does not, and a password is not
    taken without TLS."""
    about = {"kind": "mail", "host": "127.0.0.1", "port": server.port, "user": "me", "from": "alerts@example.com", "to": ["lea@example.com"]}
    channel = post(collector, "api/alerts/channels", {**about, "name": "Mail", "security": "starttls", "password": PASSWORD})
    assert PASSWORD not in str(channel), channel
    told = post(collector, f"api/alerts/channels/{channel['id']}/test", {})
    assert told["sent"], told
    assert server.signed_in == [("PLAIN", b"me", True)], server.signed_in
    envelope, message = server.messages[-1]
    assert (envelope.mail_from, envelope.rcpt_tos) == ("alerts@example.com", ["lea@example.com"])
    assert message["to"] == "lea@example.com" and message["subject"].startswith("Test: "), message["subject"]
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html"], kinds
    assert "/#/settings" in message.get_body(("plain",)).get_content()
    wrong = post(collector, "api/alerts/channels", {**about, "name": "Wrong", "security": "starttls", "password": "something else"})
    refused = post(collector, f"api/alerts/channels/{wrong['id']}/test", {})
    assert not refused["sent"] and "535" in refused["reason"] and "something else" not in str(refused), refused
    try:
        post(collector, "api/alerts/channels", {**about, "name": "Open", "security": "none", "password": PASSWORD})
        raise AssertionError("a password is taken that would be sent in clear")
    except urllib.error.HTTPError as error:
        said = error.read().decode()
        assert error.code == 400 and PASSWORD not in said and "allowsPlainPassword" in said, said
    assert all(is_encrypted for _, _, is_encrypted in server.signed_in), "a password went over a connection that is not encrypted"
    assert len(server.messages) == 1


def check_login(collector, post, server):
    """A server that knows AUTH LOGIN alone takes the mail, a wrong password is its to refuse, and one that knows neither way is told nothing."""
    about = {"kind": "mail", "host": "127.0.0.1", "port": server.port, "user": "lea@example.com", "from": "alerts@example.com", "to": ["lea@example.com"]}
    channel = post(collector, "api/alerts/channels", {**about, "name": "Login", "password": PASSWORD})["id"]
    told = post(collector, f"api/alerts/channels/{channel}/test", {})
    assert told["sent"], told
    assert server.signed_in == [("LOGIN", b"lea@example.com", True)], server.signed_in
    assert server.messages[-1][1]["subject"].startswith("Test: ")
    wrong = post(collector, "api/alerts/channels", {**about, "name": "Wrong login", "password": "Tr0ub4dor"})["id"]
    refused = post(collector, f"api/alerts/channels/{wrong}/test", {})
    assert not refused["sent"] and "535" in refused["reason"] and "Tr0ub4dor" not in str(refused), refused
    assert len(server.messages) == 1


def check_no_login(collector, post, server):
    about = {"kind": "mail", "host": "127.0.0.1", "port": server.port, "user": "me", "password": PASSWORD, "from": "alerts@example.com", "to": ["lea@example.com"]}
    channel = post(collector, "api/alerts/channels", {**about, "name": "Neither"})["id"]
    refused = post(collector, f"api/alerts/channels/{channel}/test", {})
    assert not refused["sent"] and "neither AUTH PLAIN nor AUTH LOGIN" in refused["reason"], refused
    assert not server.signed_in and not server.messages
