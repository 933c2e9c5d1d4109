// The footer: what became of everything that the session's launches recorded.

import { fill, h } from "../base/dom.js";
import { count, words } from "../base/format.js";
import { icon } from "../base/icons.js";
import { balance } from "./ends.js";

export class Ledger {
  element;
  #summary = h("summary");
  #table = h("div.table-scroll");

  constructor() {
    this.element = h("details.ledger", null, this.#summary, this.#table);
  }

  /** @param {number} events  of the session: the sum that its header names */
  set(ledgers, tailState, events) {
    const sentences = ledgers.map((ledger) => balance(ledger, events));
    const worst = ["error", "warning", "", "good"].find((tone) => sentences.some((s) => s.tone === tone)) ?? "";
    const shown = sentences.find((sentence) => sentence.tone === worst);
    fill(this.#summary,
      h(`span.verdict${worst ? `.${worst}` : ""}`, null, worst === "good" ? icon("check") : null,
        shown?.text ?? "No ledger yet"),
      h("span.spring"),
      h("span.tail", { data: { state: tailState } }, tailState === "live" ? "Connected" : "Reconnecting…"),
      h("span.disclose", null, icon("up")));
    fill(this.#table, h("table", null,
      h("thead", null, h("tr", null, ["Launch", "Recorded", "Stored", "Dropped", "On the device", "Lost", "Duplicates", "Truncated"]
        .map((title, index) => h(index ? "th.n" : "th", { scope: "col" }, title)))),
      h("tbody", null, ledgers.map((ledger, index) => this.#row(ledger, index)))));
  }

  #row(ledger, index) {
    // What its app's rules let go on the device is no loss, and stands beside what is kept there.
    const aged = ledger.agedOut ?? 0;
    const dropped = Object.entries(ledger.dropped ?? {}).map(([reason, n]) => [reason, reason === "expired" ? n - aged : n]).filter(([, n]) => n > 0);
    const total = dropped.reduce((sum, [, n]) => sum + n, 0);
    const cell = (n, tone = "") => h(`td.n${n && tone ? `.${tone}` : ""}`, null, n === null || n === undefined ? "–" : count(n));
    return h("tr", null,
      h("th", { scope: "row" }, `${index + 1} `, h("code", { title: ledger.launchId }, String(ledger.launchId).slice(0, 8))),
      cell(ledger.recorded), cell(ledger.stored),
      h(`td.n${total ? ".warning" : ""}`, null, count(total),
        dropped.length ? h("small", null, dropped.map(([reason, n]) => `${words(reason)} ${count(n)}`).join(", ")) : null),
      aged ? h("td.n", null, count(ledger.kept ?? 0), h("small", null, `${count(aged)} aged out`)) : cell(ledger.kept), cell(ledger.lost, "error"), h("td.n", { title: "Sent again after a lost response, and stored once" }, count(ledger.duplicates ?? 0)), cell(ledger.torn));
  }
}
