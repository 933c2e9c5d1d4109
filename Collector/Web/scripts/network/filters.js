// Above the list: what to search for, what to narrow it to.

import { fill, h } from "../base/dom.js";
import { duration, timeOfDay } from "../base/format.js";
import { icon } from "../base/icons.js";
import { QueryField } from "../search/query-field.js";
import { cleared } from "./place.js";

const toggles = [
  ["failed", "Failed", "bad"], ["2xx", "2xx", "fine"], ["3xx", "3xx", "other"], ["4xx", "4xx", "bad"], ["5xx", "5xx", "bad"],
  ["none", "No response", "bad"], ["slow", "Over 1 s", "doubtful"], ["mocked", "Mocked", "mock"],
];

export class NetworkFilters {
  element;
  #place;
  #onChange;
  #field;
  #chips = h("div.chips", { role: "group", aria: { label: "Filter by" } });

  /** @param {object} place  changed in place, and told to `onChange`  @param {() => void} onResults  to the first request */
  constructor(place, onChange, onResults) {
    this.#place = place;
    this.#onChange = onChange;
    this.#field = new QueryField({
      domain: "requests", text: place.text, label: "Search requests", delay: 180,
      placeholder: "Search URLs, headers, bodies, users … or status:503 >1s", onChange: (text) => this.#search(text), onResults,
    });
    this.element = h("div.filters.network-filters", { role: "search" },
      this.#field.element, this.#chips);
    this.#draw();
  }

  focus() { this.#field.focus(); }
  /** Why the search could not be read; null: it could. */
  say(error) { this.#field.say(error); }

  /** Sets members from outside: an endpoint that was clicked, a part of the strip. */
  set(changes) {
    Object.assign(this.#place, changes);
    if ("text" in changes) this.#field.value = changes.text;
    this.#draw();
    this.#onChange();
  }

  clear() { this.set(cleared(this.#place)); }

  #search(text) {
    this.#place.text = text;
    this.#draw();
    this.#onChange();
  }

  #draw() {
    const place = this.#place;
    const focused = document.activeElement?.closest?.(".chip")?.dataset.key;
    const isOn = {
      failed: place.failed === "true", slow: place.min === "1000", mocked: place.mocked === "true",
    };
    const chosen = [
      ["host", "Host", place.host], ["path", "Path", place.path], ["route", "Endpoint", place.route], ["method", "Method", place.method],
      ["tracer", "Tracer ID", place.tracer], ["app", "App", place.app], ["of", "Session", place.of?.slice(0, 8)],
      ["min", "Over", place.min && place.min !== "1000" ? duration(Number(place.min)) : ""],
      ["from", "Time", place.from || place.to ? `${time(place.from)}–${time(place.to)}` : ""],
    ].filter(([, , value]) => value);
    const codes = place.status.filter((status) => !toggles.some(([key]) => key === status));
    fill(this.#chips,
      toggles.map(([key, text, tone]) => h(`button.chip.${tone}`, {
        type: "button", data: { key }, aria: { pressed: String(isOn[key] ?? place.status.includes(key)) },
        onClick: () => this.#toggle(key),
      }, text)),
      codes.map((code) => this.#chosen("status", code, "Status", code)),
      chosen.map(([key, label, value]) => this.#chosen(key, key, label, value)));
    if (focused) this.#chips.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #chosen(key, name, label, value) {
    return h("button.chip.chosen", {
      type: "button", data: { key: name }, aria: { pressed: "true", label: `Remove ${label} ${value}` }, title: "Remove filter",
      onClick: () => this.set(key === "status" ? { status: this.#place.status.filter((status) => status !== name) }
        : key === "from" ? { from: "", to: "" } : { [key]: "" }),
    }, h("span.faint", null, label), h("span.value", null, value), icon("close"));
  }

  #toggle(key) {
    const place = this.#place;
    switch (key) {
      case "failed": return this.set({ failed: place.failed ? "" : "true" });
      case "mocked": return this.set({ mocked: place.mocked ? "" : "true" });
      case "slow": return this.set({ min: place.min === "1000" ? "" : "1000" });
      default: return this.set({
        status: place.status.includes(key) ? place.status.filter((status) => status !== key) : [...place.status, key],
      });
    }
  }
}

const time = (text) => text ? timeOfDay(Number(text)) : "…";
