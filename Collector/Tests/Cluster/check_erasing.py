"""What is erased at one collector is gone at all, and does not come back."""

import uuid

from asking import ask
from launches import deliver
from programs import until


def status_of(url, session):
    return ask(url + f"api/sessions/{session}")[0]


def begin(url, session):
    status, answer = ask(url + "api/erasures", "POST", {"session": session})
    assert status in (200, 201, 202), (status, answer)
    return answer["id"]


def step(url, id):
    status, answer = ask(url + f"api/erasures/{id}")
    return answer["step"] if status == 200 else None


def there(company):
    """A session that each collector shows, and the launch that sent it."""
    launch = str(uuid.uuid4()).upper()
    session = deliver(company.url, launch=launch, message="to be forgotten")
    for url in company.urls:
        until(f"the session is at {url}", lambda: status_of(url, session) == 200)
    return launch, session


def never_again(company, launch, session):
    """The phone sends it once more, to each collector; what comes behind it is there, and it is not."""
    for url in company.urls:
        deliver(url, launch=launch, session=session, message="to be forgotten")
        behind = deliver(url, message="behind it")
        until("what came behind it is there", lambda: status_of(url, behind) == 200)
    for url in company.urls:
        assert status_of(url, session) == 404, (url, status_of(url, session))


def erased(company):
    """a session that is erased at one collector is gone at all, and does not come back when the phone sends it again"""
    launch, session = there(company)
    id = begin(company.urls[1], session)
    until("it is erased", lambda: step(company.urls[1], id) == "done")
    never_again(company, launch, session)


def erased_without_a_shard(company):
    """an erasure is not begun while a shard is away; one goes away behind the beginning, and it is waited for"""
    sessions = [there(company) for _ in range(3)]
    at, shard = company.urls[1], company.pair.shards[0]
    shard.cut()
    try:
        # What is to be erased cannot be found.
        status, answer = ask(at + "api/erasures", "POST", {"session": sessions[0][1]})
        assert status == 503 and answer["error"]["code"] == "telemetry_unavailable", (status, answer)
        shard.mend()
        until("the shard answers", lambda: ask(at + "api/sessions?limit=1")[0] == 200)
        ids = [begin(at, session) for _, session in sessions]
        shard.cut()
        for launch, session in sessions:
            for url in company.urls:
                deliver(url, launch=launch, session=session, message="to be forgotten")
    finally:
        shard.mend()
    for id in ids:
        until("it is erased", lambda: step(at, id) == "done")
    for launch, session in sessions:
        never_again(company, launch, session)
