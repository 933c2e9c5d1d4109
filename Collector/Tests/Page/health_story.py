"""Two weeks in the life of an app: launches, frames, hangs, crashes, and how launches ended."""

import random
import time

from collector import Launch

day = 86_400_000
versions = ["1.9", "1.10", "2.0"]


class AppLaunch(Launch):
    """A launch of one version, some time ago; `dropped` goes into its ledger."""

    def __init__(self, version, at, user, dropped=None):
        super().__init__(user=user, start=at)
        self.version = version
        self.dropped = dropped or {}

    def event(self, type, after=10, **members):
        sequence, event = super().event(type, after, **members)
        event["context"] |= {"appVersion": self.version, "bundleId": "com.example.page",
                             "device": {"model": "iPhone15,2", "systemName": "iOS", "osVersion": "18.1"}}
        return sequence, event

    def measured(self, name, **properties):
        return self.event("custom", 10, name=name, properties=properties)

    def ended(self, launch, verdict, evidence, memory):
        details = {"launchId": launch.id, "verdict": verdict, "evidence": evidence, "memory": memory, "appVersion": launch.version}
        return self.event("lifecycle", 10, state="previous_launch_ended", details=details)


verdicts = [
    ("clean_exit", "the process exited, by calling exit or returning from main"), ("user_kill", "it was in the background and ended without a sign"),
    ("user_kill", "swiped away"), ("updated", "version 1.10 became 2.0"), ("hang_kill", "its main thread had hung for 10 s"),
    ("out_of_memory", "438 of 450 MB were in use"), ("clean_exit", "the process exited, by calling exit or returning from main"), ("unknown", "nothing is certain"),
]


def launches(count=40, seed=7, now=None):
    """Launches, oldest first, each with its events; each tells how the one before it ended."""
    chance = random.Random(seed)
    now = now or int(time.time() * 1000)
    told = []
    before = None
    for index in range(count):
        version = versions[min(index * len(versions) // count, 2)]
        at = now - (count - index) * 13 * day // count - chance.randrange(day // 4)
        launch = AppLaunch(version, at, f"user{index % 9}@example.com", {"filtered": 3} if index % 6 == 0 else {})
        speed = {"1.9": 900, "1.10": 700, "2.0": 460}[version]
        events = [launch.measured(
            "App Launch", kind="cold" if index % 4 else "warm", totalMs=str(int(speed * chance.lognormvariate(0, 0.4))),
            preMainMs=str(chance.randrange(60, 180)))]
        if before:
            crashed = index % 8 == 3
            verdict, evidence = ("crash", "there is a report: SIGSEGV") if crashed else verdicts[index % len(verdicts)]
            events.append(launch.ended(before, verdict, evidence, f"{chance.randrange(120, 440)} of 450 MB"))
        for screen in ("Menu", "Drink", "Checkout"):
            events.append(launch.screen(screen, after=2000))
            slow = chance.randrange(12 if screen == "Checkout" else 4)
            events.append(launch.measured(
                "Frames", screen=screen, durationMs="4000", frames="240", slow=str(slow), frozen=str(int(slow > 9)),
                worstMs=str(17 + slow * chance.randrange(4, 60))))
        if index % 5 == 2:
            events.append(launch.hang([(5, ["Basket.layout()", "!UIApplicationMain"])], duration=chance.randrange(2000, 6000)))
        if index % 8 == 2:
            events.append(launch.crash(["Cart.total(of:)", "Checkout.pay()", "!UIApplicationMain"], version=version))
        told.append((launch, events))
        before = launch
    return told


def send(collector, told):
    with collector.together():
        for launch, events in told:
            collector.send(launch, events, final=True, dropped=launch.dropped)
