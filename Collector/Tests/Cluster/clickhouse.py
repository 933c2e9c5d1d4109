"""Two real ClickHouse servers, the shards of a cluster. They, and those who ask them, find them by ways that can be cut."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from xml.sax.saxutils import escape

import programs
import s3

USER, PASSWORD, CLUSTER = "automobile", "p@ss/w:rd?&,%<'", "pair"


class Shard:
    def __init__(self, folder):
        self.folder = Path(folder)
        for name in ("data", "tmp", "files"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.http, self.tcp = s3.free_ports(2)
        self.ways = [s3.Way(self.http), s3.Way(self.tcp)]
        self.process = None

    def configure(self, shards):
        # A server finds itself in the list by its own port only.
        listed = "".join(
            "<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host>"
            f"<port>{self.tcp if each is self else each.ways[1].port}</port>"
            f"<user>{USER}</user><password>{escape(PASSWORD)}</password></replica></shard>" for each in shards)
        (self.folder / "config.xml").write_text(
            f"""<yandex>
            <logger><level>warning</level><log>{self.folder}/log.txt</log><errorlog>{self.folder}/errors.txt</errorlog></logger>
            <http_port>{self.http}</http_port><tcp_port>{self.tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
            <path>{self.folder}/data/</path><tmp_path>{self.folder}/tmp/</tmp_path><user_files_path>{self.folder}/files/</user_files_path>
            <users_config>{self.folder}/users.xml</users_config><timezone>UTC</timezone>
            <default_profile>default</default_profile><default_database>default</default_database>
            <mark_cache_size>67108864</mark_cache_size>
            <remote_servers><{CLUSTER}>{listed}</{CLUSTER}></remote_servers></yandex>""")
        # What the kernel has survives a server that is killed: nothing is waited for that only an outage of the machine would take.
        (self.folder / "users.xml").write_text(
            f"""<yandex><profiles><default><max_memory_usage>2000000000</max_memory_usage><fsync_metadata>0</fsync_metadata></default></profiles>
            <users><{USER}><password>{escape(PASSWORD)}</password><networks><ip>127.0.0.1</ip></networks>
            <profile>default</profile><quota>default</quota></{USER}></users>
            <quotas><default><interval><duration>3600</duration></interval></default></quotas></yandex>""")

    def start(self):
        self.process = programs.Process(
            [programs.find("clickhouse-server"), f"--config-file={self.folder}/config.xml"], self.folder)
        programs.until("ClickHouse answers", lambda: self.ask("SELECT 1") is not None or not self.process.runs)
        assert self.process.runs, self.process.said()

    def ask(self, statement):
        """The rows as lists; None when there is no answer."""
        text = self.tell(statement + " FORMAT JSONCompact")
        return json.loads(text)["data"] if text else None

    def tell(self, statement):
        """What is answered, as it comes; None when there is no answer."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.http}/", statement.encode(), {"X-ClickHouse-User": USER, "X-ClickHouse-Key": PASSWORD})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode(errors="replace")) from error
        except OSError:
            return None

    def kill(self):
        self.process.kill()

    def cut(self):
        for way in self.ways:
            way.cut()

    def mend(self):
        for way in self.ways:
            way.mend()


class Pair:
    def __init__(self, folder):
        self.shards = [Shard(Path(folder) / f"shard-{number}") for number in (1, 2)]
        for shard in self.shards:
            shard.configure(self.shards)
            shard.start()

    def address(self, database):
        hosts = ",".join(f"127.0.0.1:{shard.ways[0].port}" for shard in self.shards)
        return f"clickhouse://{USER}@{hosts}/{database}?cluster={CLUSTER}&timeout=8"

    def end(self):
        for shard in self.shards:
            shard.mend()
            shard.kill()
