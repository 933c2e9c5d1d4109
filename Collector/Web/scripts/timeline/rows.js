// One row of a list: an event, or what stands between events.

import { h } from "../base/dom.js";
import { duration, offset, valid } from "../base/format.js";
import { icon, shape } from "../base/icons.js";
import { describe, titleOn } from "../events/describe.js";
import { iconOf, singular, styleOf } from "../events/types.js";
import { foundIn, holds, marked } from "../search/marks.js";

/**
 * @param {object} item    of a row source
 * @param {number} place   in the outline; −1 for what is no event
 * @param {{outline, selected: string|null, current: number, marks: string[], bar: ((place: number, element: HTMLElement) => void)|null}} about
 * @param {HTMLElement|null} old  a row that may be written into
 */
export function row(item, place, about, old) {
  switch (item.kind) {
    case "event": return eventRow(item.event, place, about, old);
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

/** Without and with a bar: an empty row, its texts included. Copying one is several times quicker than making one. */
const empty = [false, true].map((hasBar) => {
  const text = () => document.createTextNode("");
  return h("div.row.event", { role: "option", aria: { selected: "false" } },
    h("time.at", null, text()), h("span.rail", null, h("span.mark", null, icon(""))),
    h("span.what", null, h("span.title", null, text()), h("span.more", null, text())), hasBar ? h("span.when-bar", null, h("i")) : null,
    h("span.badge", null, h("span.word", null, text()), h("span.measure", null, text())));
});

/** What was written into a row: what is the same is not written again. */
const written = new WeakMap();

function partsOf(old, hasBar) {
  const known = old && written.get(old);
  if (known && known.hasBar === hasBar) return known;
  const element = empty[Number(hasBar)].cloneNode(true);
  const [at, rail, what, ...ends] = element.children;
  const badge = ends.at(-1);
  const parts = {
    element, hasBar, bar: hasBar ? ends[0] : null, path: rail.querySelector("path"), measureBox: badge.lastChild, values: {},
    isMarked: false, boxes: { title: what.firstChild, more: what.lastChild, badge: badge.firstChild },
    texts: { at: at.firstChild, title: what.firstChild.firstChild, more: what.lastChild.firstChild, badge: badge.firstChild.firstChild, measure: badge.lastChild.firstChild },
  };
  written.set(element, parts);
  return parts;
}

function eventRow(event, place, { outline, selected, current, marks, bar }, old) {
  const type = outline.typeOf(place);
  const id = String(outline.ids[place]);
  const severity = outline.severities[place];
  const length = outline.durations[place] >= 0 ? duration(outline.durations[place]) : "";
  // Until it is here, a row says what is known of it.
  const line = event ? describe(event) : { title: outline.screens.get(outline.ids[place]) ?? "", detail: "", badge: "", measure: length };
  const parts = partsOf(old, Boolean(bar));
  const { element, texts, values } = parts;
  const changed = (name, value) => values[name] !== value && ((values[name] = value), true);
  const tone = severity >= 4 ? " error" : severity === 3 ? " warning" : "";
  // Not compared with what was written: others take these classes away and add them.
  element.className = `row event ${styleOf(type)}${tone}${type === "navigation" ? " screen" : ""}${event ? "" : " pending"}${place === current ? " current" : ""}`;
  if (changed("icon", iconOf(type))) parts.path.setAttribute("d", shape(iconOf(type)));
  element.id = rowId(id);
  element.dataset.place = place;
  const isSelected = String(id === selected);
  if (element.getAttribute("aria-selected") !== isSelected) element.setAttribute("aria-selected", isSelected);
  element.setAttribute("aria-label", `${singular(type)}: ${line.title}. ${line.detail} ${line.badge} ${line.measure}`);
  const time = outline.times[place];
  const lines = {
    at: valid(time) ? offset(time - outline.start) : "–", title: event ? titleOn(event, outline.screenAt(place)) : line.title,
    more: line.detail, badge: line.badge, measure: line.measure,
  };
  // Found by what no row shows: then it says where.
  if (event && marks.length && ![lines.title, lines.more, lines.badge].some((words) => holds(words, marks))) lines.more = foundIn(event.payload, marks) ?? lines.more;
  const isMarked = marks.length > 0;
  for (const [name, words] of Object.entries(lines)) {
    if (name === "at" || name === "measure" || (!isMarked && !parts.isMarked)) {
      if (changed(name, words)) texts[name].data = words;
      continue;
    }
    // A row that has marks, or had: its texts are more than one.
    values[name] = words;
    texts[name].data = words;
    parts.boxes[name].replaceChildren(...(isMarked ? marked(words, marks) : [texts[name]]));
  }
  parts.isMarked = isMarked;
  const isBare = !line.measure;
  if (changed("bare", isBare)) parts.measureBox.hidden = isBare;
  const when = element.firstChild;
  if (when.title) when.title = "";
  if (bar) {
    parts.bar.className = "when-bar";
    bar(place, parts.bar);
  }
  return element;
}

export const rowId = (id) => `event-${encodeURIComponent(id)}`;
