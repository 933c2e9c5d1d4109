// Rows of values in a table. What a value holds is text, whatever it looks like.

import { copyFrom, h } from "../base/dom.js";
import { bytes } from "../base/format.js";

/** Longer texts are cut in the table; a row's dialog shows them whole. */
const longest = 200;

/** @param {{columns: string[], rows: (string|null)[][], types: string[], first?: number}} result */
export function grid({ columns, rows, types = [], first = 0 }) {
  const numeric = columns.map((_, column) => isNumeric(types, column));
  return h("table.grid", null,
    h("thead", null, h("tr", null, h("th.n", { scope: "col" }, h("span.sr", null, "Row")),
      columns.map((name, column) => h("th", { scope: "col", class: numeric[column] ? "number" : null, title: name }, name || "(no name)")), h("td.rest"))),
    h("tbody", null, rows.map((row, index) => h("tr", {
      tabIndex: 0, aria: { label: `Row ${first + index + 1}` },
      onClick: () => showRow(columns, row, types[index], first + index),
      onKeyDown: (event) => { if (event.key === "Enter" && event.target === event.currentTarget) showRow(columns, row, types[index], first + index); },
    }, h("td.n", null, String(first + index + 1)), row.map((value, column) => cell(value, types[index]?.[column], numeric[column])), h("td.rest")))));
}

const isNumeric = (types, column) => {
  const found = types.map((row) => row[column]).filter((type) => type && type !== "n");
  return found.length > 0 && found.every((type) => type === "i" || type === "r");
};

function cell(value, type, isNumber) {
  const properties = { class: isNumber ? "number" : null };
  if (value === null) return h("td", properties, h("span.null", null, "NULL"));
  if (type === "b") return h("td", properties, h("span.null", null, `blob · ${bytes(sizeOf(value))}`));
  if (value === "") return h("td", properties, h("span.null", null, "empty"));
  return h("td", properties, value.length > longest ? `${value.slice(0, longest)}…` : value);
}

const sizeOf = (base64) => Math.max(base64.length / 4 * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0), 0);

/** One row with all that is known of its values. */
function showRow(columns, row, types, index) {
  const dialog = document.body.appendChild(h("dialog.row-dialog", { aria: { label: `Row ${index + 1}` } },
    h("h2", null, `Row ${index + 1}`),
    h("dl.row-values", null, columns.map((name, column) => [
      h("dt", null, name || "(no name)", types?.[column] ? h("span.faint", null, ` ${kinds[types[column]] ?? ""}`) : null),
      h("dd", null, row[column] === null ? h("span.null", null, "NULL") : h("pre", null, row[column])),
    ])),
    h("form", { method: "dialog" }, h("span.actions", null, copyButton(columns, row), h("button.small", null, "Close")))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

const kinds = { i: "integer", r: "real", t: "text", b: "blob, base64", n: "" };

function copyButton(columns, row) {
  const json = JSON.stringify(Object.fromEntries(columns.map((name, column) => [name, row[column]])), null, 2);
  const button = h("button.small", { type: "button", onClick: () => copyFrom(button, json) }, "Copy as JSON");
  return button;
}
