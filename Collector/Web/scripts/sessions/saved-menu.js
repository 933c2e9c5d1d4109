// The menu of saved searches: to go to one, to save the search at hand, to rename and to delete.

import { fill, h } from "../base/dom.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { isFiltered } from "./place.js";
import { deleteSearch, loadSearches, onSavedSearches, renameSearch, saveSearch, savedSearches } from "./saved.js";

export class SavedMenu {
  element = h("details.saved");
  #place;
  #abort = new AbortController();
  /** The search that is being given another name. */
  #renamed = null;
  #problem = "";

  constructor(place) {
    this.#place = place;
    const { signal } = this.#abort;
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.element.open) return;
      event.preventDefault();
      this.#close();
    });
    // Somebody else may have saved one since.
    this.element.addEventListener("toggle", () => { if (this.element.open) loadSearches().catch(() => {}); });
    document.addEventListener("pointerdown", ({ target }) => { if (!this.element.contains(target)) this.element.open = false; }, { signal });
    onSavedSearches(() => this.draw(), signal);
    loadSearches().catch(() => { /* the list says what is wrong */ });
  }

  close() { this.#abort.abort(); }

  /** Asks for a name, for the search as it is. */
  save() {
    this.draw();
    this.element.open = true;
    this.element.querySelector("input")?.focus();
  }

  #close() {
    this.#renamed = null;
    this.#problem = "";
    this.element.open = false;
    this.draw();
    this.element.querySelector("summary").focus();
  }

  draw() {
    const focused = this.element.open ? this.element.querySelector("input:focus") : null;
    // What is being typed is not taken away, nor is where it is going to be typed.
    if (focused?.value) return;
    const searches = savedSearches();
    const isNew = isFiltered(this.#place);
    fill(this.element,
      h("summary.small", null, icon("bookmark"), "Saved", searches.length ? h("span.number", null, searches.length) : null),
      h("div.menu", null,
        isNew ? this.#form("Name of this search", "", "Save", (name) => saveSearch(name, route.address(this.#place)))
          : searches.length ? null : h("p.hint", null, "Filter the list, then name the search here. Everyone who uses this collector sees it."),
        this.#problem ? h("p.hint.error", { role: "alert" }, this.#problem) : null,
        searches.length ? h("ul", null, searches.map((search) => h("li", null, ...this.#item(search)))) : null));
    if (focused) this.element.querySelector("input")?.focus();
  }

  #item(search) {
    const { id, name, address } = search;
    if (this.#renamed === id) return [this.#form(`New name of the search ${name}`, name, "Rename", (to) => renameSearch(id, to))];
    return [
      h("a", { href: address, onClick: () => { this.element.open = false; } }, name),
      h("button.plain", { type: "button", title: "Rename", aria: { label: `Rename the search ${name}` }, onClick: () => {
        this.#renamed = id;
        this.draw();
        const field = this.element.querySelector("li input");
        field.focus();
        field.select();
      } }, icon("edit")),
      h("button.plain", { type: "button", title: "Delete", aria: { label: `Delete the search ${name}` }, onClick: () => this.#do(() => deleteSearch(id)) }, icon("close")),
    ];
  }

  #form(label, value, action, run) {
    const field = h("input", { type: "text", value, required: true, maxLength: 60, placeholder: label, aria: { label } });
    return h("form", { onSubmit: (event) => {
      event.preventDefault();
      this.#do(() => run(field.value.trim()));
    } }, h("label.field", null, field), h("button.small.primary", null, action));
  }

  async #do(change) {
    try {
      await change();
      this.#close();
    } catch (error) {
      this.#problem = error.message;
      document.activeElement?.blur();
      this.draw();
    }
  }
}
