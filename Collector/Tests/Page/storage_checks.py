"""What the viewer must do with the storage of a running app: the demo's, which waits as long as it is let."""

import json
import re
import sqlite3
import subprocess

from playwright.sync_api import expect

from checks import check
from collector import Launch

APP = "com.example.coffeeshop"
SUITE = "group.com.example.coffeeshop"
SCRIPT = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'


class RunningApp:
    """The demo's app, with a database and defaults in a directory of its own."""

    def __init__(self, collector):
        self.directory = collector.directory / "app"
        self.collector = collector
        self.documents = self.directory / "Documents"
        self.documents.mkdir(parents=True)
        self.sql("archive.sqlite", *SHOP)
        self.process = subprocess.Popen(
            [collector.app, "--endpoint", collector.url.rstrip("/"), "--shop", collector.url.rstrip("/"),
             "--directory", str(self.directory), "--launch", "idle", "--pace", "0"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        assert self.process.stdout.readline().strip() == "done"
        return self

    def set_defaults(self):
        """What is there before anybody looks."""
        for key, value, kind in DEFAULTS:
            self.collector.tell(APP, "defaults.set", suite=SUITE, key=key, value=value, type=kind)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def sql(self, name, *statements):
        with sqlite3.connect(self.documents / name) as connection:
            for statement in statements:
                connection.execute(*statement) if isinstance(statement, tuple) else connection.execute(statement)
        connection.close()

    def value(self, name, statement):
        connection = sqlite3.connect(self.documents / name)
        value = connection.execute(statement).fetchone()[0]
        connection.close()
        return value


SHOP = (
    "CREATE TABLE drinks (id TEXT PRIMARY KEY, name TEXT NOT NULL, price REAL, seasonal INTEGER NOT NULL DEFAULT 0)",
    "INSERT INTO drinks VALUES ('flat-white', 'Flat white', 4.2, 0), ('espresso', 'Espresso', 2.6, 0)",
    "CREATE TABLE orders (number INTEGER PRIMARY KEY, drink TEXT REFERENCES drinks (id), paid REAL, receipt BLOB)",
    """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO orders SELECT 2000 + i, CASE i % 3 WHEN 0 THEN 'flat-white' WHEN 1 THEN 'espresso' END,
         round(2.6 + i % 7 * 0.3, 2), CASE WHEN i % 5 = 0 THEN randomblob(24) END FROM n""",
    "CREATE VIEW popular AS SELECT drink, count(*) AS sold FROM orders GROUP BY drink ORDER BY sold DESC",
)
DEFAULTS = (
    ("favourite.milk", "oat", "string"), ("recent.drinks", '["flat-white","filter-kenya"]', "array"),
    ("onboarding.done", "true", "bool"), ("average.rating", "4.5", "double"), ("loyalty.token", "s3cr3t-loyalty-token", "string"),
)


def side(page):
    return page.locator(".storage-side")


def grid(page):
    return page.locator("table.grid")


def defaults(page, collector):
    page.goto(f"{collector.url}#/storage?app={APP}&of=defaults&suite={SUITE}")
    expect(page.locator("table.values")).to_be_visible()


def row(page, key):
    return page.locator("table.values tr", has=page.get_by_role("rowheader", name=key, exact=True))


@check
def storage_without_an_app(collector, page):
    """without an app that listens, the page says what to do, and shows the app as soon as it is there"""
    collector.start()
    page.goto(collector.url)
    page.get_by_role("link", name="Storage").click()
    expect(page.get_by_role("heading", name="No app is connected")).to_be_visible()
    expect(page.locator(".storage-page")).to_contain_text("DatabaseInspector.shared.setEnabled(true)")
    with RunningApp(collector):
        expect(side(page)).to_contain_text("archive.sqlite")
        expect(page.get_by_label("App", exact=True)).to_have_value(APP)
    # It has ended: what it said last stays, and says so.
    expect(page.locator(".storage-page.stale")).to_be_visible()
    page.goto(f"{collector.url}#/storage?app=com.example.other")
    expect(page.get_by_role("heading", name="This app is not connected")).to_be_visible()


@check
def storage_of_a_release_build(collector, page):
    """an app that delivers and takes no commands is told from one that is not there"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.screen("Menu")])
    page.goto(f"{collector.url}#/storage")
    expect(page.get_by_role("heading", name="This app takes no commands")).to_be_visible()
    expect(page.locator(".storage-page")).to_contain_text("com.example.page delivers to this collector")
    expect(page.locator(".storage-page")).to_contain_text("Run a debug build of it")
    page.goto(f"{collector.url}#/storage?app=com.example.other")
    expect(page.get_by_role("heading", name="This app is not connected")).to_be_visible()
    # Its launch is over: nobody is there any more.
    collector.send(launch, [launch.screen("Drink")], final=True)
    page.goto(f"{collector.url}#/storage")
    expect(page.get_by_role("heading", name="No app is connected")).to_be_visible()


@check
def databases(collector, page):
    """tables are paged through, their structure is shown, and the address keeps the place"""
    collector.start()
    with RunningApp(collector):
        page.goto(f"{collector.url}#/storage")
        side(page).get_by_role("button", name="orders", exact=True).click()
        expect(page.locator(".pager .where")).to_have_text(re.compile("1–100 of 2.500"))
        expect(grid(page).locator("tbody tr")).to_have_count(100)
        expect(grid(page)).to_contain_text("blob · 24 B")
        expect(grid(page).locator(".null").first).to_have_text("NULL")
        page.get_by_role("button", name="Next").click()
        expect(page.locator(".pager .where")).to_have_text(re.compile("101–200 of"))
        page.reload()
        expect(page.locator(".pager .where")).to_have_text(re.compile("101–200 of"))
        page.locator(".grid-scroll").focus()
        page.keyboard.press("G")
        expect(page.locator(".pager .where")).to_have_text(re.compile("2.401–2.500 of"))
        expect(page.get_by_role("button", name="Next")).to_be_disabled()
        page.keyboard.press("g")
        expect(page.locator(".pager .where")).to_have_text(re.compile("^1–100"))
        grid(page).locator("tbody tr").first.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("number integer")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        page.get_by_role("button", name="Structure").click()
        expect(grid(page).get_by_role("row", name="number")).to_contain_text("primary")
        expect(page.locator(".snippet")).to_contain_text("REFERENCES drinks (id)")
        page.keyboard.press("k")
        expect(page.locator(".snippet")).to_contain_text("CREATE TABLE drinks")
        page.go_back()
        expect(page.locator(".snippet")).to_contain_text("CREATE TABLE orders")


@check
def statements(collector, page):
    """statements are executed; what changes something is asked about first, and what is never allowed is refused"""
    collector.start()
    with RunningApp(collector) as app:
        page.goto(f"{collector.url}#/storage?app={APP}&show=sql")
        box = page.get_by_role("textbox", name="SQL")
        box.fill("SELECT drink, count(*) AS n FROM orders GROUP BY drink ORDER BY n DESC, drink")
        box.press("Control+Enter")
        expect(grid(page).locator("tbody tr")).to_have_count(3)
        expect(grid(page).locator("td.number").first).to_have_text("834")
        box.fill("SELECT nowhere FROM orders")
        page.get_by_role("button", name="Run").click()
        expect(page.get_by_role("alert")).to_have_text("no such column: nowhere")
        box.fill("ATTACH 'x.db' AS x")
        box.press("Control+Enter")
        expect(page.get_by_role("alert")).to_contain_text("ATTACH opens another file")
        box.fill("DELETE FROM orders WHERE number > 2100")
        box.press("Control+Enter")
        expect(page.get_by_role("dialog")).to_contain_text("Change the app's database?")
        page.keyboard.press("Escape")
        expect(page.locator(".sql-bar")).to_contain_text("Nothing was executed.")
        assert app.value("archive.sqlite", "SELECT count(*) FROM orders") == 2500
        box.press("Control+Enter")
        page.get_by_role("dialog").get_by_role("button", name="Execute").click()
        expect(page.locator(".sql-bar")).to_contain_text(re.compile("Done: 2.400 rows changed"))
        assert app.value("archive.sqlite", "SELECT count(*) FROM orders") == 100
        box.fill("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
        box.press("Control+Enter")
        expect(page.locator(".sql-bar")).to_contain_text("500 rows")
        expect(page.locator(".sql-bar .cut")).to_be_visible()


@check
def hostile_databases(collector, page):
    """names and values of tables are text, whatever they look like, and broken files say what is wrong"""
    collector.start()
    quoted = '"' + SCRIPT.replace('"', '""') + '"'
    with RunningApp(collector) as app:
        app.sql("hostile.db", f"CREATE TABLE {quoted} ({quoted} TEXT, b)",
                (f"INSERT INTO {quoted} VALUES (?, ?)", (SCRIPT, "\u202egnp.exe \U0001f98a \x01\n" + "long " * 4000)),
                f"INSERT INTO {quoted} VALUES (CAST(x'61FF62' AS TEXT), x'00')")
        (app.documents / f"{SCRIPT[:20].replace('/', '')}.db").write_bytes(b"")
        (app.documents / "cipher.db").write_bytes(bytes(range(256)) * 32)
        page.goto(f"{collector.url}#/storage?app={APP}")
        side(page).get_by_role("button", name="hostile.db").click()
        expect(grid(page).locator("thead")).to_contain_text("<script>")
        expect(grid(page).locator("tbody")).to_contain_text("onerror")
        expect(grid(page).locator("tbody")).to_contain_text("a\ufffdb")
        grid(page).locator("tbody tr").first.click()
        expect(page.get_by_role("dialog")).to_contain_text("<script>")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Structure").click()
        expect(page.locator(".snippet")).to_contain_text("<script>")
        page.get_by_role("button", name="SQL", exact=True).click()
        page.get_by_role("textbox", name="SQL").press("Control+Enter")
        expect(grid(page).locator("tbody tr")).to_have_count(2)
        side(page).get_by_role("button", name="cipher.db").click()
        expect(page.locator(".storage-main")).to_contain_text("is encrypted, or not an SQLite database")
        assert page.title() == "Storage · AutoMobile"
        assert page.locator("img[src=x]").count() == 0


@check
def defaults_of_an_app(collector, page):
    """defaults are shown by suite, changed after a question, and what the app changes shows at once"""
    collector.start()
    with RunningApp(collector) as app:
        app.set_defaults()
        defaults(page, collector)
        expect(row(page, "favourite.milk")).to_contain_text("oat")
        expect(row(page, "recent.drinks")).to_contain_text('["flat-white","filter-kenya"]')
        expect(row(page, "loyalty.token")).to_contain_text("secret, not shown")
        expect(page.locator("table.values")).not_to_contain_text("s3cr3t")

        row(page, "favourite.milk").get_by_role("button", name="Edit").click()
        page.get_by_label("Value", exact=True).last.fill("soy")
        page.get_by_role("button", name="Set in the app").click()
        expect(row(page, "favourite.milk")).to_contain_text("soy")
        expect(row(page, "favourite.milk")).to_have_class("changed")

        row(page, "average.rating").get_by_role("button", name="Edit").click()
        page.get_by_role("dialog").get_by_role("textbox", name="Value").fill("very good")
        page.get_by_role("button", name="Set in the app").click()
        expect(page.get_by_role("alert")).to_contain_text("expected a number")
        page.keyboard.press("Escape")

        page.get_by_role("button", name="Add").click()
        page.get_by_role("dialog").get_by_role("textbox", name="Key").fill(SCRIPT)
        page.get_by_role("dialog").get_by_role("textbox", name="Value").fill(SCRIPT)
        page.get_by_role("button", name="Add to the app").click()
        expect(page.locator("table.values")).to_contain_text("onerror")
        page.keyboard.press("/")
        page.keyboard.type("onerror")
        expect(page.locator("table.values tbody tr")).to_have_count(1)
        page.get_by_role("button", name=re.compile("^Remove")).click()
        expect(page.get_by_role("dialog")).to_contain_text("Remove this value")
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(page.get_by_text("Nothing matches the filter")).to_be_visible()
        page.get_by_label("Filter", exact=True).fill("")

        # From somewhere else: the page is told.
        answer = subprocess.run(
            [collector.tool, "defaults", APP, "set", "basket.count", "3", "--type", "int", "--suite", SUITE,
             "--url", collector.url, "--json"], capture_output=True, text=True, timeout=60)
        assert answer.returncode == 0, answer.stderr
        assert json.loads(answer.stdout)["value"] == "3"
        expect(row(page, "basket.count")).to_contain_text("3")
        expect(row(page, "basket.count")).to_have_class("changed")
        page.get_by_role("button", name="Clear…").click()
        page.get_by_role("dialog").get_by_role("button", name="Clear").click()
        expect(page.get_by_text("Nothing is stored in this suite")).to_be_visible()
        assert page.title() == "Storage · AutoMobile"


@check
def storage_on_a_phone(collector, page):
    """the page fits a phone, and a keyboard alone reaches everything"""
    collector.start()
    page.set_viewport_size({"width": 390, "height": 844})
    with RunningApp(collector) as app:
        app.set_defaults()
        page.goto(f"{collector.url}#/storage?app={APP}")
        expect(grid(page)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name="Defaults").focus()
        page.keyboard.press("Enter")
        expect(side(page)).to_contain_text(SUITE)
        side(page).get_by_role("button", name=SUITE).focus()
        page.keyboard.press("Enter")
        expect(row(page, "favourite.milk")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name="Edit favourite.milk").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog").get_by_role("textbox", name="Value")).to_be_focused()
