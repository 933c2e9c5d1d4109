// A field for the query language: it completes fields and values while one types, and says what could not be read.

import { debounce, fill, h } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { complete, completed, settled } from "./complete.js";

let number = 0;

export class QueryField {
  element;
  #input;
  #list;
  #said;
  #domain;
  #onChange;
  #onResults;
  #isEntering;
  #items = [];
  #place = { from: 0, to: 0 };
  #chosen = -1;
  #abort = new AbortController();
  #told;
  /** What Enter was pressed at. */
  #whole = null;

  /**
   * @param {{domain: string, text: string, label: string, placeholder: string, delay?: number, onChange: (text: string) => void,
   *   onResults: () => void, isEntering?: boolean}} options
   *   `onResults`: goes to the first of what was found, as the arrow key says; `isEntering`: Enter goes there, too
   */
  constructor({ domain, text, label, placeholder, delay = 140, onChange, onResults, isEntering = false }) {
    this.#domain = domain;
    this.#onChange = onChange;
    this.#onResults = onResults;
    this.#isEntering = isEntering;
    this.#told = text;
    const id = `completions-${number += 1}`;
    this.#list = h("div.completions", { id, role: "listbox", hidden: true, aria: { label: "Completions" } });
    this.#said = h("p.query-said", { role: "status", id: `${id}-said`, hidden: true });
    const apply = debounce(delay, () => this.#tell());
    this.#input = h("input", {
      type: "search", id: "filter", value: text, autocomplete: "off", spellcheck: false, role: "combobox", placeholder,
      aria: { label, keyshortcuts: "/", controls: id, expanded: "false", autocomplete: "list", describedby: `${id}-said` },
      onInput: () => { apply(); this.#ask(); },
      onKeydown: (event) => this.#key(event),
      onBlur: () => this.#close(),
    });
    this.element = h("div.query", null, h("label.field", null, icon("search"), this.#input, h("kbd", null, "/")), this.#list, this.#said);
  }

  get value() { return this.#input.value.trim(); }

  /** From outside; what somebody is typing at the moment stays. */
  set value(text) {
    if (this.isFocused && (this.value === text || text === this.#told)) return;
    this.#input.value = text;
    this.#told = text;
    this.#close();
  }

  get isFocused() { return document.activeElement === this.#input; }
  focus() { this.#input.focus(); this.#input.select(); }

  /** Says why a search could not be read; null: it could. */
  say(error) {
    const isUnread = error?.code === "invalid_query";
    this.#said.hidden = !isUnread;
    this.#said.textContent = isUnread ? sentence(error.message) : "";
    if (isUnread) this.#input.setAttribute("aria-invalid", "true");
    else this.#input.removeAttribute("aria-invalid");
  }

  /** A field without its value waits for it, unless somebody says that this is all. */
  #tell({ isAll = false } = {}) {
    // Enter was quicker than the pause after typing, and has said that this is all.
    if (!isAll && this.value === this.#whole) return;
    this.#whole = isAll ? this.value : null;
    const text = isAll ? this.value : settled(this.value);
    if (text === this.#told) return;
    this.#told = text;
    this.#onChange(text);
  }

  // MARK: Completing

  async #ask(isWanted = false) {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { value, selectionStart } = this.#input;
    try {
      const { items, ...place } = await complete(this.#domain, value, selectionStart ?? value.length, signal);
      // Nothing is offered before the first letter, unless it is asked for.
      if (signal.aborted || !this.isFocused) return;
      this.#items = place.from === place.to && !isWanted && !value.slice(0, place.to).endsWith(":") ? [] : items.slice(0, 12);
      this.#place = place;
      this.#chosen = -1;
      this.#draw();
    } catch {
      // One that was asked again meanwhile closes nothing: it would take the newer question along.
      if (!signal.aborted) this.#close();
    }
  }

  #draw() {
    const isOpen = this.#items.length > 0;
    this.#list.hidden = !isOpen;
    this.#input.setAttribute("aria-expanded", String(isOpen));
    fill(this.#list, this.#items.map(({ label, hint, example }, index) => h("div.completion", {
      role: "option", id: `${this.#list.id}-${index}`, aria: { selected: String(index === this.#chosen) },
      // Before the field loses the focus, and closes this.
      onPointerDown: (event) => { event.preventDefault(); this.#take(index); },
    }, h("b", null, label), h("span.more", null, hint), example ? h("code", null, example) : null)));
    const item = this.#list.children[this.#chosen];
    item?.scrollIntoView({ block: "nearest" });
    if (item) this.#input.setAttribute("aria-activedescendant", item.id);
    else this.#input.removeAttribute("aria-activedescendant");
  }

  #close() {
    this.#abort.abort();
    this.#items = [];
    this.#draw();
  }

  #take(index) {
    const item = this.#items[index];
    const { text, caret } = completed(this.#input.value, this.#place, item);
    this.#input.value = text;
    this.#input.setSelectionRange(caret, caret);
    this.#close();
    if (item.isOpen) this.#ask();
    else this.#tell();
  }

  /** To what was found. */
  #leave() {
    this.#close();
    this.#tell({ isAll: true });
    this.#input.blur();
    this.#onResults();
  }

  #key(event) {
    const isOpen = this.#items.length > 0;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && isOpen) {
      const count = this.#items.length;
      this.#chosen = this.#chosen < 0 ? (by > 0 ? 0 : count - 1) : (this.#chosen + by + count) % count;
      this.#draw();
    } else if (event.key === "ArrowDown" && event.altKey) this.#ask(true);
    else if (event.key === "ArrowDown") this.#leave();
    else if (event.key === "Tab" && isOpen && !event.shiftKey) this.#take(Math.max(this.#chosen, 0));
    else if (event.key === "Enter" && !event.isComposing) {
      if (this.#chosen >= 0) this.#take(this.#chosen);
      else {
        this.#close();
        this.#tell({ isAll: true });
        // What was looked for is written: the next keys are for what was found.
        if (this.#isEntering) this.#leave();
        else if (this.value) this.#input.blur();
      }
    } else if (event.key === "Escape" && isOpen) this.#close();
    else return;
    event.preventDefault();
  }
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
