// An app's databases: the tables on the left, one table's rows, structure and statements on the right.

import { fill, h } from "../base/dom.js";
import { bytes, count } from "../base/format.js";
import { same } from "../base/same.js";
import { RowsPage } from "./rows-page.js";
import { SqlBox } from "./sql-box.js";
import { Structure } from "./structure.js";
import * as states from "./states.js";

export class Databases {
  #app;
  #place;
  #onGo;
  #onReplace;
  #abort = new AbortController();
  #element;
  #side = h("nav.storage-side", { aria: { label: "Databases" } });
  #main = h("section.storage-main", { aria: { label: "Table" } });
  #databases = [];
  /** The tables of a database, by its path. */
  #tables = new Map();
  #part = null;
  #shown = null;

  constructor({ element, app, place, onGo, onReplace }) {
    this.#element = element;
    this.#app = app;
    this.#place = place;
    this.#onGo = onGo;
    this.#onReplace = onReplace;
    fill(element, states.loading());
    this.#load();
  }

  close() { this.#abort.abort(); this.#part?.close?.(); }
  setConnected(isConnected) { this.#element.classList.toggle("stale", !isConnected); }
  focusFilter() { this.#part?.focus?.(); }
  edge(last) { this.#part?.edge?.(last); }

  visit(place) {
    this.#place = place;
    this.#show();
  }

  /** The next table, or the one before. */
  step(by) {
    const tables = this.#tables.get(this.#place.database) ?? [];
    const next = tables[Math.min(Math.max(tables.indexOf(this.#place.table) + by, 0), tables.length - 1)];
    if (next !== undefined && next !== this.#place.table) this.#go({ table: next });
  }

  async #load() {
    try {
      const { databases } = await this.#app.ask("databases", {}, this.#abort.signal);
      this.#databases = databases;
      if (!databases.length) {
        return fill(this.#element, states.nothing("The app has no databases",
          "The SDK looks for .sqlite, .db and .sqlite3 files in Documents, Library and Application Support. To add others: DatabaseInspector.shared.setDriver(SQLiteDatabaseDriver(searchPaths: …))."));
      }
      fill(this.#element, this.#side, this.#main);
      this.#show();
    } catch (error) {
      this.#fail(error, this.#element, () => { fill(this.#element, states.loading()); this.#load(); });
    }
  }

  async #show() {
    if (!this.#databases.length) return;
    const place = this.#place;
    if (!this.#databases.some(({ path }) => path === place.database)) place.database = this.#databases[0].path;
    this.#drawSide();
    const database = place.database;
    if (!this.#tables.has(database)) {
      fill(this.#main, states.loading());
      try {
        const answer = await this.#app.ask("database.tables", { database }, this.#abort.signal);
        this.#tables.set(database, answer.tables);
        if (answer.total > answer.tables.length) this.#more = answer.total - answer.tables.length;
      } catch (error) {
        this.#shown = null;
        return this.#fail(error, this.#main, () => this.#show());
      }
      if (this.#place.database !== database) return;
    }
    const tables = this.#tables.get(database);
    if (!tables.includes(place.table)) place.table = tables[0] ?? "";
    this.#onReplace({ database: place.database, table: place.table });
    this.#drawSide();
    this.#drawMain();
  }

  #more = 0;

  #drawSide() {
    fill(this.#side, this.#databases.map(({ name, path, sizeBytes }) => {
      const isOpen = path === this.#place.database;
      const tables = isOpen ? this.#tables.get(path) : null;
      return h("div.database", null,
        h("button.database-name", { type: "button", title: path, aria: { expanded: String(isOpen) }, onClick: () => this.#go({ database: path, table: "" }) },
          h("span.name", null, name), h("span.faint", null, bytes(sizeBytes))),
        tables ? h("ul", null, tables.map((table) => h("li", null, h("button.table-name", {
          type: "button", aria: table === this.#place.table ? { current: "true" } : {}, onClick: () => this.#go({ table }),
        }, table || "(no name)"))), tables.length ? null : h("li.faint", null, "No tables"),
          this.#more ? h("li.faint", null, `and ${count(this.#more)} more`) : null) : null);
    }));
  }

  #go(changes) { this.#onGo({ show: this.#place.show, ...changes, offset: 0 }); }

  #drawMain() {
    const { database, table, show, offset } = this.#place;
    const key = [database, show === "sql" ? "" : table, show];
    if (same(key, this.#shown)) return this.#part?.visit?.(offset);
    this.#shown = key;
    this.#part?.close?.();
    const part = h("div.storage-part");
    fill(this.#main, h("div.storage-tabs", null,
      h("h1", { title: show === "sql" ? database : table }, show === "sql" ? this.#databases.find(({ path }) => path === database)?.name : table || "No tables"), h("span.spring"),
      h("div.choices", { role: "group", aria: { label: "Of the table" } },
        this.#tab("Rows", ""), this.#tab("Structure", "structure"), this.#tab("SQL", "sql"))), part);
    const shared = { element: part, app: this.#app, database, table };
    if (show === "sql") this.#part = new SqlBox(shared);
    else if (!table) {
      this.#part = null;
      fill(part, states.nothing("This database has no tables", "In a debug build, you can create one with SQL."));
    } else if (show === "structure") this.#part = new Structure(shared);
    else this.#part = new RowsPage({ ...shared, offset, onOffset: (next) => this.#onReplace({ offset: next }) });
  }

  #tab(label, show) {
    return h("button", {
      type: "button", aria: { pressed: String(this.#place.show === show) },
      onClick: () => { this.#onGo({ show, offset: 0 }); this.#main.querySelector("[aria-pressed=true]")?.focus(); },
    }, label);
  }

  #fail(error, element, retry) {
    if (error.name === "AbortError") return;
    fill(element, error.code === "switched_off" ? states.switchedOff("databases", error.message, retry) : states.failed(error.message, retry));
  }
}
