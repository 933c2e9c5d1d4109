"""Two shards of ClickHouse, PostgreSQL and an S3 store, which collectors share."""

import contextlib
import os
from pathlib import Path

import clickhouse
import postgres
import s3


class Servers:
    def __init__(self, directory):
        self.directory = Path(directory)
        # Servers that do not run as root look into it.
        self.directory.chmod(0o755)
        # Whatever is started from here on finds the passwords where people put them.
        os.environ.update(
            AWS_ACCESS_KEY_ID=s3.ACCESS, AWS_SECRET_ACCESS_KEY=s3.SECRET, PGPASSWORD=postgres.PASSWORD, CLICKHOUSE_PASSWORD=clickhouse.PASSWORD)
        self.s3 = s3.Server(self.directory / "s3")
        self.s3Way = s3.Way(self.s3.port)
        self.postgres = postgres.Server(self.directory / "postgres")
        self.pair = clickhouse.Pair(self.directory)

    def blobs(self, prefix):
        return f"s3://bucket/{prefix}?endpoint=http://127.0.0.1:{self.s3Way.port}"

    def end(self):
        for name, end in (("pair", "end"), ("postgres", "end"), ("s3", "kill")):
            with contextlib.suppress(Exception):
                getattr(getattr(self, name), end)()
