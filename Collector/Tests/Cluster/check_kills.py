"""Parts are killed, stopped and cut off while phones send: nothing acknowledged is lost, nothing is doubled, and what waits goes on by itself."""

import random
import time

from asking import ask
from launches import Launches
from programs import until

# What a phone is told while something is away: nothing at all, by the balancer that a collector does not answer, or by a collector that
# it is to come later. Each time it sends the same again.
LATER = {0, 429, 502, 503, 504}


def killed_collectors(company):
    """collectors are killed under load, one after the other"""
    launches = Launches(company.url)
    with launches.running():
        for _ in range(company.rounds):
            for collector in company.collectors:
                launches.more(200)
                time.sleep(random.uniform(0, 0.5))
                collector.kill()
                launches.more(100)
                collector.start()
    assert set(launches.refused) <= LATER, launches.refused
    return launches.check(company.urls)


def cut_collector(company):
    """the network between the balancer and a collector is cut: the others go on, and it does when it is mended"""
    launches = Launches(company.url)
    with launches.running():
        for collector in company.collectors:
            launches.more(100)
            collector.way.cut()
            launches.more(200)
            collector.way.mend()
    assert set(launches.refused) <= LATER, launches.refused
    return launches.check(company.urls)


def rolled(company):
    """collectors are stopped in order and started again one after the other, as a new release is brought in"""
    launches = Launches(company.url)
    with launches.running():
        for collector in company.collectors:
            launches.more(200)
            collector.stop()
            launches.more(100)
            collector.start()
    assert set(launches.refused) <= LATER, launches.refused
    return launches.check(company.urls)


def health(url):
    return ask(url + "health")[1] or {}


def says_what_is_missing(company, name):
    status, answer = company.ask("api/sessions?limit=10")
    return status == 503 and answer["error"]["code"] == "telemetry_unavailable" and name in answer["error"]["message"]


def silent(company, shard):
    """Whether a collector's metrics say that a shard does not answer."""
    beginning = f'automobile_clickhouse_shard_silent{{shard="{shard}"}} '
    texts = [ask(url + "metrics")[1] or "" for url in company.urls]
    return any(line.startswith(beginning) and float(line.split()[1]) > 0 for text in texts for line in text.splitlines())


def without_a_shard(company, end, mend):
    launches = Launches(company.url)
    shard = company.pair.shards[1]
    with launches.running():
        launches.more(300)
        end(shard)
        # What is sent is taken, or said to be too much.
        launches.more(400)
        assert set(launches.refused) <= {429, 503}, launches.refused
        until("reading says which shard is away", lambda: says_what_is_missing(company, "shard 2"))

        def isSaid():
            told = [health(url) for url in company.urls]
            return all(each.get("status") == "degraded" and "shard 2" in str(each) for each in told)
        until("each collector's health says so", isSaid)
        until("metrics say so", lambda: silent(company, 2))
        # A collector that is started meanwhile goes on without it.
        company.collectors[0].kill()
        company.collectors[0].start()
        launches.more(100)
        mend(shard)
        launches.more(100)
    said = launches.check(company.urls)
    until("nothing waits any more", lambda: all(health(url).get("status") == "ok" for url in company.urls))
    return said


def killed_shard(company):
    """a shard is killed: recording goes on, reading says which one is away, and what waits goes on by itself"""
    return without_a_shard(company, lambda shard: shard.kill(), lambda shard: shard.start())


def cut_shard(company):
    """the network to a shard is cut, so that nothing is answered at all: the same"""
    return without_a_shard(company, lambda shard: shard.cut(), lambda shard: shard.mend())


def without_the_state(company, end, mend):
    launches = Launches(company.url)
    with launches.running():
        launches.more(300)
        end()
        launches.more(400)
        assert set(launches.refused) <= {429, 503}, launches.refused
        status, answer = company.ask("api/sessions?limit=10")
        assert status == 200, (status, answer)
        until("each collector's health says so", lambda: all(
            told.get("status") == "degraded" and "state" in told for told in map(health, company.urls)))
        status, answer = company.ask("api/searches", "POST", {"name": "All", "address": "#/sessions"})
        # Of one that was on its way when the connection was cut nobody knows.
        assert (status, answer["error"]["code"]) in [(503, "state_unavailable"), (504, "state_unknown")], (status, answer)
        mend()
        launches.more(100)
    said = launches.check(company.urls)
    until("all is well again", lambda: all(health(url).get("status") == "ok" for url in company.urls))
    return said


def killed_state(company):
    """PostgreSQL is killed: recording and reading go on"""
    return without_the_state(company, company.postgres.kill, company.postgres.start)


def cut_state(company):
    """the network to PostgreSQL is cut: the same"""
    return without_the_state(company, company.postgres.way.cut, company.postgres.way.mend)
