"""Disks are full, of a collector and of a shard."""

from asking import ask
from check_kills import LATER, health
from launches import Launches
from programs import until


def full_collector(company):
    """a collector's disk is full: it takes nothing in and says so, the others go on, and it does when there is room"""
    collector = company.collectors[2]
    if not company.disks:
        return "not run: only root can mount a small file system"
    disk = company.disks[0]
    through, direct = Launches(company.url), Launches(collector.url, 2)
    with through.running(), direct.running():
        through.more(200)
        direct.more(100)
        disk.fill(256 << 10)
        until("it refuses", lambda: direct.refused.get(503, 0) > 5)
        through.more(300)
        # A disk that is full can still be asked.
        status, answer = ask(collector.url + "api/sessions?limit=10")
        assert status == 200, (status, answer)
        disk.mend()
        direct.more(200)
    assert set(through.refused) | set(direct.refused) <= LATER, (through.refused, direct.refused)
    return f"{through.check(company.urls)}, {direct.check(company.urls)}"


def full_shard(company):
    """a shard's disk is full: what comes waits and is not lost, reading goes on, and what waits is sent when there is room"""
    if not company.disks:
        return "not run: only root can mount a small file system"
    disk = company.disks[1]
    launches = Launches(company.url)
    with launches.running():
        launches.more(200)
        disk.fill(64 << 10)
        launches.more(400)
        until("a collector says that something waits", lambda: any(health(url).get("status") == "degraded" for url in company.urls))
        status, answer = company.ask("api/sessions?limit=10")
        assert status in (200, 503), (status, answer)
        launches.more(100)
        disk.mend()
        launches.more(100)
    assert set(launches.refused) <= {429, 503}, launches.refused
    said = launches.check(company.urls)
    until("nothing waits any more", lambda: all(health(url).get("status") == "ok" for url in company.urls))
    return said
