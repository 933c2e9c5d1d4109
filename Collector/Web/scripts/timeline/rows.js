// One row of a list: an event, or what stands between events.

import { h } from "../base/dom.js";
import { duration, offset, valid } from "../base/format.js";
import { icon } from "../base/icons.js";
import { describe } from "../events/describe.js";
import { iconOf, singular, styleOf } from "../events/types.js";

/**
 * @param {object} item    of a row source
 * @param {number} place   in the outline; −1 for what is no event
 * @param {{outline, selected: string|null, current: number, bar: ((place: number, element: HTMLElement) => void)|null}} about
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

/** By type, tone and shape: an empty row. Copying one is several times quicker than making one. */
const empty = new Map();

function emptyRow(type, tone, bar) {
  const key = `${type} ${tone} ${bar}`;
  let row = empty.get(key);
  if (!row) {
    const isScreen = type === "navigation";
    row = h(`div.row.event.${styleOf(type)}${tone ? `.${tone}` : ""}${isScreen ? ".screen" : ""}`, { role: "option" },
      h("time.at"), h("span.rail", null, h("span.mark", null, icon(iconOf(type)))),
      h("span.what", null, h("span.title"), h("span.more")), bar ? h("span.when-bar", null, h("i")) : null,
      h("span.badge", null, h("span.word"), h("span.measure")));
    empty.set(key, row);
  }
  return row.cloneNode(true);
}

function eventRow(event, place, { outline, selected, current, bar }) {
  const type = outline.typeOf(place);
  const id = String(outline.ids[place]);
  const severity = outline.severities[place];
  const length = outline.durations[place] >= 0 ? duration(outline.durations[place]) : "";
  // Until it is here, a row says what is known of it.
  const line = event ? describe(event) : { title: outline.screens.get(outline.ids[place]) ?? "", detail: "", badge: "", measure: length };
  const element = emptyRow(type, severity >= 4 ? "error" : severity === 3 ? "warning" : "", Boolean(bar));
  if (!event) element.classList.add("pending");
  if (place === current) element.classList.add("current");
  element.id = rowId(id);
  element.dataset.place = place;
  element.setAttribute("aria-selected", String(id === selected));
  element.setAttribute("aria-label", `${singular(type)}: ${line.title}. ${line.detail} ${line.badge} ${line.measure}`);
  const [at, , what, ...ends] = element.children;
  const time = outline.times[place];
  at.textContent = valid(time) ? offset(time - outline.start) : "–";
  what.firstChild.textContent = line.title;
  what.lastChild.textContent = line.detail;
  const badge = ends.at(-1);
  badge.firstChild.textContent = line.badge;
  badge.lastChild.textContent = line.measure;
  badge.lastChild.hidden = !line.measure;
  if (bar) bar(place, ends[0]);
  return element;
}

export const rowId = (id) => `event-${encodeURIComponent(id)}`;
