"""Where the collectors of a test keep what they are told: each in its data directory, or all in servers that are started once.

    places.add_option(parser)                     --cluster
    with places.chosen(arguments):                starts what it takes, and ends it
        command += places.now().serve(data)       of each collector that a check starts
"""

import contextlib
import json
import shutil
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import laptop
import postgres
import programs
from servers import Servers


class Folders:
    """A laptop's."""

    isCluster = False

    def serve(self, data):
        """Options of a collector that is started with this data directory."""
        return []

    def log(self, data):
        """Where what that one has to say goes."""
        return subprocess.DEVNULL

    def settle(self, url, data):
        """Waits until what was delivered can be read. Here it is found a little later, for which checks wait themselves."""

    def bring(self, tool, old, data):
        """What a collector had that has ended, in this directory, will be there when one is started with `data`."""
        shutil.copytree(old, data)

    def state(self, data):
        """All that its state has, as bytes."""
        return b"".join(path.read_bytes() for path in Path(data).glob("index.sqlite*"))

    def leave(self, folder):
        """No collector is started any more with a data directory in this folder. Returns what they said."""
        return ""

    def reason(self, folder, check):
        """Why a check is not tried here; None when it is."""


class Cluster:
    """Servers for all. A collector that begins with an empty directory has a database of its own in each, and its own prefix of blobs."""

    isCluster = True

    def __init__(self, servers):
        self.servers = servers
        self.count = 0
        # Databases, by the data directory of the collectors that have them; and by the directory that they were moved from.
        self.names, self.moved = {}, {}
        # Data directories that belong to what was moved, before a collector began with them.
        self.awaited = set()

    # MARK: Databases

    def serve(self, data):
        data = Path(data).resolve()
        if data in self.awaited:
            self.awaited.remove(data)
        elif not data.exists() or not any(data.iterdir()):
            self.names[data] = self._make()
        store, state, blobs = self._places(self.names[data])
        return ["--store", store, "--state", state, "--blobs", blobs]

    def _make(self):
        self.count += 1
        name = f"test_{self.count}"
        assert self.servers.postgres.sql(f"CREATE DATABASE {name}", "postgres") is not None, self.servers.postgres.process.said()
        return name

    def _places(self, name):
        return self.servers.pair.address(name), self.servers.postgres.address(name), self.servers.blobs(name)

    def leave(self, folder):
        """Servers that have very many databases take long to make another one."""
        folder = Path(folder).resolve()
        left = {self.names.pop(data) for data in list(self.names) if folder in (data, *data.parents)}
        for name in left - set(self.names.values()) - set(self.moved.values()):
            for shard in self.servers.pair.shards:
                shard.tell(f"DROP DATABASE IF EXISTS {name}")
            self.servers.postgres.sql(f"DROP DATABASE {name} WITH (FORCE)", "postgres")
        return "".join(self._log(name).read_text(errors="replace")[-3000:] for name in sorted(left) if self._log(name).exists())

    # MARK: What collectors say

    def log(self, data):
        return open(self._log(self.names[Path(data).resolve()]), "ab")

    def _log(self, name):
        return self.servers.directory / f"{name}.log"

    # MARK: Waiting

    def settle(self, url, data):
        """Batches go when their first event is a second old. Reports are in issues when somebody has looked at them."""
        name = self.names[Path(data).resolve()]
        programs.until("what was delivered is in ClickHouse", lambda: not self._waits(url), patience=60)
        programs.until("somebody has looked at the reports", lambda: not self._unseen(name), patience=60)

    def _waits(self, url):
        with urllib.request.urlopen(url.rstrip("/") + "/health", timeout=60) as answer:
            waiting = json.load(answer)["clickhouse"]
        return any(waiting[part] for part in ("backlogBytes", "batches", "deliveries"))

    def _unseen(self, name):
        """A report is a row when it comes, and another one when it was looked at."""
        new = f"SELECT count() FROM (SELECT max(revision) AS seen FROM {name}.reports_local GROUP BY project, launch, position HAVING seen = 0)"
        return any(int(shard.ask(new)[0][0]) for shard in self.servers.pair.shards)

    # MARK: What was recorded before

    def bring(self, tool, old, data):
        """As a company does it that outgrows its one machine; once, since it is only read."""
        old = Path(old).resolve()
        if old not in self.moved:
            self.moved[old] = self._make()
            store, state, blobs = self._places(self.moved[old])
            self._run(tool, "migrate", "--store", store, "--state", state)
            self._run(tool, "move", "--data", old, "--store", store, "--state", state, "--blobs", blobs)
            # Symbols and sources.
            self._run(tool, "move", "--data", old, "--state", state, "--blobs", "folder", blobs)
        data = Path(data).resolve()
        self.names[data] = self.moved[old]
        self.awaited.add(data)

    def _run(self, tool, *words):
        done = subprocess.run([tool, "store", *words], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, (words, done.stdout[-1000:], done.stderr[-2000:])

    def state(self, data):
        command = [
            programs.find("pg_dump"), "--inserts", "-h", "127.0.0.1", "-p", str(self.servers.postgres.port), "-U", postgres.USER,
            self.names[Path(data).resolve()]]
        return subprocess.run(command, capture_output=True, check=True).stdout

    def reason(self, folder, check):
        return laptop.ONLY.get(folder, {}).get(check)


_now = Folders()


def now():
    """What was chosen for the test that runs."""
    return _now


def add_option(parser):
    parser.add_argument("--cluster", action="store_true", help="collectors keep what they are told in ClickHouse, PostgreSQL and an S3 store")


@contextlib.contextmanager
def chosen(arguments):
    global _now
    if not arguments.cluster:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="automobile-places-") as directory:
        servers = Servers(directory)
        _now = Cluster(servers)
        try:
            yield
        finally:
            _now = Folders()
            servers.end()
