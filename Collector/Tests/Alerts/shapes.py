"""What chats and PagerDuty get, held against what they say that they take, about an issue whose name means harm."""

import json
import re
import time
from pathlib import Path

from mail import PASSWORD
from published import faults
from receivers import add

HOSTILE = [
    "<!channel> <@U1> @everyone @here <@&5> **bold** [free](http://evil.example) `x` \"quoted\" 'so' \\ & <b>",
    "long " + "x" * 10_000,
    # One character to a reader, many to a limit.
    "e" + "\u0301" * 400 + " 👨‍👩‍👧‍👦" * 140,
    "line\r\nBcc: other@example.com\r\n\r\nbody",
    # Nothing that anybody can see, and what turns a line round.
    "\u200b\u2060\u00ad\ufeff", " \t ", "\u202egpj.exe\u202c\u0000\u0007", "\\" * 600 + "`" * 600, "\U0001f4a5" * 3000, "]()[x](<http://evil.example>" * 60,
]
# What is around a function is not safer.
NAME = "<!here> @everyone " + "\uff37" * 20


HEADERS = {"From", "To", "Subject", "Date", "Message-ID", "References", "Auto-Submitted", "MIME-Version", "Content-Type"}


def check_shapes(collector, post, receiver, crash, server):
    """Each keeps to its receiver's limits whatever an app called its function; PagerDuty's incident ends under its own key;
    a mail has the headers that it should have and no others."""
    receiver.answers = {}
    rules = ("slack", "discord", "teams", "pagerduty")
    more = {"pagerduty": {"routingKey": "R" * 32}}
    channels = {kind: add(collector, post, receiver, f"{kind}-shape", kind, **more.get(kind, {})) for kind in rules}
    mail = post(collector, "api/alerts/channels", {
        "kind": "mail", "name": "mail-shape", "host": "127.0.0.1", "port": server.port, "user": "me", "password": PASSWORD,
        "from": "alerts@example.com", "to": ["lea@example.com", "jonas@example.com"]})["id"]
    told = [*channels.values(), mail]
    before = len(server.messages)
    rule = post(collector, "api/alerts/rules", {"kind": "new_issue", "name": NAME, "quietMinutes": 0, "channels": told})["id"]
    found = []
    for number, name in enumerate(HOSTILE, 1):
        crash(name, version=("v" * 3000 + name) if number % 2 else "\u200b")
        for kind in rules:
            body = receiver.until(f"/{kind}-shape", number)[number - 1][3]
            found += [f"name {number}, {fault}" for fault in faults(kind, body)]
    deadline = time.time() + 30
    while len(server.messages) < before + len(HOSTILE):
        assert time.time() < deadline, server.messages
        time.sleep(0.1)
    for envelope, message in server.messages[before:]:
        assert envelope.rcpt_tos == ["lea@example.com", "jonas@example.com"] and set(message.keys()) == HEADERS, message.keys()
        assert message["subject"].startswith("New crash: ") and "\n" not in message["subject"], message["subject"]
        # RFC 2047: 76, where there are encoded words.
        long = [line for line in envelope.original_content.split(b"\r\n") if len(line) > (76 if b"=?" in line else 78) or max(line, default=0) > 127]
        if long:
            found.append(f"mail: {long[0][:300]}")
        assert "<b>" not in message.get_body(("html",)).get_content()
    opened = receiver.at("/pagerduty-shape")[0][3]
    issue = opened["dedup_key"].split("-", 2)[2]
    collector.put(f"api/issues/{issue}/status", {"status": "resolved"})
    closed = receiver.until("/pagerduty-shape", len(HOSTILE) + 1)[-1][3]
    assert (opened["event_action"], closed["event_action"]) == ("trigger", "resolve"), closed
    assert opened["dedup_key"] == closed["dedup_key"], (opened, closed)
    collector.delete(f"api/alerts/rules/{rule}")
    return found + faults("pagerduty", closed)


def outline(value):
    """What it is made of, without what it says."""
    if isinstance(value, dict):
        return {name: outline(member) for name, member in value.items()}
    return [outline(each) for each in value] if isinstance(value, list) else type(value).__name__


def examples():
    """Those of Documentation/Alerts.md, by the kind of channel: the last thing of a section that is JSON."""
    page = (Path(__file__).resolve().parents[3] / "Documentation" / "Alerts.md").read_text()
    heads = {"webhook": "A webhook", "slack": "Slack", "discord": "Discord", "teams": "Microsoft Teams", "pagerduty": "PagerDuty"}
    found = {}
    for kind, head in heads.items():
        section = re.search(rf"^##+ {head}[^\n]*\n(.*?)(?=^#|\Z)", page, re.DOTALL | re.MULTILINE).group(1)
        found[kind] = json.loads(re.search(r"^    (\{.*?)(?=\n\S|\n\n|\Z)", section, re.DOTALL | re.MULTILINE).group(1))
    return found


def check_examples(collector, post, receiver, crash):
    """The page about alerts shows what is sent to each kind of channel."""
    receiver.answers = {}
    shown = examples()
    more = {"pagerduty": {"routingKey": "R" * 32}}
    channels = [add(collector, post, receiver, f"{kind}-example", kind, **more.get(kind, {})) for kind in shown]
    rule = post(collector, "api/alerts/rules", {"kind": "new_issue", "name": "Examples", "channels": channels})["id"]
    crash("Shapes.example()")
    found = []
    for kind, example in shown.items():
        sent = receiver.until(f"/{kind}-example", 1)[0][3]
        if outline(sent) != outline(example):
            found.append(f"{kind}: Documentation/Alerts.md shows {json.dumps(example)[:600]}, and what is sent is {json.dumps(sent)[:600]}")
        found += faults(kind, example) if kind != "webhook" else []
    collector.delete(f"api/alerts/rules/{rule}")
    return found
