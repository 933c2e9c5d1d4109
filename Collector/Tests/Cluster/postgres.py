"""A real PostgreSQL server, which can be killed and cut off."""

import os
import subprocess
import time
from pathlib import Path

import programs
import s3

USER, PASSWORD = "automobile", "s3cr3t/p@ss:w%rd?#"
ACCOUNT = "postgres"


class Server:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir()
        # It does not run as root, and cannot look into every folder of root's.
        programs.give(self.folder, ACCOUNT)
        password = self.folder / "password"
        password.write_text(PASSWORD)
        programs.give(password, ACCOUNT)
        self.run(
            programs.find("initdb"), "--no-sync", "--auth=scram-sha-256", f"--username={USER}", f"--pwfile={password}", "--encoding=UTF8",
            "--locale=C.UTF-8", f"--pgdata={self.folder}/data")
        self.port = s3.free_ports(1)[0]
        self.way = s3.Way(self.port)
        self.start()

    def run(self, *command):
        done = programs.Process(list(command), self.folder, ACCOUNT)
        assert done.process.wait() == 0, done.said()

    def start(self):
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": self.folder, "fsync": "off"}
        command = [programs.find("postgres"), "-D", str(self.folder / "data")]
        deadline = time.monotonic() + programs.PATIENCE
        while time.monotonic() < deadline:
            self.process = programs.Process(
                [*command, *(word for item in settings.items() for word in ("-c", f"{item[0]}={item[1]}"))], self.folder, ACCOUNT)
            while self.process.runs:
                if self.sql("SELECT 1", "postgres") == "1":
                    return
                time.sleep(0.05)
            # The memory of one that was killed is in use until its last process is gone.
            time.sleep(0.2)
        raise AssertionError(self.process.said())

    def sql(self, text, database):
        environment = os.environ | {
            "PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": USER, "PGPASSWORD": PASSWORD, "PGDATABASE": database}
        done = subprocess.run(
            [programs.find("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text], env=environment, capture_output=True,
            text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    def address(self, database):
        return f"postgres://{USER}@127.0.0.1:{self.way.port}/{database}"

    def kill(self):
        self.process.kill()

    def end(self):
        self.way.mend()
        self.kill()
