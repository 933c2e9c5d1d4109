"""A receiver in every mood, and a collector that is killed in between: each record is acknowledged, and none is sent again after that was
noted down."""

import random
import time
from collections import Counter

import receiver as moods
import source
from receiver import Receiver

SIGNALS = {"logs": "/v1/logs", "traces": "/v1/traces"}


def ledger(place):
    """a receiver that is down, slow, lying, refusing and taking a part, and a collector that is killed: nothing is lost or sent twice"""
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    receiver = Receiver()
    place.again("--allow-egress", f"127.0.0.1:{receiver.port}")
    forwarder = source.add(place, receiver, format=chance.choice(["protobuf", "json"]))
    sent = {"logs": [], "traces": []}
    noted = {"logs": 0, "traces": 0}
    settled = {}
    kills = 0
    try:
        for step in range(40):
            mood(receiver, chance, step)
            sent["logs"] += source.logs(place, range(len(sent["logs"]), len(sent["logs"]) + chance.randint(1, 700)))
            sent["traces"] += source.spans(place, range(len(sent["traces"]), len(sent["traces"]) + chance.randint(1, 60)))
            time.sleep(chance.uniform(0, 0.5))
            check(place, forwarder, receiver, noted, settled)
            if step % 3 == 2:
                # A moment of peace, or pauses become so long that nothing is tried any more.
                rest(place, forwarder, receiver)
            if step % 5 == 3:
                place.kill()
                kills += 1
                place.start()
        if receiver.server is None:
            receiver.start()
        receiver.answer = moods.accept
        for signal, path in SIGNALS.items():
            source.until(lambda: source.lane(place, forwarder, signal)["state"] == "up_to_date"
                         and set(sent[signal]) <= acknowledged(receiver, path).keys(), 120)
        check(place, forwarder, receiver, noted, settled)
        judge(receiver, sent, settled, kills, place, forwarder)
    except BaseException:
        print(f"seed {seed}")
        raise
    finally:
        receiver.stop()


def rest(place, forwarder, receiver):
    if receiver.server is None:
        receiver.start()
    receiver.answer = moods.accept
    for signal in SIGNALS:
        source.until(lambda: source.lane(place, forwarder, signal)["state"] in ("up_to_date", "sending"))


def mood(receiver, chance, step):
    if step % 8 == 5:
        # Whoever is being answered hears the end of it: an answer that is lost on the way is none, and comes twice.
        receiver.answer = moods.hang_up
        time.sleep(1)
        receiver.stop()
        return
    if receiver.server is None:
        receiver.start()
    receiver.answer = chance.choice([
        moods.accept, moods.accept, moods.after(0.6), moods.refuse(429, Retry_After="1"), moods.refuse(503), moods.refuse(502),
        moods.refuse(504), moods.lie, moods.garbage, moods.hang_up, moods.cut, moods.huge, moods.partial(1, "one is enough"),
        moods.in_turn(moods.refuse(503), moods.hang_up, moods.lie, moods.partial(1, "again one"))])


def acknowledged(receiver, path):
    return Counter(name for request in receiver.at(path) if request.acknowledged for name in request.names)


def check(place, forwarder, receiver, noted, settled):
    """What the collector says is settled has been acknowledged, in this order, and never comes again."""
    for signal, path in SIGNALS.items():
        lane = source.lane(place, forwarder, signal)
        count = lane["sent"] + lane["rejected"]
        assert count >= noted[signal], (signal, count, noted)
        noted[signal] = count
        # Records go out in the order in which they came, so the first ones are those that are settled.
        order = list(dict.fromkeys(name for request in receiver.at(path) if request.acknowledged for name in request.names))
        assert len(order) >= count, (signal, len(order), count)
        now = time.monotonic()
        for name in order[:count]:
            settled.setdefault((signal, name), now)


def judge(receiver, sent, settled, kills, place, forwarder):
    for signal, path in SIGNALS.items():
        for request in receiver.at(path):
            late = [name for name in request.names if settled.get((signal, name), request.at) < request.at]
            assert not late, f"{signal}: {len(late)} records came again after the collector had noted that they are settled: {late[:3]}"
    for signal, path in SIGNALS.items():
        counts = acknowledged(receiver, path)
        assert set(counts) == set(sent[signal]), (signal, len(counts), len(sent[signal]))
        lane = source.lane(place, forwarder, signal)
        assert lane["sent"] + lane["rejected"] == len(sent[signal]), (lane, len(sent[signal]))
        twice = [request for request in receiver.at(path) if request.acknowledged and any(counts[name] > 1 for name in request.names)]
        # A collector that is killed between an answer and its note asks once more: that one request.
        assert len(twice) <= 2 * kills, (signal, len(twice), kills)
        rejected = sum(request.rejected for request in receiver.at(path) if request.acknowledged)
        assert lane["rejected"] <= rejected, (lane, rejected)
        print(f"        {signal}: {len(counts)} records, {len(receiver.at(path))} requests, {kills} kills, "
              f"{sum(counts.values()) - len(counts)} acknowledged twice, {lane['rejected']} not taken")
