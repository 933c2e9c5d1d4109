"""Alerts end to end: a crash is recorded, and a real receiver gets a signed webhook; metadata addresses are refused; mail goes over a real
server of SMTP.

    run.py --tool Collector/.build/debug/automobile
"""

import argparse
import base64
import hashlib
import hmac
import http.server
import json
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Page"))

from collector import Collector, Launch  # noqa: E402
from mail import MailServer, check_mail  # noqa: E402

received = []


class Catcher(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        received.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def post(collector, path, body):
    request = urllib.request.Request(collector.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def check(collector, port):
    channel = post(collector, "api/alerts/channels", {"kind": "webhook", "name": "Ours", "url": f"http://127.0.0.1:{port}/x"})
    assert post(collector, f"api/alerts/channels/{channel['id']}/test", {})["sent"]
    inside = post(collector, "api/alerts/channels", {"kind": "webhook", "name": "Inside", "url": "http://169.254.169.254/x"})
    refused = post(collector, f"api/alerts/channels/{inside['id']}/test", {})
    assert not refused["sent"] and "metadata" in refused["reason"], refused
    for kind in ("slack", "discord", "teams"):
        other = post(collector, "api/alerts/channels", {"kind": kind, "name": kind, "url": f"http://127.0.0.1:{port}/{kind}"})
        assert post(collector, f"api/alerts/channels/{other['id']}/test", {})["sent"]
    post(collector, "api/alerts/rules", {"kind": "new_issue", "channels": [channel["id"]]})
    received.clear()
    collector.send_crashed(Launch(), ["Cart.total()", "main"])
    deadline = time.time() + 60
    while not received:
        assert time.time() < deadline, "nothing came"
        time.sleep(0.1)
    headers, body = received[0]
    assert json.loads(body)["data"]["kind"] == "new_issue", body
    key = base64.b64decode(channel["secret"].removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    code = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert hmac.compare_digest(code, headers["webhook-signature"])
    assert channel["secret"] not in json.dumps(collector.get("api/alerts"))
    print("ok      a crash is told by a signed webhook, and metadata addresses are refused")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tool", required=True, help="the program automobile")
    options = arguments.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Catcher)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="automobile-alerts-") as directory:
        with MailServer(Path(directory)) as mail, Collector(options.tool, "", Path(directory)) as collector:
            collector.options = [
                "--allow-egress", f"127.0.0.1:{server.server_port}", "--allow-egress", f"127.0.0.1:{mail.port}",
                "--egress-ca", str(mail.trust), "--public-url", "https://viewer.example.com"]
            collector.start()
            check(collector, server.server_port)
            check_mail(collector, post, mail)
            print("ok      mail is sent over TLS to who signs in, and a refusal says why")


if __name__ == "__main__":
    main()
