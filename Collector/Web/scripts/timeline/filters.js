// The chips and the search field above the timeline.

import { debounce, fill, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { icon } from "../base/icons.js";
import { iconOf, label, rank, styleOf } from "../events/types.js";

export class Filters {
  element;
  types = new Set();
  text = "";
  #onChange;
  #chips = h("div.chips", { role: "group", aria: { label: "Types of events" } });
  #field;
  #counts = new Map();

  constructor(onChange) {
    this.#onChange = onChange;
    const apply = debounce(80, () => {
      this.text = this.#field.value;
      onChange();
    });
    this.#field = h("input", {
      type: "search", placeholder: "Filter events", onInput: apply, id: "filter",
      aria: { label: "Filter events by text", keyshortcuts: "/" }, autocomplete: "off", spellcheck: false,
    });
    this.element = h("div.filters", { role: "search" },
      h("label.field", null, icon("search"), this.#field, h("kbd", null, "/")), this.#chips);
  }

  reset(types, text) {
    this.types = new Set(types);
    this.text = text;
    this.#field.value = text;
    this.#draw();
  }

  focus() { this.#field.focus(); this.#field.select(); }

  get active() { return this.types.size > 0 || this.text !== ""; }

  /** How many there are of each type, whatever is filtered. */
  set counts(counts) {
    const same = counts.size === this.#counts.size && [...counts].every(([type, n]) => this.#counts.get(type) === n);
    if (same) return;
    this.#counts = counts;
    this.#draw();
  }

  #draw() {
    const types = [...new Set([...this.#counts.keys(), ...this.types])]
      .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    const focused = document.activeElement?.closest?.(".chip")?.dataset.type;
    fill(this.#chips, types.map((type) => this.#chip(type)));
    if (focused) this.#chips.querySelector(`[data-type="${CSS.escape(focused)}"]`)?.focus();
  }

  #chip(type) {
    return h(`button.chip.${styleOf(type)}`, {
      type: "button", data: { type }, aria: { pressed: String(this.types.has(type)) },
      // With the modifier a chip is the only one; without, it is added or taken away.
      onClick: (event) => {
        const only = event.metaKey || event.ctrlKey || event.altKey;
        if (only) this.types = new Set([type]);
        else if (!this.types.delete(type)) this.types.add(type);
        this.#draw();
        this.#onChange();
      },
    }, icon(iconOf(type)), h("span", null, label(type)), h("span.number", null, count(this.#counts.get(type) ?? 0)));
  }
}
