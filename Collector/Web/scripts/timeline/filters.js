// Above the list: the ways to look at it, the search, and the chips or the level.

import { fill, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { icon } from "../base/icons.js";
import { iconOf, label, rank, styleOf } from "../events/types.js";
import { QueryField } from "../search/query-field.js";
import { severities, tabs } from "./views.js";

export class Filters {
  element;
  types = new Set();
  text = "";
  severity = 0;
  tab = tabs[0];
  #onChange;
  #chips = h("div.chips", { role: "group", aria: { label: "Types of events" } });
  #tabs = h("div.choices", { role: "group", aria: { label: "Show" } });
  #level;
  #field;
  #counts = new Map();
  #errors = 0;

  /** @param {(what: "text"|"other") => void} onChange  @param {() => void} onResults  from the search to what it found */
  constructor(onChange, onResults) {
    this.#onChange = onChange;
    this.#field = new QueryField({
      domain: "events", text: "", label: "Search this session", placeholder: "Search: words or level:error", delay: 80, onResults, isEntering: true,
      onChange: (text) => { this.text = text; onChange("text"); },
    });
    this.#level = h("select", { aria: { label: "Level" }, onChange: () => { this.severity = Number(this.#level.value); onChange("other"); } },
      severities.map(([value, title]) => h("option", { value }, title)));
    this.element = h("div.filters", { role: "search" }, this.#tabs,
      this.#field.element, this.#level, this.#chips);
  }

  reset({ types = [], text = "", tab = "", severity = 0 }) {
    this.types = new Set(types);
    this.text = text;
    this.severity = severity;
    this.tab = tabs.find(({ name }) => name === tab) ?? tabs[0];
    this.#field.value = text;
    this.#level.value = String(severity);
    this.#draw();
  }

  /** Looks at the events in another way. */
  show(name) {
    this.tab = tabs.find((tab) => tab.name === name) ?? tabs[0];
    this.#draw();
    this.#onChange("other");
  }

  focus() { this.#field.focus(); }
  /** Why the search could not be read; null: it could. */
  say(error) { this.#field.say(error); }

  get isActive() { return this.types.size > 0 || this.text !== "" || this.severity > 0 || this.tab !== tabs[0]; }

  /** How many there are of each type, whatever is filtered. */
  setCounts(counts, errors) {
    const isSame = counts.size === this.#counts.size && errors === this.#errors && [...counts].every(([type, n]) => this.#counts.get(type) === n);
    if (isSame) return;
    this.#counts = counts;
    this.#errors = errors;
    this.#draw();
  }

  #draw() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const isAll = this.tab === tabs[0];
    this.#level.hidden = this.tab.name !== "log";
    this.#chips.hidden = !isAll;
    fill(this.#tabs, tabs.map((tab) => h("button", {
      type: "button", data: { key: `tab ${tab.name}` }, aria: { pressed: String(tab === this.tab) }, onClick: () => this.show(tab.name),
    }, tab.title, this.#number(tab))));
    const types = [...new Set([...this.#counts.keys(), ...this.types])].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    fill(this.#chips, types.map((type) => this.#chip(type)));
    if (focused) this.element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #number({ name, types }) {
    const n = name === "errors" ? this.#errors : types ? types.reduce((sum, type) => sum + (this.#counts.get(type) ?? 0), 0) : 0;
    return n ? h(`span.number${name === "errors" ? ".error" : ""}`, null, ` ${count(n)}`) : null;
  }

  #chip(type) {
    return h(`button.chip.${styleOf(type)}`, {
      type: "button", data: { type, key: `chip ${type}` }, aria: { pressed: String(this.types.has(type)) },
      // With the modifier a chip is the only one; without, it is added or taken away.
      onClick: (event) => {
        const isOnly = event.metaKey || event.ctrlKey || event.altKey;
        if (isOnly) this.types = new Set([type]);
        else if (!this.types.delete(type)) this.types.add(type);
        this.#draw();
        this.#onChange("other");
      },
    }, icon(iconOf(type)), h("span", null, label(type)), h("span.number", null, count(this.#counts.get(type) ?? 0)));
  }
}
