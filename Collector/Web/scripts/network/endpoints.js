// Requests counted by endpoint or by host: which are slow, which fail, which carry the most.

import { fill, h } from "../base/dom.js";
import { bytes, count, duration, plural } from "../base/format.js";
import { rate } from "../health/parts.js";
import { barWidth } from "./scale.js";

const columns = [
  { key: "name", title: "", of: (e) => e.host + (e.route ?? "") },
  { key: "count", title: "Requests", of: (e) => e.count },
  { key: "failed", title: "Failed", of: (e) => e.failed / e.count },
  { key: "median", title: "Median", of: (e) => e.medianMs ?? -1 },
  { key: "p95", title: "p95", of: (e) => e.p95Ms ?? -1, hint: "95 % of requests took at most this long" },
  { key: "slowest", title: "Slowest", of: (e) => e.slowestMs ?? -1 },
  { key: "total", title: "Total time", of: (e) => e.totalMs ?? -1, hint: "Durations of all requests, added up" },
  { key: "bytes", title: "Received", of: (e) => e.received },
];

export class Endpoints {
  element = h("div.endpoints");
  #onPick;
  #order = "count";
  #ascending = false;
  #stats = null;
  #by = "endpoints";

  /** @param {(endpoint: {host: string, route?: string, method?: string}) => void} onPick */
  constructor(onPick) { this.#onPick = onPick; }

  /** `stats` null: the ones from before. */
  set(stats, by) {
    this.#stats = stats ?? this.#stats;
    this.#by = by;
    this.#draw();
  }

  #draw() {
    const stats = this.#stats;
    if (!stats) return;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const { of } = columns.find(({ key }) => key === this.#order);
    const sign = this.#ascending ? 1 : -1;
    const items = [...(this.#by === "hosts" ? stats.hosts : stats.endpoints)]
      .sort((a, b) => sign * (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0));
    fill(this.element, h("table", null,
      h("thead", null, h("tr", null, columns.map((column) => this.#heading(column)))),
      h("tbody", null, items.map((item) => this.#row(item)))),
    this.#by === "endpoints" && stats.endpointCount > items.length
      ? h("p.hint", null, `The ${count(items.length)} most frequent of ${count(stats.endpointCount)} endpoints.`) : null);
    if (focused) this.element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #heading({ key, title, hint }) {
    const isChosen = key === this.#order;
    return h(`th.${key}`, { scope: "col", aria: isChosen ? { sort: this.#ascending ? "ascending" : "descending" } : {}, title: hint ?? "" },
      h("button", { type: "button", data: { key: `by ${key}` }, onClick: () => {
        this.#ascending = isChosen ? !this.#ascending : key === "name";
        this.#order = key;
        this.#draw();
      } }, title || (this.#by === "hosts" ? "Host" : "Endpoint"), isChosen ? h("span.sorted", null, this.#ascending ? " ↑" : " ↓") : null));
  }

  #row(item) {
    const bar = h("i");
    bar.style.width = barWidth(item.p95Ms);
    const open = h("button.pick", {
      type: "button", data: { key: `${item.method ?? ""} ${item.host}${item.route ?? ""}` },
      title: "Show these requests", onClick: () => this.#onPick(item),
    }, item.route !== undefined
      ? [h("span.method", null, item.method), h("span.path", null, item.route), h("span.host", null, item.host)]
      : h("span.path", null, item.host || "(no host)"));
    return h("tr", { onClick: (event) => { if (!event.target.closest("button")) this.#onPick(item); } },
      h("th.name", { scope: "row" }, open),
      h("td.count", null, count(item.count)),
      h(`td.failed${item.failed ? ".error" : ""}`, { title: plural(item.failed, "failure") }, item.failed ? rate(item.failed, item.count) : "–"),
      h("td.median", null, shown(item.medianMs)),
      h("td.p95", null, h("span.bar", null, bar), h("span", null, shown(item.p95Ms))),
      h("td.slowest", null, shown(item.slowestMs)), h("td.total", null, shown(item.totalMs)), h("td.bytes", null, item.received ? bytes(item.received) : "–"));
  }
}

const shown = (ms) => ms === undefined ? "–" : duration(ms);
