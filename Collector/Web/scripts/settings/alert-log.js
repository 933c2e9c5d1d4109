// What was told, and what became of it.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { plural, preciseTime, timeOfDay, when } from "../base/format.js";

const page = 20;
const marks = { resolved: ["good", "Over"], test: ["faint", "Test"] };

export class AlertLog {
  element = h("div.alert-part");

  async load() { this.#show(await api.get("alerts/log", { limit: page })); }

  #show({ log, next }) {
    const list = h("ol.alert-log", { aria: { label: "What was told, the newest first" } }, log.map(row));
    fill(this.element, h("h3", null, "What was told"), log.length ? [list, this.#older(list, next)] : h("p.faint", null, "Nothing yet."));
  }

  #older(list, next) {
    if (!next) return null;
    const button = h("button.small", { type: "button", onClick: async () => {
      button.disabled = true;
      try {
        const older = await api.get("alerts/log", { limit: page, before: next });
        list.append(...older.log.map(row));
        next = older.next;
        button.hidden = !next;
      } finally {
        button.disabled = false;
      }
    } }, "Older alerts");
    return h("div.buttons", null, button);
  }
}

function row({ at, event, severity, title, text, place, ruleName, held, messages }) {
  const [look, word] = marks[event] ?? [severity === "critical" || severity === "error" ? "error" : "warn", "Alert"];
  return h("li", null,
    h("time.faint", { title: preciseTime(at) }, when(at)), h(`span.${look}`, null, word),
    h("div", null,
      // A place of this viewer, or none: it was made by the collector.
      place?.startsWith("#/") && event !== "test" ? h("a", { href: place }, title) : h("b", null, title),
      h("p", null, text), h("p.faint", null, ruleName, held ? ` · not sent: ${held}` : null),
      messages.length ? h("ul", null, messages.map(message)) : null));
}

function message({ channelName, state, attempts, due, reason }) {
  const name = channelName ?? "A channel that was removed";
  if (state === "sent") return h("li.good", null, `✓ ${name}`);
  if (state === "failed") return h("li.error", null, `✗ ${name}: ${reason ?? "not sent"}`);
  return h("li.warn", null, `… ${name}: ${attempts ? `${plural(attempts, "attempt")}, again at ${timeOfDay(due)}: ${reason ?? ""}` : "waiting"}`);
}
