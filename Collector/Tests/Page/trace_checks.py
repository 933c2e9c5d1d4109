"""A session, saved for other programs."""

import json

from checks import check, loaded, open_session
from collector import Launch


@check
def a_session_as_a_chrome_trace(collector, page):
    """a session is saved as a Chrome trace, by its button and from the command palette"""
    app = Launch()
    events = [app.screen("Menu"), app.request("/v1/drinks"), app.log("card declined", level=4)]
    collector.start().send(app, events, final=True)
    open_session(collector, page, app)
    loaded(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Chrome trace").click()
    names = saved(download.value, collector)
    assert {"Menu", "GET /v1/drinks", "card declined"} <= names, names
    with page.expect_download() as download:
        page.keyboard.press("Control+k")
        page.keyboard.type("chrome trace")
        page.keyboard.press("Enter")
    assert saved(download.value, collector) == names


def saved(download, collector):
    assert download.suggested_filename.endswith(".trace.json"), download.suggested_filename
    file = collector.directory / "session.trace.json"
    download.save_as(file)
    return {each["name"] for each in json.loads(file.read_text())["traceEvents"]}
