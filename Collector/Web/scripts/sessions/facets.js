// What there is to choose from beside the list: values with their numbers, and the time.

import { fill, h } from "../base/dom.js";
import { count, plural } from "../base/format.js";
import { endedName, hasName } from "./ended.js";
import { shortName } from "./name.js";
import { facets, sinces } from "./place.js";

const titles = { app: "App", version: "Version", device: "Device", os: "System", ended: "How it ended", has: "Contains" };
const names = { app: shortName, ended: endedName, has: hasName };
const shownAtFirst = 6;
const order = ["has", "ended", "app", "version", "device", "os"];

export class Facets {
  element = h("div.facets", { role: "group", aria: { label: "Filters" } });
  #place;
  #onChange;
  #counts = {};
  #others = {};
  #opened = new Set();

  /** @param {(changes: object) => void} onChange */
  constructor(place, onChange) {
    this.#place = place;
    this.#onChange = onChange;
    this.#draw();
  }

  /**
   * @param {Object<string, [string, number][]>} counts  by facet: values with their numbers
   * @param {Object<string, [number, number]>} others  by facet: how many further values, and how many sessions have one
   */
  set(counts, others) {
    this.#counts = counts;
    this.#others = others;
    this.#draw();
  }

  draw() { this.#draw(); }

  #draw() {
    const focused = document.activeElement?.closest?.(".facets") === this.element ? document.activeElement.dataset.key : null;
    fill(this.element, this.#time(), order.filter((name) => facets.includes(name)).map((name) => this.#facet(name)));
    if (focused) this.element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #time() {
    const { since, from, to } = this.#place;
    const select = h("select", { data: { key: "since" }, aria: { label: "Time" }, onChange: () => this.#onChange({ since: select.value === "custom" ? "" : select.value, from: "", to: "" }) },
      sinces.map(([value, title]) => h("option", { value, selected: value === since && !from && !to }, title)),
      from || to ? h("option", { value: "custom", selected: true }, "From – to") : null);
    const moment = (name, title) => {
      const field = h("input", {
        type: "datetime-local", data: { key: name }, aria: { label: title }, value: local(this.#place[name]),
        onChange: () => this.#onChange({ since: "", [name]: field.value ? String(new Date(field.value).getTime()) : "" }),
      });
      return field;
    };
    return h("section", null, h("h2", null, "Time"), select,
      h("details", { open: Boolean(from || to) || this.#opened.has("time"), onToggle: (event) => this.#remember("time", event.target.open) },
        h("summary", { data: { key: "time" } }, "Custom range"), moment("from", "From"), moment("to", "To")));
  }

  #remember(name, isOpen) {
    if (isOpen) this.#opened.add(name);
    else this.#opened.delete(name);
  }

  #facet(name) {
    const chosen = this.#place[name] ?? [];
    const values = [...(this.#counts[name] ?? [])];
    // What is chosen stays to be taken away, though nothing has it any more.
    for (const value of chosen) if (!values.some(([known]) => known === value)) values.push([value, 0]);
    if (!values.length) return null;
    const isOpen = this.#opened.has(name);
    const others = this.#others[name];
    const shown = isOpen ? values : values.filter(([value], index) => index < shownAtFirst || chosen.includes(value));
    return h("section", { aria: { label: titles[name] } }, h("h2", null, titles[name]),
      h("ul", null, shown.map(([value, n]) => h("li", null, h("label", { title: value },
        h("input", {
          type: "checkbox", checked: chosen.includes(value), data: { key: `${name} ${value}` },
          onChange: () => this.#onChange({ [name]: chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value] }),
        }), h("span.value", null, (names[name] ?? String)(value)), h("span.n", null, count(n)))))),
      values.length > shown.length || isOpen ? h("button.link", {
        type: "button", data: { key: `${name} more` }, onClick: () => { this.#remember(name, !isOpen); this.#draw(); },
      }, isOpen ? "Fewer" : `${values.length - shown.length} more`) : null,
      others && isOpen ? h("p.faint", null, `and ${plural(others[0], "other")}, in ${plural(others[1], "session")}`) : null);
  }
}

/** As a field for a local time takes it. */
function local(text) {
  const ms = Number(text);
  if (!text || !Number.isFinite(ms)) return "";
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
