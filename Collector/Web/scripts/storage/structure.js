// What a table is made of.

import { copyFrom, fill, h } from "../base/dom.js";
import * as states from "./states.js";

export class Structure {
  #abort = new AbortController();

  constructor({ element, app, database, table }) {
    fill(element, states.loading());
    this.#load(element, app, { database, table });
  }

  close() { this.#abort.abort(); }

  async #load(element, app, place) {
    try {
      const { columns, sql } = await app.ask("database.structure", place, this.#abort.signal);
      fill(element, h("div.scroll.structure", { tabIndex: 0, role: "region", aria: { label: "Structure" } },
        h("table.grid.plain-grid", null,
          h("thead", null, h("tr", null, ["Column", "Type", "Null", "Key", "Default"].map((title) => h("th", { scope: "col" }, title)))),
          h("tbody", null, columns.map((column) => h("tr", null,
            h("th", { scope: "row" }, column.name), h("td", null, column.type || h("span.null", null, "any")),
            h("td", null, column.isNullable ? "yes" : "no"), h("td", null, column.isPrimaryKey ? "primary" : ""),
            h("td", null, column.defaultValue === null ? "" : h("code", null, column.defaultValue)))))),
        sql ? statement(sql) : null));
    } catch (error) {
      if (error.name !== "AbortError") fill(element, states.failed(error.message, () => this.#load(element, app, place)));
    }
  }
}

function statement(sql) {
  const copy = h("button.small", { type: "button", onClick: () => copyFrom(copy, sql) }, "Copy");
  return h("figure.snippet", null, h("figcaption", null, "Created by", h("span.spring"), copy), h("pre", null, sql));
}
