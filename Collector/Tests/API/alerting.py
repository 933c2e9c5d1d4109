"""Alerts: rules and channels, what they tell, and the log of it."""

AUTHOR = {"X-AutoMobile-Author": "Lea%20Ming"}


def channels(api, facts):
    """channels of alerts"""
    made = api.call("addAlertChannel", headers=AUTHOR, body={"name": "Ours", "kind": "webhook", "url": f"http://127.0.0.1:{facts.echo}/told"}).json
    assert made["secret"].startswith("whsec_"), made
    facts.channel, place = made["id"], {"id": made["id"]}
    assert api.call("testAlertChannel", path=place).json["sent"]
    api.call("changeAlertChannel", path=place, body={"name": "Our own"})
    api.call("addAlertChannel", 409, body={"name": "Our own", "kind": "slack", "url": "https://hooks.example.com/x"})
    api.call("addAlertChannel", 400, raw=b'{"name":"x","kind":"pigeon"}')
    api.call("addAlertChannel", 400, raw=b'{"name":"x","colour":"red"}')
    api.call("changeAlertChannel", 400, path=place, body={"kind": "mail"})
    inside = api.call("addAlertChannel", body={"name": "Inside", "kind": "teams", "url": "http://169.254.169.254/x"}).json["id"]
    assert api.call("testAlertChannel", path={"id": inside}).json["reason"]
    mail = {"name": "Mail", "kind": "mail", "host": "mail.example.com", "from": "alerts@example.com", "to": ["lea@example.com"],
            "user": "lea", "password": "secret"}
    pager = {"name": "Pager", "kind": "pagerduty", "routingKey": "0123456789abcdef0123456789abcdef"}
    others = [inside, *(api.call("addAlertChannel", body=each).json["id"] for each in (mail, pager))]
    listed = api.call("getAlerts").json["channels"]
    assert len(listed) == 4 and made["secret"] not in str(listed) and "0123456789" not in str(listed), listed
    for other in others:
        api.call("removeAlertChannel", path={"id": other})
    for name, body in (("removeAlertChannel", None), ("testAlertChannel", None), ("changeAlertChannel", {"name": "x"})):
        api.call(name, 404, path={"id": inside}, body=body)


def rules(api, facts):
    """rules of alerts, one of which tells"""
    rules = [
        {"kind": "new_issue", "name": "New", "bundleId": "com.example.page", "issueKinds": ["crash"], "channels": [facts.channel], "quietMinutes": 0},
        {"kind": "regression"}, {"kind": "issue_rate", "threshold": 10, "minutes": 60}, {"kind": "crash_free", "threshold": 99.5, "minimum": 20},
        {"kind": "request_errors", "threshold": 5, "method": "GET", "host": "api.example.com", "route": "/v1/pay"},
        {"kind": "silence", "minutes": 60, "enabled": False}, {"kind": "ask", "states": ["came"], "bundleId": "com.example.page"},
    ]
    made = [api.call("addAlertRule", headers=AUTHOR, body=each).json["id"] for each in rules]
    place = {"id": made[0]}
    api.call("setAlertRule", path=place, body=rules[0] | {"name": "New ones"})
    api.call("addAlertRule", 409, body={"kind": "regression", "name": "New ones"})
    api.call("addAlertRule", 400, raw=b'{"kind":"weather"}')
    api.call("addAlertRule", 400, raw=b'{"kind":"ask","states":["asked"]}')
    api.call("addAlertRule", 400, raw=b'{"kind":"regression","colour":"red"}')
    api.call("addAlertRule", 400, body={"kind": "regression", "channels": [999_999]})
    api.call("setAlertRule", 400, path=place, body={"kind": "silence"})
    tested = api.call("testAlertRule", path=place).json["channels"]
    assert [each["sent"] for each in tested] == [True], tested
    facts.crash("alerted()")
    facts.wait(lambda: any(each["messages"] and each["messages"][0]["state"] == "sent" and each["event"] == "triggered" for each in log(api)))
    assert len(api.call("getAlerts").json["rules"]) == len(rules)
    for each in made:
        api.call("removeAlertRule", path={"id": each})
    api.call("removeAlertChannel", path={"id": facts.channel})
    for name, body in (("removeAlertRule", None), ("testAlertRule", None), ("setAlertRule", {"kind": "silence"})):
        api.call(name, 404, path=place, body=body)


def log(api):
    newest = api.call("listAlerts", query={"limit": 1}).json
    if newest["next"]:
        older = api.call("listAlerts", query={"before": newest["next"], "limit": 1}).json["log"]
        assert not older or older[0]["id"] < newest["log"][0]["id"]
        # What is told meanwhile is newer.
        later = api.call("listAlerts", query={"after": newest["newest"]}).json["log"]
        assert all(each["id"] > newest["log"][0]["id"] for each in later), later
    api.call("listAlerts", 400, query={"before": "x"})
    return api.call("listAlerts").json["log"]


ALL = [channels, rules]
