"""What goes out and comes in again."""

import tempfile
import time

import receiver as moods

from forwarding import names, opened, settled
from place import Place
from source import add, lane, logs


def one_bad(place):
    """of a request that is refused because of one record, only that record is lost; a receiver that takes nothing is not asked for each"""
    receiver = opened(place)
    receiver.answer = lambda handler, request: (
        moods.refuse(400, "record 77 is bad") if "log 77" in request.names else moods.accept)(handler, request)
    forwarder = add(place, receiver)
    expected = logs(place, range(200))
    found = settled(place, forwarder, 200)
    assert (found["sent"], found["rejected"]) == (199, 1) and "77" in found["refusal"], found
    assert names(receiver) == [name for name in expected if name != "log 77"]
    before = len(receiver.at("/v1/logs"))
    receiver.answer = moods.refuse(400, "nothing is good enough")
    logs(place, range(1000, 3000))
    assert settled(place, forwarder, 2200)["rejected"] == 2001
    asked = len(receiver.at("/v1/logs")) - before
    assert asked < 130, f"{asked} requests for 2000 records of which none is taken"
    receiver.stop()


def circle(place):
    """two collectors that forward to each other: each has every record once, also when one of them starts again"""
    with tempfile.TemporaryDirectory(prefix="automobile-otlp-") as directory, Place(place.tool, directory, None) as other:
        place.again("--allow-egress", f"127.0.0.1:{other.port}")
        other.again("--allow-egress", f"127.0.0.1:{place.port}")
        there, back = add(place, other), add(other, place)
        ours, theirs = logs(place, range(20), session="ours"), logs(other, range(100, 130), session="theirs")
        assert settled(place, there, 50)["state"] != "blocked" and settled(other, back, 50)["state"] != "blocked"
        # What came back is told apart from what is new, and does not stop the lane.
        assert lane(other, back)["rejected"] == 20 and lane(place, there)["rejected"] == 30, (lane(other, back), lane(place, there))
        assert "come back" in lane(other, back)["refusal"]
        place.again(*place.more)
        time.sleep(1)
        logs(other, range(130, 140), session="theirs")
        settled(other, back, 60)
        settled(place, there, 60)
        time.sleep(1)
        for collector in (place, other):
            for session, count in (("ours", len(ours)), ("theirs", len(theirs) + 10)):
                collector.events(session, count)
        assert lane(other, back)["sent"] + lane(other, back)["rejected"] == 60


CHECKS = [one_bad, circle]
