"""A newer release comes in under load, collector by collector, and brings the tables up to date while older ones go on beside it."""

from asking import ask
from check_kills import LATER
from launches import Launches
from programs import until


def schema(company):
    """The newest step of each server's tables: of both shards, and of PostgreSQL."""
    shards = [
        int(shard.ask("SELECT max(version) FROM telemetry.automobile_schema")[0][0]) for shard in company.pair.shards]
    return *shards, int(company.postgres.sql("SELECT max(number) FROM automobile_schema", "state"))


def decide(url, name):
    """Something is decided at one collector."""
    status, answer = ask(url + "api/searches", "POST", {"name": name, "address": "#/sessions"})
    assert status in (200, 201), (status, answer)


def knows(url, name):
    status, answer = ask(url + "api/searches")
    return status == 200 and name in str(answer)


def told(company, name, by):
    """What was decided at a collector is known at all of them."""
    decide(by.url, name)
    for url in company.urls:
        until(f"{url} knows {name}", lambda: knows(url, name))


def upgraded(company):
    """a newer release comes in collector by collector, changes the tables, and older ones go on beside it, and start again"""
    before = schema(company)
    launches = Launches(company.url)
    with launches.running():
        launches.more(300)
        for number, collector in enumerate(company.collectors):
            collector.stop()
            launches.more(100)
            collector.tool = company.tool
            collector.start()
            launches.more(200)
            told(company, f"by the new one {number}", collector)
            if number == 0:
                after = schema(company)
                assert all(new >= old for new, old in zip(after, before)) and after != before, f"{before}, then {after}: no step is new"
            if older := company.collectors[number + 1:]:
                # As one does whose machine went down in the middle of it.
                older[-1].kill()
                launches.more(100)
                older[-1].start()
                told(company, f"by the old one {number}", older[-1])
    assert set(launches.refused) <= LATER, launches.refused
    assert schema(company) == after
    return f"{launches.check(company.urls)}; steps {before}, then {after}"
