"""Alerts end to end, against real receivers: signed webhooks, mail over a real server of SMTP, receivers that refuse, a collector that is
killed, the shapes of chats, each kind of rule, and the command line.

    run.py --tool Collector/.build/debug/automobile
"""

import argparse
import base64
import hashlib
import hmac
import json
import sys
import tempfile
import traceback
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Page"))

from collector import Collector, Launch  # noqa: E402
from delivery import CHECKS as DELIVERY  # noqa: E402
from incidents import check_incidents  # noqa: E402
from mail import MailServer, check_login, check_mail, check_no_login  # noqa: E402
from receivers import Receiver, check_killed, check_receivers  # noqa: E402
from rules import (  # noqa: E402
    check_commands, check_crash_free, check_digest, check_issue_rate, check_pages, check_quiet, check_regression, check_request_errors, check_silence,
    check_silence_begins, check_two_rules, check_watch)
from shapes import check_examples, check_shapes  # noqa: E402

def post(collector, path, body):
    request = urllib.request.Request(collector.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.load(answer)


class AlertingCollector(Collector):
    """One that is told to change and to remove, too, and that dies."""

    def put(self, path, body):
        return self.change("PUT", path, body)

    def delete(self, path):
        return self.change("DELETE", path)

    def change(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=90) as answer:
            return json.load(answer)

    def kill(self):
        """Without any chance to put something away."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process = None


def check_more(collector, receiver, mail, only):
    def crash(function, **more):
        collector.send_crashed(Launch(), [function, "main"], **more)

    def ok(check, *arguments):
        if only not in check.__name__:
            return True
        try:
            problems = check(*arguments)
        except Exception:
            problems = traceback.format_exc().splitlines()
        print("ok      " + " ".join(check.__doc__.split()) if not problems else "FAULT   " + "\n        ".join(problems), flush=True)
        return not problems

    if only in check_silence.__name__:
        check_silence_begins(collector, post, receiver)
    checks = [
        ok(check_commands, collector, receiver), ok(check_receivers, collector, post, receiver, crash),
        ok(check_killed, collector, post, receiver, crash), ok(check_shapes, collector, post, receiver, crash, mail),
        ok(check_examples, collector, post, receiver, crash),
        ok(check_regression, collector, post, receiver, crash), ok(check_issue_rate, collector, post, receiver, crash),
        ok(check_request_errors, collector, post, receiver), ok(check_digest, collector, post, receiver, crash),
        ok(check_quiet, collector, post, receiver, crash), ok(check_silence, collector, post, receiver),
        ok(check_crash_free, collector, post, receiver), ok(check_two_rules, collector, post, receiver, crash), ok(check_watch, collector, crash),
        ok(check_incidents, collector, post, receiver, crash), *(ok(check, collector, post, receiver, crash) for check in DELIVERY),
        ok(check_pages, collector),
    ]
    assert all(checks)


def check(collector, receiver):
    channel = post(collector, "api/alerts/channels", {"kind": "webhook", "name": "Ours", "url": receiver.url("/x")})
    assert post(collector, f"api/alerts/channels/{channel['id']}/test", {})["sent"]
    inside = post(collector, "api/alerts/channels", {"kind": "webhook", "name": "Inside", "url": "http://169.254.169.254/x"})
    refused = post(collector, f"api/alerts/channels/{inside['id']}/test", {})
    assert not refused["sent"] and "metadata" in refused["reason"], refused
    for kind in ("slack", "discord", "teams"):
        other = post(collector, "api/alerts/channels", {"kind": kind, "name": kind, "url": receiver.url(f"/{kind}")})
        assert post(collector, f"api/alerts/channels/{other['id']}/test", {})["sent"]
    post(collector, "api/alerts/rules", {"kind": "new_issue", "channels": [channel["id"]]})
    before = len(receiver.at("/x"))
    collector.send_crashed(Launch(), ["Cart.total()", "main"])
    told = receiver.until("/x", before + 1)[before]
    headers, body = told.headers, told.raw
    assert told.body["data"]["kind"] == "new_issue", body
    key = base64.b64decode(channel["secret"].removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    code = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert hmac.compare_digest(code, headers["webhook-signature"])
    assert channel["secret"] not in json.dumps(collector.get("api/alerts"))
    print("ok      a crash is told by a signed webhook, and metadata addresses are refused")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tool", required=True, help="the program automobile")
    arguments.add_argument("--only", default="", help="only checks whose name contains this")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="automobile-alerts-") as directory:
        receiver = Receiver()
        with (MailServer(Path(directory)) as mail, MailServer(Path(directory), ["PLAIN"]) as login,
              MailServer(Path(directory), ["PLAIN", "LOGIN"]) as neither, AlertingCollector(options.tool, "", Path(directory)) as collector):
            collector.options = [
                "--allow-egress", f"127.0.0.1:{receiver.port}",
                *(word for each in (mail, login, neither) for word in ("--allow-egress", f"127.0.0.1:{each.port}")),
                "--egress-ca", str(mail.trust), "--public-url", "https://viewer.example.com"]
            collector.start()
            check(collector, receiver)
            check_mail(collector, post, mail)
            print("ok      mail is sent over TLS to who signs in, and a refusal says why")
            check_login(collector, post, login)
            check_no_login(collector, post, neither)
            print("ok      a server that knows AUTH LOGIN alone takes mail, and one that knows neither way gets no password")
            check_more(collector, receiver, mail, options.only)
        receiver.stop()


if __name__ == "__main__":
    main()
