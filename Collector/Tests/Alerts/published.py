"""What Slack, Discord, Microsoft Teams and PagerDuty say that they take: required members, kinds of values, limits; and nothing else.

Lengths are counted in UTF-16 units, as the strictest of them do. A text that nobody can see counts as empty.
"""

import json
import re
import unicodedata

from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators


def units(text):
    return len(text.encode("utf-16-le")) // 2


def is_visible(text):
    """Hangul fillers are letters by name and empty by sight."""
    return any(unicodedata.category(sign)[0] not in "ZC" and sign not in "\u115f\u1160\u3164\uffa0\u034f" for sign in text)


def max_length(_, most, text, __):
    if isinstance(text, str) and units(text) > most:
        yield ValidationError(f"{units(text)} units, and at most {most} are taken: {text[:60]!r}…")


def min_length(_, __, text, ___):
    if isinstance(text, str) and not is_visible(text):
        yield ValidationError(f"{text!r} is empty to whoever reads it")


Strict = validators.extend(Draft202012Validator, {"maxLength": max_length, "minLength": min_length})


def text(most, **more):
    return {"type": "string", "minLength": 1, "maxLength": most, **more}


def thing(required, optional=None):
    return {"type": "object", "properties": required | (optional or {}), "required": list(required), "additionalProperties": False}


def some(items, most, least=1):
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


TIME = text(40, pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")


def plain_text(most):
    return thing({"type": {"const": "plain_text"}, "text": text(most)}, {"emoji": {"type": "boolean"}})


# docs.slack.dev/reference/block-kit/blocks and …/messaging/sending-messages-using-incoming-webhooks.
BUTTON = thing({"type": {"const": "button"}, "text": plain_text(75)}, {"url": text(3000, pattern="^https?://"), "action_id": text(255)})
SLACK = thing({
    "text": text(40_000),
    "blocks": some({"oneOf": [
        thing({"type": {"const": "header"}, "text": plain_text(150)}),
        thing({"type": {"const": "section"}, "text": plain_text(3000)}),
        thing({"type": {"const": "section"}, "fields": some(plain_text(2000), 10)}),
        thing({"type": {"const": "actions"}, "elements": some(BUTTON, 25)}),
        thing({"type": {"const": "context"}, "elements": some(plain_text(2000), 10)}),
    ]}, 50),
}, {"unfurl_links": {"type": "boolean"}, "unfurl_media": {"type": "boolean"}})

# discord.com/developers/docs/resources/webhook#execute-webhook and …/message#embed-object.
EMBED = thing({"title": text(256), "description": text(4096)}, {
    "url": text(2048, pattern="^https?://"), "timestamp": TIME, "color": {"type": "integer", "minimum": 0, "maximum": 0xFFFFFF},
    "footer": thing({"text": text(2048)}),
    "fields": some(thing({"name": text(256), "value": text(1024)}, {"inline": {"type": "boolean"}}), 25, least=0),
})
DISCORD = thing(
    {"embeds": some(EMBED, 10), "allowed_mentions": thing({"parse": some({}, 0, least=0)})},
    {"username": text(80, pattern="^(?!(?i:.*(discord|clyde)))")})

# adaptivecards.io/schemas/adaptive-card.json, version 1.4, and learn.microsoft.com on workflows' webhooks.
RUN = thing({"type": {"const": "TextRun"}, "text": text(28_000)}, {
    "color": {"enum": ["Default", "Dark", "Light", "Accent", "Good", "Warning", "Attention"]},
    "size": {"enum": ["Default", "Small", "Medium", "Large", "ExtraLarge"]}, "weight": {"enum": ["Default", "Lighter", "Bolder"]},
    "isSubtle": {"type": "boolean"}, "italic": {"type": "boolean"}, "fontType": {"enum": ["Default", "Monospace"]},
})
CARD = thing({"type": {"const": "AdaptiveCard"}, "version": {"enum": ["1.2", "1.3", "1.4"]}}, {
    "$schema": {"const": "http://adaptivecards.io/schemas/adaptive-card.json"},
    "body": some(thing({"type": {"const": "RichTextBlock"}, "inlines": some(RUN, 20)}), 50),
    # Teams shows six.
    "actions": some(thing({"type": {"const": "Action.OpenUrl"}, "url": text(2048, pattern="^https?://")}, {"title": text(80)}), 6),
})
TEAMS = thing({"type": {"const": "message"}, "attachments": some(thing(
    {"contentType": {"const": "application/vnd.microsoft.card.adaptive"}, "content": CARD}, {"contentUrl": {"type": "null"}}), 1)})

# developer.pagerduty.com/docs/events-api-v2/trigger-events.
PAGERDUTY = thing({
    "routing_key": {"type": "string", "pattern": "^[0-9A-Za-z]{32}$"}, "event_action": {"enum": ["trigger", "acknowledge", "resolve"]},
    "dedup_key": text(255),
}, {
    "payload": thing({
        "summary": text(1024), "source": text(255), "severity": {"enum": ["critical", "error", "warning", "info"]},
    }, {
        "timestamp": TIME, "component": text(255), "group": text(255), "class": text(255),
        "custom_details": {"type": "object", "additionalProperties": text(5000)},
    }),
    "client": text(255), "client_url": text(2048, pattern="^https?://"),
    "links": some(thing({"href": text(2048, pattern="^https?://")}, {"text": text(255)}), 25),
}) | {"if": {"properties": {"event_action": {"const": "trigger"}}}, "then": {"required": ["payload"]}}

SCHEMAS = {"slack": SLACK, "discord": DISCORD, "teams": TEAMS, "pagerduty": PAGERDUTY}
# In bytes: what a webhook of Teams takes is 28 kB, an event of PagerDuty 512 kB.
MOST = {"teams": 28_000, "pagerduty": 512_000, "slack": 100_000, "discord": 100_000}


def slack(body):
    """The text of a notification is mrkdwn: neither a link, a mention nor bold can be made in it."""
    assert not re.search(r"[<>]|&(?!(amp|lt|gt);)", body["text"]), body["text"]


def discord(body):
    embed = body["embeds"][0]
    parts = [embed["title"], embed["description"], embed["footer"]["text"], *(part for field in embed["fields"] for part in (field["name"], field["value"]))]
    assert sum(map(units, parts)) <= 6000, sum(map(units, parts))
    for part in [embed["title"], embed["description"], *(field["value"] for field in embed["fields"])]:
        assert not re.search(r"(?<!\\)(?:\\\\)*[@*`<\[]", part), part


def faults(kind, body):
    """What a receiver of this kind would refuse, or read as something that it is not."""
    Strict.check_schema(SCHEMAS[kind])
    found = [f"{kind}: {'/'.join(map(str, error.absolute_path))}: {deepest(error).message[:300]}"
             for error in Strict(SCHEMAS[kind], format_checker=FormatChecker()).iter_errors(body)]
    size = len(json.dumps(body, ensure_ascii=False).encode())
    if size > MOST[kind]:
        found.append(f"{kind}: {size} bytes")
    if not found and (more := {"slack": slack, "discord": discord}.get(kind)):
        try:
            more(body)
        except AssertionError as error:
            found.append(f"{kind}: {str(error)[:300]}")
    return found


def deepest(error):
    """Of a choice, what the one that comes nearest has against it."""
    while error.context:
        error = max(error.context, key=lambda each: len(each.absolute_path))
    return error
