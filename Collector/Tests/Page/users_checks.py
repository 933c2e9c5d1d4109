"""What the page of a user must do."""

import time

from playwright.sync_api import expect

from checks import check
from collector import Launch


@check
def older_sessions_of_a_user(collector, page):
    """when older sessions were loaded, those that newer ones push off the first page stay in the list"""
    collector.start()
    now = int(time.time() * 1000)
    launches = [Launch(user="mira", start=now - (100 - index) * 60_000) for index in range(58)]
    for launch in launches[:55]:
        collector.send(launch, [launch.log("seen")])
    page.goto(f"{collector.url}#/users/mira")
    listed = page.locator(".user-sessions a[data-id]")
    expect(listed).to_have_count(50)
    page.get_by_role("button", name="Older sessions").click()
    expect(listed).to_have_count(55)
    for launch in launches[55:]:
        collector.send(launch, [launch.log("seen")])
    expect(listed.first).to_have_attribute("data-id", launches[57].session, timeout=20_000)
    ids = listed.evaluate_all("(all) => all.map((one) => one.dataset.id)")
    assert ids == [launch.session for launch in reversed(launches)], len(ids)
