// Above the list: the search, what of it was taken as a term, and the searches that were saved.

import { debounce, fill, h } from "../base/dom.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { endedName, hasName } from "./ended.js";
import { shortName } from "./name.js";
import { facets, isFiltered, parse, sinces, terms } from "./place.js";
import { deleteSearch, saveSearch, savedSearches } from "./saved.js";

const values = { app: shortName, ended: endedName, has: hasName };

export class SessionSearch {
  element;
  #field;
  #chips = h("div.chips", { role: "group", aria: { label: "Filters that are set" } });
  #saved = h("details.saved");
  #place;
  #onChange;

  /** @param {(changes: object) => void} onChange */
  constructor(place, onChange) {
    this.#place = place;
    this.#onChange = onChange;
    const apply = debounce(120, () => this.#typed(`${this.#field.value}`));
    this.#field = h("input", {
      type: "search", id: "filter", value: place.text, autocomplete: "off", spellcheck: false, onInput: apply,
      placeholder: "Search user, tag, screen, URL, message, version, device…",
      aria: { label: "Search sessions", keyshortcuts: "/", describedby: "search-help" },
      // What ends with Enter is complete: the last word, too, may be a term.
      onKeydown: (event) => { if (event.key === "Enter") this.#typed(`${this.#field.value} `); },
    });
    this.element = h("div.filters.session-search", { role: "search" },
      h("label.field", null, icon("search"), this.#field, h("kbd", null, "/")), this.#saved, this.#chips,
      h("span.visually-hidden", { id: "search-help" }, `Narrow with ${[...terms, ...facets].map((name) => `${name}:`).join(", ")}.`));
    this.#saved.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#saved.open) return;
      event.preventDefault();
      this.#saved.open = false;
      this.#saved.querySelector("summary").focus();
    });
    document.addEventListener("pointerdown", this.#outside);
    this.draw();
  }

  close() { document.removeEventListener("pointerdown", this.#outside); }

  #outside = (event) => { if (!this.#saved.contains(event.target)) this.#saved.open = false; };

  focus() { this.#field.focus(); this.#field.select(); }

  /** Asks for a name, for the search as it is. */
  save() {
    this.#drawSaved();
    this.#saved.open = true;
    this.#saved.querySelector("input")?.focus();
  }

  #typed(typed) {
    const { text, changes } = parse(typed, this.#place);
    if (Object.keys(changes).length) this.#field.value = text;
    if (text === this.#place.text && !Object.keys(changes).length) return;
    this.#onChange({ text, ...changes });
  }

  draw() {
    if (document.activeElement !== this.#field) this.#field.value = this.#place.text;
    const focused = document.activeElement?.closest?.(".chip")?.dataset.key;
    const place = this.#place;
    const chip = (name, value, shown, without) => h("button.chip.chosen", {
      type: "button", data: { key: `${name} ${value}` }, title: "Take it away", aria: { label: `${name} ${shown}: take it away` },
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
    this.#drawSaved();
  }

  clear() {
    this.#field.value = "";
    const nothing = { text: "", since: "", from: "", to: "" };
    for (const name of terms) nothing[name] = "";
    for (const name of facets) nothing[name] = [];
    this.#onChange(nothing);
  }

  #drawSaved() {
    const searches = savedSearches();
    const name = h("input", { type: "text", required: true, maxLength: 60, placeholder: "Name of this search", aria: { label: "Name of this search" } });
    const mine = h("form", { onSubmit: (event) => {
      event.preventDefault();
      saveSearch(name.value.trim(), route.address(this.#place));
      this.#saved.open = false;
      this.#drawSaved();
      this.#saved.querySelector("summary").focus();
    } }, h("label.field", null, name), h("button.small.primary", null, "Save"));
    fill(this.#saved, h("summary.small", null, icon("bookmark"), "Saved", searches.length ? h("span.number", null, searches.length) : null),
      h("div.menu", null,
        isFiltered(this.#place) ? mine : searches.length ? null : h("p.hint", null, "Narrow the list, then give the search a name here."),
        searches.length ? h("ul", null, searches.map((search) => h("li", null,
          h("a", { href: search.address, onClick: () => { this.#saved.open = false; } }, search.name),
          h("button.plain", { type: "button", title: "Delete", aria: { label: `Delete the search ${search.name}` }, onClick: () => {
            deleteSearch(search.name);
            this.#drawSaved();
            this.#saved.querySelector("summary").focus();
          } }, icon("close"))))) : null));
  }
}
