"""A real nginx before collectors, as a company has one: any request may go to any of them."""

from pathlib import Path

import programs
import s3


class Balancer:
    def __init__(self, folder, ports):
        self.folder = Path(folder)
        self.folder.mkdir()
        self.port = s3.free_ports(1)[0]
        servers = "".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=2s;" for port in ports)
        temporary = "".join(
            f"{name}_temp_path {self.folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.folder / "nginx.conf").write_text(
            f"""daemon off; master_process off; pid {self.folder}/pid; error_log {self.folder}/errors warn;
            events {{ worker_connections 512; }}
            http {{
              access_log off; {temporary} client_max_body_size 64m;
              upstream collectors {{ {servers} keepalive 16; }}
              proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
              proxy_set_header X-Forwarded-For $remote_addr; proxy_connect_timeout 2s;
              server {{
                listen 127.0.0.1:{self.port};
                # Whoever sends something tries again, and soon.
                location /sdk-events {{ proxy_pass http://collectors; proxy_read_timeout 5s; }}
                location / {{ proxy_pass http://collectors; }}
              }}
            }}""")
        self.process = programs.Process(
            [programs.find("nginx"), "-e", f"{self.folder}/errors", "-p", str(self.folder), "-c", f"{self.folder}/nginx.conf"], self.folder)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def end(self):
        self.process.kill()
