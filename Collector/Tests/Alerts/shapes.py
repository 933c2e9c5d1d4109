"""What chats and PagerDuty get, held against what they say that they take, about an issue whose name means harm."""

import re
import time

from mail import PASSWORD
from receivers import add

HOSTILE = [
    "<!channel> <@U1> @everyone @here <@&5> **bold** [free](http://evil.example) `x` \"quoted\" 'so' \\ & <b>",
    "long " + "x" * 10_000,
    # One character to a reader, many to a limit.
    "e" + "\u0301" * 400 + " 👨‍👩‍👧‍👦" * 140,
    "line\r\nBcc: other@example.com\r\n\r\nbody",
]


HEADERS = {"From", "To", "Subject", "Date", "Message-ID", "References", "Auto-Submitted", "MIME-Version", "Content-Type"}


def units(text):
    """As JavaScript counts, which the strictest of them does."""
    return len(text.encode("utf-16-le")) // 2


def slack(body):
    """docs.slack.dev: at most 50 blocks; header 150, section 3000, fields 10 of 2000, a button's text 75, its URL 3000."""
    assert "<" not in body["text"] and units(body["text"]) <= 40_000
    limits = {"header": 150, "section": 3000, "context": 2000}
    for block in body["blocks"]:
        texts = [block["text"]] if "text" in block else []
        assert all(text["type"] == "plain_text" and 1 <= units(text["text"]) <= limits[block["type"]] for text in texts), block
        assert len(block.get("fields", [])) <= 10
        for text in [*block.get("fields", []), *(block.get("elements", []) if block["type"] == "context" else [])]:
            assert text["type"] == "plain_text" and 1 <= units(text["text"]) <= 2000, text


def discord(body):
    """discord.com/developers: title 256, description 4096, 25 fields of 256 and 1024, footer 2048, 6000 in all."""
    assert body["allowed_mentions"] == {"parse": []}
    embed = body["embeds"][0]
    assert 1 <= units(embed["title"]) <= 256 and units(embed["description"]) <= 4096 and units(embed["footer"]["text"]) <= 2048, embed
    assert len(embed["fields"]) <= 25
    for field in embed["fields"]:
        assert 1 <= units(field["name"]) <= 256 and 1 <= units(field["value"]) <= 1024 and field["value"].strip(), field
    parts = [embed["title"], embed["description"], embed["footer"]["text"], *(f["name"] + f["value"] for f in embed["fields"])]
    assert sum(map(units, parts)) <= 6000
    for text in [embed["title"], embed["description"], *(field["value"] for field in embed["fields"])]:
        assert not re.search(r"(?<!\\)(?:\\\\)*[@*`<\[]", text), text


def teams(body):
    """learn.microsoft.com: one Adaptive Card in a message of at most 28 kB; text runs know no Markdown."""
    assert body["type"] == "message" and len(body["attachments"]) == 1
    card = body["attachments"][0]
    assert card["contentType"] == "application/vnd.microsoft.card.adaptive" and card["content"]["type"] == "AdaptiveCard"
    assert all(part["type"] == "RichTextBlock" for part in card["content"]["body"])
    assert all(run["type"] == "TextRun" for part in card["content"]["body"] for run in part["inlines"])
    assert len(str(body).encode()) <= 28_000


def pagerduty(body):
    """developer.pagerduty.com: Events API v2; a key of 32, an action, dedup_key 255, summary 1024, four severities."""
    assert body["routing_key"] == "R" * 32 and body["event_action"] in ("trigger", "resolve")
    assert 1 <= units(body["dedup_key"]) <= 255
    payload = body["payload"]
    assert 1 <= units(payload["summary"]) <= 1024 and payload["source"]
    assert payload["severity"] in ("critical", "error", "warning", "info")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", payload["timestamp"])


def check_shapes(collector, post, receiver, crash, server):
    """Each keeps to its receiver's limits whatever an app called its function; PagerDuty's incident ends under its own key;
    a mail has the headers that it should have and no others."""
    receiver.answers = {}
    rules = {"slack": slack, "discord": discord, "teams": teams, "pagerduty": pagerduty}
    more = {"pagerduty": {"routingKey": "R" * 32}}
    channels = {kind: add(collector, post, receiver, f"{kind}-shape", kind, **more.get(kind, {})) for kind in rules}
    mail = post(collector, "api/alerts/channels", {
        "kind": "mail", "name": "mail-shape", "host": "127.0.0.1", "port": server.port, "user": "me", "password": PASSWORD,
        "from": "alerts@example.com", "to": ["lea@example.com", "jonas@example.com"]})["id"]
    told = [*channels.values(), mail]
    before = len(server.messages)
    rule = post(collector, "api/alerts/rules", {"kind": "new_issue", "name": "Shapes", "channels": told})["id"]
    faults = []
    for number, name in enumerate(HOSTILE, 1):
        crash(name)
        for kind, keeps in rules.items():
            body = receiver.until(f"/{kind}-shape", number)[number - 1][3]
            try:
                keeps(body)
            except AssertionError as error:
                faults.append(f"{kind}, name {number}: {str(error)[:300]}")
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
            faults.append(f"mail: {long[0][:300]}")
        assert "<b>" not in message.get_body(("html",)).get_content()
    opened = receiver.at("/pagerduty-shape")[0][3]
    issue = opened["dedup_key"].split("-", 2)[2]
    collector.put(f"api/issues/{issue}/status", {"status": "resolved"})
    closed = receiver.until("/pagerduty-shape", len(HOSTILE) + 1)[-1][3]
    assert (opened["event_action"], closed["event_action"]) == ("trigger", "resolve"), closed
    assert opened["dedup_key"] == closed["dedup_key"], (opened, closed)
    collector.delete(f"api/alerts/rules/{rule}")
    return faults
