// A table's rows, page by page.

import { fill, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { grid } from "./grid.js";
import * as states from "./states.js";

const size = 100;

export class RowsPage {
  #app;
  #database;
  #table;
  #offset;
  #total = null;
  #shown = 0;
  #onOffset;
  #abort = new AbortController();
  #stage = h("div.scroll.grid-scroll", { tabIndex: 0, role: "region", aria: { label: "Rows" } });
  #previous = h("button.small", { type: "button", onClick: () => this.#go(this.#offset - size) }, "Previous");
  #next = h("button.small", { type: "button", onClick: () => this.#go(this.#offset + Math.max(this.#shown, 1)) }, "Next");
  #where = h("span.where", { role: "status" });
  #refresh = h("button.small", { type: "button", onClick: () => this.#load() }, "Refresh");

  constructor({ element, app, database, table, offset, onOffset }) {
    this.#app = app;
    this.#database = database;
    this.#table = table;
    this.#offset = offset;
    this.#onOffset = onOffset;
    fill(element, this.#stage, h("footer.pager", null, this.#where, h("span.spring"), this.#refresh, this.#previous, this.#next));
    fill(this.#stage, states.loading());
    this.#load();
  }

  close() { this.#abort.abort(); }
  focus() { this.#stage.focus(); }
  visit(offset) { if (offset !== this.#offset) this.#go(offset); }
  edge(last) { this.#go(last && this.#total > 0 ? Math.floor((this.#total - 1) / size) * size : 0); }

  #go(offset) {
    this.#offset = Math.max(offset, 0);
    this.#onOffset(this.#offset);
    this.#load();
  }

  async #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#stage.setAttribute("aria-busy", "true");
    try {
      const page = await this.#app.ask("database.rows",
        { database: this.#database, table: this.#table, limit: size, offset: this.#offset }, this.#abort.signal);
      this.#total = page.totalRows;
      this.#shown = page.rows.length;
      if (page.rows.length) fill(this.#stage, grid({ ...page, first: this.#offset }));
      else if (this.#offset > 0 && page.totalRows > 0) return this.edge(true);
      else fill(this.#stage, states.nothing("This table is empty", "Rows appear here with the next refresh after the app has written some."));
      this.#stage.scrollTop = 0;
      this.#draw(page.isTruncated);
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(this.#stage, states.failed(error.message, () => this.#load()));
    }
    this.#stage.removeAttribute("aria-busy");
  }

  #draw(isTruncated) {
    const last = this.#offset + this.#shown;
    const of = this.#total < 0 ? "an unknown total" : count(this.#total);
    fill(this.#where, this.#shown ? `${count(this.#offset + 1)}–${count(last)} of ${of}` : "No rows",
      isTruncated ? h("span.cut", { title: "A response holds at most 512 KiB, a value 64 KiB" }, "truncated") : null);
    this.#previous.disabled = this.#offset === 0;
    this.#next.disabled = this.#total >= 0 && last >= this.#total;
  }
}
