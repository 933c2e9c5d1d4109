// Above the list: the search, what else narrows it, and the searches that were saved.

import { fill, h } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { endedName, hasName } from "./ended.js";
import { shortName } from "./name.js";
import { QueryField } from "../search/query-field.js";
import { facets, isFiltered, sinces, terms } from "./place.js";
import { SavedMenu } from "./saved-menu.js";

const values = { app: shortName, ended: endedName, has: hasName };

export class SessionSearch {
  element;
  #field;
  #chips = h("div.chips", { role: "group", aria: { label: "Active filters" } });
  #saved;
  #place;
  #onChange;

  /** @param {(changes: object) => void} onChange  @param {() => void} onResults  to the first session */
  constructor(place, onChange, onResults) {
    this.#place = place;
    this.#onChange = onChange;
    this.#saved = new SavedMenu(place);
    this.#field = new QueryField({
      domain: "sessions", text: place.text, label: "Search sessions",
      placeholder: "Search anything: user, screen, URL, message … or app:name has:crash", onChange: (text) => onChange({ text }), onResults,
    });
    this.element = h("div.filters.session-search", { role: "search" },
      this.#field.element, this.#saved.element, this.#chips);
    this.draw();
  }

  close() { this.#saved.close(); }
  focus() { this.#field.focus(); }
  /** Why the search could not be read; null: it could. */
  say(error) { this.#field.say(error); }

  /** Asks for a name, for the search as it is. */
  save() { this.#saved.save(); }

  draw() {
    if (!this.#field.isFocused) this.#field.value = this.#place.text;
    const focused = document.activeElement?.closest?.(".chip")?.dataset.key;
    const place = this.#place;
    const chip = (name, value, shown, without) => h("button.chip.chosen", {
      type: "button", data: { key: `${name} ${value}` }, title: "Remove filter", aria: { label: `Remove ${name} ${shown}` },
      onClick: () => this.#onChange(without),
    }, h("span.faint", null, name), h("span.value", null, shown), icon("close"));
    fill(this.#chips,
      terms.filter((name) => place[name]).map((name) => chip(name, place[name], place[name], { [name]: "" })),
      facets.flatMap((name) => place[name].map((value) =>
        chip(name, value, (values[name] ?? String)(value), { [name]: place[name].filter((one) => one !== value) }))),
      place.since ? chip("time", place.since, sinces.find(([value]) => value === place.since)?.[1] ?? place.since, { since: "" }) : null,
      place.from || place.to ? chip("time", "from", "from – to", { from: "", to: "" }) : null,
      isFiltered(place) ? h("button.link", { type: "button", data: { key: "clear" }, onClick: () => this.clear() }, "Clear") : null);
    if (focused) (this.#chips.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? this.#field).focus();
    this.#saved.draw();
  }

  clear() {
    this.#field.value = "";
    const nothing = { text: "", since: "", from: "", to: "" };
    for (const name of terms) nothing[name] = "";
    for (const name of facets) nothing[name] = [];
    this.#onChange(nothing);
  }
}
