"""What a company has: three collectors behind nginx, two shards of ClickHouse, PostgreSQL and an S3 store."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import nginx
import programs
import s3
from asking import ask
from disks import Disk
from programs import until
from servers import Servers


class Collector:
    def __init__(self, tool, data, port, places):
        self.tool = tool
        self.arguments = [
            "serve", "--json", "--data", str(data), "--port", str(port), "--log-level", "warning",
            *(word for pair in places for word in pair)]
        self.data, self.port = Path(data), port
        self.url = f"http://127.0.0.1:{port}/"
        # The one that the balancer takes.
        self.way = s3.Way(port)
        self.data.mkdir(exist_ok=True, mode=0o700)
        self.start()

    def start(self):
        with open(self.data.parent / f"{self.data.name}.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.tool, *self.arguments], stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=programs.end_with_this)
        line = self.process.stdout.readline()
        assert line, f"it does not start: {(self.data.parent / f'{self.data.name}.log').read_text()[-2000:]}"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """In order, as a new release is brought in."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=programs.PATIENCE) == 0
        self.process.stdout.close()


class Company(Servers):
    def __init__(self, tool, directory, former=None):
        """One whose collectors are the program of a former release, if one is given."""
        self.tool = tool
        # Of the third collector and the second shard, which finds it there.
        self.disks = []
        for name, mode in (("collector-3", 0o700), ("shard-2/data", 0o755)):
            (folder := Path(directory) / name).mkdir(mode=mode, parents=True)
            if os.geteuid() == 0:
                self.disks.append(Disk(folder))
        super().__init__(directory)
        self.collectors = []
        # How often something is done that may go wrong by chance.
        self.rounds = 2
        self.postgres.sql("CREATE DATABASE state", "postgres")
        places = [
            ("--store", self.pair.address("telemetry")), ("--state", self.postgres.address("state")),
            ("--blobs", self.blobs("all"))]
        for number, port in enumerate(s3.free_ports(3), 1):
            self.collectors.append(Collector(former or tool, self.directory / f"collector-{number}", port, places))
        self.balancer = nginx.Balancer(self.directory / "nginx", [each.way.port for each in self.collectors])
        self.url = self.balancer.url
        until("the balancer answers", lambda: ask(self.url + "health")[0] == 200)

    @property
    def urls(self):
        return [each.url for each in self.collectors]

    def ask(self, path, *rest):
        return ask(self.url + path, *rest)

    def said(self):
        """What the collectors logged, the end of it."""
        return "\n".join(f"{log.name}\n{log.read_text()[-3000:]}" for log in sorted(self.directory.glob("collector-*.log")))

    def end(self):
        for each in self.collectors:
            with contextlib.suppress(Exception):
                each.kill()
        with contextlib.suppress(Exception):
            self.balancer.end()
        super().end()
        for disk in self.disks:
            disk.end()
