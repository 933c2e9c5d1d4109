"""Replays through a balancer to several collectors, whose S3 store goes away."""

import gzip
import hashlib
import http.client
import json
import random
import uuid

from asking import APP, ask
from launches import Launches
from programs import until
from recorder import Recorder


class Device:
    """A phone with an address of its own: the balancer sends the three steps of a replay's segment to one collector by it."""

    def __init__(self, port, address):
        self.port, self.address = port, address

    def ask(self, method, path, body=None, type="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(self.address, 0))
        try:
            data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            connection.request(method, "/" + path, data, {"Content-Type": type, "X-Bundle-Id": APP})
            answer = connection.getresponse()
            content = answer.read()
            return answer.status, gzip.decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()


def drained(company):
    """All but the packs that are written to is in the store."""
    until("the backlog drains", lambda: all(len(list((each.data / "packs").glob("*.pack"))) <= 1 for each in company.collectors))


def segment(url, recorder, name):
    """A segment as a collector gives it out: the status, and its hash or the code of the error."""
    status, content = Device(int(url.rsplit(":", 1)[1].strip("/")), "127.0.0.1").ask("GET", f"api/replays/{recorder.replay}/segments/{name}")
    return status, hashlib.sha256(content).digest() if status == 200 else json.loads(content or b"{}").get("error", {}).get("code")


def listed(url, recorder):
    status, answer = ask(url + f"api/replays/{recorder.replay}")
    return [each["id"] for each in answer["segments"]] if status == 200 else []


def check(company, recorder):
    """All that was acknowledged is at one collector at least, and what others list is there as well; nothing is listed twice."""
    def isWhole():
        found = [listed(url, recorder) for url in company.urls]
        for each in found:
            assert len(each) == len(set(each)), "doubled"
        return set(recorder.acknowledged) <= set().union(*found) and found
    for url, names in zip(company.urls, until("the replay is whole", isWhole)):
        known = [name for name in names if name in recorder.acknowledged]
        # Some of them: each is a request to the store.
        for name in random.sample(known, min(8, len(known))):
            found = segment(url, recorder, name)
            assert found == (200, recorder.acknowledged[name]), (url, name, found)
    return f"{len(recorder.acknowledged)} segments"


def without_the_store(company, end, mend):
    recorders = [Recorder(Device(company.balancer.port, f"127.0.0.{number}"), f"replay-{uuid.uuid4()}", session=f"s-{uuid.uuid4()}", pause=0.5)
                 for number in (2, 3, 4)]

    def more(count):
        had = [len(each.acknowledged) for each in recorders]
        until(f"{count} more segments are acknowledged; refused: {[each.refused for each in recorders]}",
              lambda: all(len(each.acknowledged) >= before + count for each, before in zip(recorders, had)))

    launches = Launches(company.url)
    with launches.running(), recorders[0].running(1), recorders[1].running(1), recorders[2].running(1):
        more(16)
        drained(company)
        early = next(iter(recorders[0].acknowledged))
        until("another collector knows of it", lambda: all(early in listed(url, recorders[0]) for url in company.urls))
        end()
        more(16)
        launches.more(200)
        for url in company.urls:
            status, code = segment(url, recorders[0], early)
            assert (status, code) == (503, "blobs_unavailable"), (url, status, code)
        mend()
        launches.more(100)
    drained(company)
    return ", ".join([launches.check(company.urls), *(check(company, each) for each in recorders)])


def killed_store(company):
    """the S3 store is killed while replays come: recording goes on, reading says what is missing, and what waits is put by itself"""
    return without_the_store(company, company.s3.kill, company.s3.start)


def cut_store(company):
    """the network to the S3 store is cut: the same"""
    return without_the_store(company, company.s3Way.cut, company.s3Way.mend)
