"""A session for the checks of its page."""

import time

from collector import Launch

minute = 60_000


def a_session(collector, final=True):
    """Two minutes with something on every track."""
    collector.start()
    launch = Launch(user="mira@example.com", start=int(time.time() * 1000) - 5 * minute)
    launch.context["device"] = {"model": "iPhone16,2", "systemName": "iOS", "osVersion": "18.1"}
    events = [launch.event("lifecycle", state="foreground", details={}), launch.screen("Menu", after=200)]
    for n in range(6):
        events += [launch.tap(f"Drink {n}", after=2000), launch.request(f"/v1/drinks/{n}", duration=400.0, after=20), launch.log(f"priced drink {n}", after=60)]
    events += [launch.screen("Basket", after=4000), launch.event("storage_changed", after=30, key="basket", newValue="3", suiteName="shop"),
               launch.log("the price has changed", level=3), launch.event("custom", name="basket opened", properties={"items": 3}),
               launch.screen("Checkout", after=5000), launch.tap("Pay now", after=1500),
               launch.request("/v1/checkout", status=503, method="POST", duration=1800.0), launch.log("the card was declined", level=4, after=1900),
               launch.hang([(14, ["decode", "layout", "main"])], after=30_000)]
    collector.send(launch, events, final=final)
    return launch
