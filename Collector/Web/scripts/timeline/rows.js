// One row of a list: an event, or what stands between events.

import { h } from "../base/dom.js";
import { duration, offset, preciseTime, valid } from "../base/format.js";
import { icon } from "../base/icons.js";
import { describe } from "../events/describe.js";
import { iconOf, singular, styleOf } from "../events/types.js";

/**
 * @param {object} item    of a row source
 * @param {number} place   in the outline; −1 for what is no event
 * @param {{outline, selected: string|null, current: number, bar: ((place: number) => HTMLElement)|null, onSelect: (place: number) => void}} about
 */
export function row(item, place, about) {
  switch (item.kind) {
    case "event": return eventRow(item.event, place, about);
    case "gap": return h("div.row.gap", { role: "presentation" }, h("span.rail"), h("span.words", null, item.text));
    case "fold": return h(`div.row.fold.${item.style}`, { role: "presentation" }, h("span.rail"),
      h("button.link", { type: "button", onClick: item.onOpen }, item.text));
    case "day": return h("div.row.day", { role: "presentation" }, h("span.words", null, item.text));
    default: {
      const act = item.onOpen ? h("button.link", { type: "button", onClick: item.onOpen }, item.action) : null;
      return h(`div.row.boundary${item.tone ? `.${item.tone}` : ""}`, { role: "presentation" }, h("span.words", null, item.text), act);
    }
  }
}

function eventRow(event, place, { outline, selected, current, bar, onSelect }) {
  const type = outline.typeOf(place);
  const id = String(outline.ids[place]);
  const severity = outline.severities[place];
  const isScreen = type === "navigation";
  const length = outline.durations[place] >= 0 ? duration(outline.durations[place]) : "";
  // Until it is here, a row says what is known of it.
  const line = event ? describe(event) : { title: outline.screens.get(outline.ids[place]) ?? "", detail: "", badge: "", measure: length };
  const tone = severity >= 4 ? "error" : severity === 3 ? "warning" : "";
  return h(`div.row.event.${styleOf(type)}${tone ? `.${tone}` : ""}${isScreen ? ".screen" : ""}${event ? "" : ".pending"}${place === current ? ".current" : ""}`, {
    role: "option", id: rowId(id), onClick: () => onSelect(place),
    aria: { selected: String(id === selected), label: `${singular(type)}: ${line.title}. ${line.detail} ${line.badge} ${line.measure}` },
  },
    h("time.at", { title: preciseTime(outline.times[place]) }, valid(outline.times[place]) ? offset(outline.times[place] - outline.start) : "–"),
    h("span.rail", null, h("span.mark", null, icon(iconOf(type)))),
    h("span.what", null, h("span.title", null, line.title), h("span.more", null, line.detail)),
    bar ? bar(place) : null,
    h("span.badge", null, line.badge, line.measure ? h("span.measure", null, line.measure) : null));
}

export const rowId = (id) => `event-${encodeURIComponent(id)}`;
