// An app's defaults by suite, as they are now: what changes shows at once.

import { debounce, fill, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { icon } from "../base/icons.js";
import { tail } from "../base/tail.js";
import { confirm } from "./confirm.js";
import { editValue } from "./defaults-edit.js";
import * as states from "./states.js";

export class Defaults {
  #app;
  #place;
  #onGo;
  #onReplace;
  #element;
  #abort = new AbortController();
  #side = h("nav.storage-side", { aria: { label: "Suites" } });
  #list = h("div.scroll.grid-scroll", { tabIndex: 0, role: "region", aria: { label: "Values" } });
  #where = h("span.where", { role: "status" });
  #filter;
  #suites = [];
  #entries = [];
  #total = 0;
  #isDrawn = false;
  /** Keys that changed since they were looked at. */
  #changed = new Set();
  #reload = debounce(150, () => this.#load());

  constructor({ element, app, place, onGo, onReplace }) {
    this.#element = element;
    this.#app = app;
    this.#place = place;
    this.#onGo = onGo;
    this.#onReplace = onReplace;
    this.#filter = h("input", {
      type: "search", placeholder: "Filter by key or value", value: place.q, aria: { label: "Filter" },
      onInput: () => { this.#onReplace({ q: this.#filter.value }); this.#draw(); },
    });
    fill(element, states.loading());
    this.#load();
    tail({ type: "storage_changed" }, {
      signal: this.#abort.signal, onState: () => {},
      onEvent: ({ launchId, payload }) => {
        if (launchId !== this.#app.launchId) return;
        if ((payload.suiteName ?? "") === this.#place.suite && payload.key) this.#changed.add(payload.key);
        this.#reload();
      },
    });
  }

  close() { this.#abort.abort(); }
  setConnected(isConnected) { this.#element.classList.toggle("stale", !isConnected); }
  focusFilter() { this.#filter.focus(); }

  visit(place) {
    this.#place = place;
    this.#changed.clear();
    if (this.#filter.value !== place.q) this.#filter.value = place.q;
    this.#load();
  }

  step(by) {
    const names = this.#suites.map(({ name }) => name ?? "");
    const next = names[Math.min(Math.max(names.indexOf(this.#place.suite) + by, 0), names.length - 1)];
    if (next !== undefined && next !== this.#place.suite) this.#onGo({ suite: next });
  }

  get #arguments() { return this.#place.suite ? { suite: this.#place.suite } : {}; }
  get #canChange() { return this.#app.knows("defaults.set"); }

  async #load() {
    const suite = this.#place.suite;
    try {
      const { suites } = await this.#app.ask("defaults.suites", {}, this.#abort.signal);
      const entries = [];
      let total = 0;
      do {
        const page = await this.#app.ask("defaults.list", { ...this.#arguments, offset: entries.length }, this.#abort.signal);
        entries.push(...page.entries);
        total = page.entries.length ? page.total : entries.length;
      } while (entries.length < total && entries.length < 5000);
      if (suite !== this.#place.suite) return;
      this.#suites = suites;
      this.#entries = entries;
      this.#total = total;
      this.#drawAll();
    } catch (error) {
      if (error.name === "AbortError") return;
      const retry = () => { fill(this.#element, states.loading()); this.#load(); };
      this.#isDrawn = false;
      fill(this.#element, error.code === "switched_off" ? states.switchedOff("defaults", error.message, retry) : states.failed(error.message, retry));
    }
  }

  #drawAll() {
    fill(this.#side, this.#suites.map(({ name, displayName, entryCount }) => h("button.table-name", {
      type: "button", aria: (name ?? "") === this.#place.suite ? { current: "true" } : {}, onClick: () => this.#onGo({ suite: name ?? "" }),
    }, h("span.name", null, displayName), h("span.faint", null, count(entryCount)))));
    if (!this.#isDrawn) {
      this.#isDrawn = true;
      fill(this.#element, this.#side, h("section.storage-main", { aria: { label: "Values" } },
        h("div.storage-tabs", null, h("label.field", null, icon("search"), this.#filter, h("kbd", null, "/")), this.#where, h("span.spring"),
          this.#canChange ? [
            h("button.small", { type: "button", onClick: () => this.#edit(null) }, "Add"),
            h("button.small.errors", { type: "button", onClick: () => this.#clear() }, "Clear…")] : h("span.faint", null, "read only")),
        this.#list));
    }
    this.#draw();
  }

  #draw() {
    const words = this.#filter.value.toLowerCase();
    const found = this.#entries.filter(({ key, value }) => !words || key.toLowerCase().includes(words) || value?.toLowerCase().includes(words));
    fill(this.#where, words ? `${count(found.length)} of ${count(this.#total)}` : count(this.#total), this.#total === 1 ? " value" : " values");
    const focused = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    const place = this.#list.scrollTop;
    fill(this.#list, found.length ? h("table.grid.values", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Type"), h("th", { scope: "col" }, "Value"), h("th", { scope: "col" }, h("span.sr", null, "Actions")))),
      h("tbody", null, found.map((entry) => this.#row(entry))))
      : states.nothing(words ? "Nothing matches the filter" : "Nothing is stored in this suite", words ? "The filter matches keys and values." : "What the app stores appears here right away."));
    this.#list.scrollTop = place;
    if (focused !== undefined) this.#list.querySelector(`[data-key="${CSS.escape(focused)}"] button`)?.focus();
  }

  #row(entry) {
    const { key, type, value, isTruncated, isRedacted } = entry;
    const text = value === "" ? h("span.null", null, "empty") : value ?? "";
    return h("tr", { data: { key }, class: this.#changed.has(key) ? "changed" : null },
      h("th", { scope: "row", title: key }, key), h("td.faint", null, type),
      h("td.value", null, isRedacted && value === "REDACTED" ? h("span.null", null, "secret, not shown") : text),
      h("td.row-actions", null, this.#canChange ? [
        h("button.small", { type: "button", aria: { label: `Edit ${key}` }, onClick: () => this.#edit(entry) }, isTruncated || isRedacted ? "Replace" : "Edit"),
        h("button.plain", { type: "button", title: "Remove", aria: { label: `Remove ${key}` }, onClick: () => this.#remove(key) }, icon("close"))] : null));
  }

  async #edit(entry) {
    const done = await editValue(entry, (change) => this.#app.ask("defaults.set", { ...this.#arguments, ...change }));
    if (done) { this.#changed.add(done.key); this.#load(); }
  }

  async #remove(key) {
    if (!await confirm({ title: "Remove this value from the app?", text: key, action: "Remove" })) return;
    await this.#change("defaults.remove", { key });
  }

  async #clear() {
    const name = this.#place.suite || "the standard suite";
    if (!await confirm({ title: "Clear the suite?", text: `${count(this.#total)} values of ${name}`, action: "Clear" })) return;
    await this.#change("defaults.clear", {});
  }

  async #change(command, args) {
    try {
      await this.#app.ask(command, { ...this.#arguments, ...args });
      await this.#load();
    } catch (error) {
      fill(this.#where, h("span.sql-error", { role: "alert" }, error.message));
    }
  }
}
