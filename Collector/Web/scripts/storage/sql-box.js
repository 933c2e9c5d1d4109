// One statement at a time. What changes something is asked about first.

import { fill, h } from "../base/dom.js";
import { plural } from "../base/format.js";
import { confirm } from "./confirm.js";
import { grid } from "./grid.js";

/** What was typed last, for as long as the page lives, by database. */
const drafts = new Map();

export class SqlBox {
  #app;
  #database;
  #abort = new AbortController();
  #field;
  #result = h("div.scroll.grid-scroll", { tabIndex: 0, role: "region", aria: { label: "Result" } });
  #said = h("span.where", { role: "status" });
  #run = h("button.small.primary", { type: "button", onClick: () => this.#execute() }, "Run");

  constructor({ element, app, database, table }) {
    this.#app = app;
    this.#database = database;
    this.#field = h("textarea.sql", {
      rows: 4, spellcheck: false, autocapitalize: "off", aria: { label: "SQL" }, placeholder: "SELECT …",
      value: drafts.get(database) ?? (table ? `SELECT * FROM "${table.replaceAll('"', '""')}" LIMIT 100` : ""),
      onInput: () => drafts.set(database, this.#field.value),
      onKeyDown: (event) => {
        if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        this.#execute();
      },
    });
    fill(element, h("div.sql-box", null, this.#field, h("div.sql-bar", null, this.#said, h("span.spring"),
      h("span.hint.faint", null, h("kbd", null, "Ctrl Enter")), this.#run)), this.#result);
  }

  close() { this.#abort.abort(); }
  focus() { this.#field.focus(); }

  async #execute() {
    const sql = this.#field.value.trim();
    if (!sql || this.#run.disabled) return;
    this.#run.disabled = true;
    fill(this.#said, "Running…");
    try {
      this.#show(await this.#ask(sql));
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(this.#said);
      fill(this.#result, h("p.sql-error", { role: "alert" }, error.message));
    }
    this.#run.disabled = false;
  }

  async #ask(sql) {
    const args = { database: this.#database, sql };
    try {
      return await this.#app.ask("database.query", args, this.#abort.signal);
    } catch (error) {
      if (error.code !== "is_write") throw error;
    }
    if (!this.#app.knows("database.execute")) throw new Error("The statement changes the database, and the app only allows reading.");
    if (!await confirm({ title: "Change the app's database?", text: sql, action: "Execute" })) return null;
    return this.#app.ask("database.execute", args, this.#abort.signal);
  }

  #show(result) {
    if (!result) return fill(this.#said, "Nothing was executed.");
    const changed = `${plural(result.rowsAffected, "row")} changed`;
    fill(this.#said, result.rows ? plural(result.rows.length, "row") + (result.rowsAffected ? `, ${changed}` : "") : `Done: ${changed}`,
      result.isTruncated ? h("span.cut", { title: "A result holds at most 500 rows and 512 KiB" }, "more rows were left out") : null);
    fill(this.#result, result.rows?.length ? grid(result) : null);
  }
}
