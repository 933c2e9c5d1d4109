"""Who wants others to wait, or the collector to swell."""

import socket
import time

from house import INGEST, House, log

MIB = 1 << 20


def versions(tool, place):
    """6. An app whose every session is of another version blocks nobody, and abandoned questions end"""
    with House(tool, place) as house:
        count = 20_000
        for start in range(0, count, 5000):
            status, _ = house.deliver([log(f"s-{number}", version=f"1.{number}") for number in range(start, start + 5000)])
            assert status == 200, status
        house.until(f"/api/sessions/s-{count - 1}", lambda found: found["events"] == 1)
        for _ in range(32):
            house.get("/api/health").close()
        time.sleep(1)
        before = house.work()
        time.sleep(1)
        after = house.work() - before
        if after > 0.5:
            yield f"a second after 32 questions were left, they still take {after:.1f} s of processors a second"
        for _ in range(32):
            house.get("/api/health")
        took = house.end(patience=12)
        if took is None:
            yield "SIGTERM does not end it within 12 s"


def pages(tool, place):
    """7. Pages and tails are bounded in bytes"""
    with House(tool, place) as house:
        size, count = 900_000, 30
        for number in range(count):
            house.deliver([log("s", f"{number}" + "x" * size)])
        house.until("/api/sessions/s", lambda found: found["events"] == count)
        _, page = house.ask("GET", "/api/sessions/s/events?limit=500", key=INGEST)
        if len(page) > 6 * MIB:
            yield f"a page has {len(page) / MIB:.0f} MiB"
        unread = [house.get("/api/sessions/s/events?limit=500") for _ in range(20)]
        swollen = settled(house)
        for connection in unread:
            connection.close()
        if swollen > 300 * MIB:
            yield f"with 20 unread pages it has {swollen / MIB:.0f} MiB"
    with House(tool, place.with_name(place.name + "-tails")) as house:
        unread = [house.get("/api/tail") for _ in range(20)]
        time.sleep(0.5)
        for number in range(count):
            house.deliver([log("s", f"{number}" + "x" * size)])
        swollen = settled(house)
        for connection in unread:
            connection.close()
        if swollen > 300 * MIB:
            yield f"with 20 unread tails it has {swollen / MIB:.0f} MiB"


def drip(tool, place):
    """13. A head that drips is cut off after 30 s"""
    with House(tool, place) as house:
        start = time.monotonic()
        with house.socket(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ") as connection:
            connection.settimeout(0.25)
            while time.monotonic() - start < 36:
                try:
                    connection.sendall(b"x")
                    if not connection.recv(1000):
                        return
                except socket.timeout:
                    pass
                except OSError:
                    return
        yield "it is still open after 36 s"


def idle(tool, place):
    """13. 770 idle connections keep nobody out"""
    with House(tool, place) as house:
        held = []
        for _ in range(770):
            connection = socket.socket()
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", house.port))
            held.append(connection)
        waits = []
        for _ in range(5):
            start = time.monotonic()
            try:
                house.ask("GET", "/health", timeout=5)
            except OSError:
                pass
            waits.append(time.monotonic() - start)
            if waits[-1] > 2:
                break
        for connection in held:
            connection.close()
        if max(waits) > 2:
            yield f"an honest request waits {max(waits):.1f} s, or longer"


# MARK: What they use

def settled(house):
    """The memory that it has once it takes no more."""
    last, quiet = house.memory(), 0
    deadline = time.monotonic() + 20
    most = last
    while quiet < 6 and time.monotonic() < deadline:
        time.sleep(0.25)
        now = house.memory()
        quiet = quiet + 1 if abs(now - last) < MIB else 0
        most, last = max(most, now), now
    return most
