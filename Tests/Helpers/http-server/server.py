"""An HTTP/1.1 server whose answers are as odd as real ones: for the tests of the network interception.

    server.py [--certificate FILE --key FILE]

Says its port on the first line of its output, and ends when its input does. What a request's path asks for:

    /echo                   method, headers and a digest of the body, as JSON
    /bytes/N                N bytes
    /redirect/N[/STATUS]    N hops to /echo
    /loop                   itself, again and again
    /elsewhere              another server's redirect: ?to=URL
    /status/N               that status, with a small body
    /basic                  401, until user and password come
    /chunked /gzip /sse     bodies of those kinds
    /endless                a body without end
    /cookie/set /cookie/get
    /cached                 a number that counts up, cacheable for a minute
    /latin1                 a header that is no UTF-8
    /slow/SECONDS           headers after that time
    /stall                  headers and some of the body, then nothing
    /cut                    ends in the middle of the body
    /close                  ends without an answer
    /garbage                no HTTP
    /sink                   takes the body, tells its length
    /deaf                   never reads the body, never answers
"""
import argparse
import gzip
import hashlib
import json
import socketserver
import ssl
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

count = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    # Of what is the same in each run, so that answers can be compared.
    def date_time_string(self, timestamp=None):
        return "Sat, 21 Nov 2026 00:00:00 GMT"

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.serve
        raise AttributeError(name)

    def serve(self):
        self.url = urllib.parse.urlsplit(self.path)
        parts = self.url.path.strip("/").split("/")
        page = getattr(self, "page_" + parts[0], None)
        if page is None:
            return self.answer(404, b"no such page")
        if parts[0] not in ("sink", "deaf"):
            self.body = b"".join(self.pieces())
        page(*parts[1:])

    def pieces(self):
        """The request's body, by length or in chunks."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                left = size
                while left:
                    piece = self.rfile.read(min(left, 1 << 20))
                    if not piece:
                        return
                    left -= len(piece)
                    yield piece
                self.rfile.readline()
                if size == 0:
                    return
        left = int(self.headers.get("Content-Length", 0))
        while left:
            piece = self.rfile.read(min(left, 1 << 20))
            if not piece:
                return
            left -= len(piece)
            yield piece

    def answer(self, status, body=b"", **headers):
        self.send_response(status, "Answer")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def json(self, value, **headers):
        self.answer(200, json.dumps(value, sort_keys=True).encode(), Content_Type="application/json", **headers)

    def page_echo(self):
        skipped = ("host", "connection", "user-agent", "accept-language")
        self.json(
            {
                "method": self.command,
                "path": self.path,
                "headers": {k.lower(): v for k, v in self.headers.items() if k.lower() not in skipped},
                "length": len(self.body),
                "sha256": hashlib.sha256(self.body).hexdigest(),
            }
        )

    def page_bytes(self, size):
        left = int(size)
        self.send_response(200, "Answer")
        self.send_header("Content-Length", str(left))
        self.send_header("Content-Type", "application/octet-stream")
        self.end_headers()
        block = bytes(range(256)) * 1024
        while left:
            self.wfile.write(block[:left])
            left -= min(left, len(block))

    def page_redirect(self, hops, status="302"):
        hops = int(hops)
        target = "/echo?arrived=yes" if hops <= 1 else f"/redirect/{hops - 1}/{status}"
        self.answer(int(status), b"moved", Location=target)

    def page_loop(self):
        self.answer(302, b"again", Location="/loop")

    def page_elsewhere(self):
        self.answer(302, b"", Location=urllib.parse.parse_qs(self.url.query)["to"][0])

    def page_status(self, status):
        status = int(status)
        self.answer(status, b"" if status in (204, 304) else b"status %d" % status)

    def page_basic(self):
        if self.headers.get("Authorization") == "Basic dXNlcjpzZWNyZXQ=":
            return self.answer(200, b"welcome")
        self.answer(401, b"who are you?", WWW_Authenticate='Basic realm="tests"')

    def page_chunked(self):
        self.send_response(200, "Answer")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number in range(20):
            piece = b"piece %d\n" % number * 100
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def page_gzip(self):
        self.answer(200, gzip.compress(b"compressed " * 1000, mtime=0), Content_Encoding="gzip", Content_Type="text/plain")

    def page_sse(self):
        self.send_response(200, "Answer")
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for number in range(5):
            self.wfile.write(b"data: event %d\n\n" % number)
            time.sleep(0.01)
        self.close_connection = True

    def page_endless(self):
        self.send_response(200, "Answer")
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        while True:
            self.wfile.write(b"data: more\n\n")
            time.sleep(0.01)

    def page_cookie(self, what):
        if what == "set":
            return self.answer(200, b"set", Set_Cookie="flavour=oatmeal; Path=/")
        self.answer(200, self.headers.get("Cookie", "none").encode())

    def page_cached(self):
        global count
        count += 1
        self.answer(200, b"answer %d" % count, Cache_Control="max-age=60")

    def page_latin1(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Name: caf\xe9\r\nContent-Length: 2\r\n\r\nok")

    def page_slow(self, seconds):
        time.sleep(float(seconds))
        self.answer(200, b"at last")

    def page_stall(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun")
        self.rfile.read(1)

    def page_cut(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun")
        self.close_connection = True

    def page_close(self):
        self.close_connection = True

    def page_garbage(self):
        self.wfile.write(b"\x00\xff no HTTP at all \r\n\r\n")
        self.close_connection = True

    def page_sink(self):
        self.json({"length": sum(len(piece) for piece in self.pieces())})

    def page_deaf(self):
        time.sleep(3600)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 512

    def handle_error(self, request, address):
        pass  # A client that goes away is what many tests are about.


class TLSServer(Server):
    context = None

    def finish_request(self, request, address):
        # Here, on the connection's own thread: a client that does not shake hands holds nobody up.
        super().finish_request(self.context.wrap_socket(request, server_side=True), address)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    arguments = parser.parse_args()
    if arguments.certificate:
        TLSServer.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        TLSServer.context.load_cert_chain(arguments.certificate, arguments.key)
    server = (TLSServer if arguments.certificate else Server)(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


main()
