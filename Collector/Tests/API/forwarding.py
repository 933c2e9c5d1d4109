"""Forwarders: what they are set to, and how far they are."""

AUTHOR = {"X-AutoMobile-Author": "Lea%20Ming"}


def forwarders(api, facts):
    """forwarders"""
    url = f"http://127.0.0.1:{facts.echo}/otlp"
    body = {"name": "Lab", "url": url, "headers": {"Authorization": "Bearer sesame"}, "types": ["log"], "level": "fault",
            "bundleId": "com.example.none", "mostBehind": 1000, "format": "json", "gzip": False}
    place = {"id": api.call("addForwarder", headers=AUTHOR, body=body).json["id"]}
    tested = api.call("testForwarder", path=place).json["signals"]
    assert [each["signal"] for each in tested] == ["logs"], tested
    api.call("changeForwarder", path=place, body={"name": "Laboratory", "paused": True})
    api.call("addForwarder", 409, body={"name": "Laboratory", "url": url})
    api.call("addForwarder", 400, body={"name": "x", "url": "http://127.1/"})
    api.call("addForwarder", 400, raw=b'{"name":"x","colour":"red"}')
    api.call("changeForwarder", 400, path=place, raw=b'{"level":"loud"}')
    inside = api.call("addForwarder", body={"url": "http://169.254.169.254/", "fromBeginning": True}).json["id"]
    assert not api.call("testForwarder", path={"id": inside}).json["signals"][0]["sent"]
    facts.wait(lambda: {lane["state"] for each in api.call("getForwarders").json["forwarders"] if each["id"] == inside
                        for lane in each["lanes"]} == {"blocked"})
    listed = api.call("getForwarders").json["forwarders"]
    assert len(listed) == 2 and "sesame" not in str(listed) and "/otlp" not in str(listed[0]["url"]), listed
    for each in listed:
        api.call("removeForwarder", path={"id": each["id"]})
    for name, body in (("removeForwarder", None), ("testForwarder", None), ("changeForwarder", {"name": "x"})):
        api.call(name, 404, path=place, body=body)


ALL = [forwarders]
