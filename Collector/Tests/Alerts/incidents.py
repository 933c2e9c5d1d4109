"""PagerDuty: whatever opens an incident also resolves it."""

import time

from delivery import database, rule_for, wait_for
from published import faults
from receivers import add

KEY = "0123456789abcdef0123456789ABCDEF"


def events(receiver, path):
    """What came, in order: what it does, to which incident; all of it as PagerDuty takes it."""
    bodies = [request[3] for request in receiver.at(path)]
    refused = [fault for body in bodies for fault in faults("pagerduty", body)]
    assert not refused, refused
    return [(body["event_action"], body["dedup_key"]) for body in bodies]


def check_incidents(collector, post, receiver, crash):
    """A test of PagerDuty resolves the incident that it opens; what is told together shares one, which is over after an hour without more;
    and when a rule is removed, none that it opened stays open."""
    receiver.answers = {}
    channel = add(collector, post, receiver, "pager", "pagerduty", routingKey=KEY)
    assert post(collector, f"api/alerts/channels/{channel}/test", {})["sent"]
    (opens, key), (closes, same) = events(receiver, "/pager")
    assert (opens, closes) == ("trigger", "resolve") and key == same, events(receiver, "/pager")

    rule = rule_for(collector, post, "Pager", channel)
    for number in range(12):
        crash(f"Incidents.lot{chr(97 + number)}()")
    together = f"automobile-{rule}-more"
    wait_for(lambda: ("trigger", together) in events(receiver, "/pager"), "some are told together")
    time.sleep(2)
    assert ("resolve", together) not in events(receiver, "/pager")
    # Twelve issues are open; that some of them were told together is none.
    assert collector.get("api/alerts")["firing"][str(rule)] == 12, collector.get("api/alerts")["firing"]
    database(collector, "UPDATE alert_state SET toldAt = toldAt - 3600000 WHERE rule = ? AND subject = 'more'", rule)
    wait_for(lambda: ("resolve", together) in events(receiver, "/pager"), "what was told together is over")

    collector.delete(f"api/alerts/rules/{rule}")

    def are_over():
        came = events(receiver, "/pager")
        return {key for action, key in came if action == "trigger"} == {key for action, key in came if action == "resolve"}

    wait_for(are_over, events(receiver, "/pager"))
    assert all(events(receiver, "/pager").count(("resolve", each)) == 1 for _, each in events(receiver, "/pager") if f"-{rule}-" in each)
    collector.delete(f"api/alerts/channels/{channel}")
