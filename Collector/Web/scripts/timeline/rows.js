// From events to the rows of the timeline: events, pauses, days, and where a process began or ended.

import { h } from "../base/dom.js";
import { day, dayName, duration, offset, plural, preciseTime, valid } from "../base/format.js";
import { icon } from "../base/icons.js";
import { describe } from "../events/describe.js";
import { iconOf, singular, styleOf } from "../events/types.js";
import { folds } from "./folds.js";

const pause = 5000;

/** What stands between two events, and how high it is. Touch screens get higher rows with two lines. */
export function heights(narrow) {
  return narrow
    ? { event: 52, screen: 56, gap: 30, day: 36, boundary: 40, fold: 44 }
    : { event: 30, screen: 40, gap: 26, day: 36, boundary: 36, fold: 34 };
}

/**
 * @param {object[]} events   in time order, filtered
 * @param {{ends: Map<string, {text: string, tone: string}>, launches: string[], narrow: boolean,
 *   opened: Set<string>|null, keep: string|null, onUnfold: (first: string) => void}} about  see folds(); without
 *   `opened` nothing is folded
 */
export function rows(events, { ends, launches, narrow, opened, keep, onUnfold }) {
  const size = heights(narrow);
  const result = [];
  const folded = opened ? folds(events, { pause, keep, opened }) : new Map();
  let hiddenUpTo = 0;
  const lastOf = new Map(events.map((event, index) => [event.launchId, index]));
  const seen = new Set();
  events.forEach((event, index) => {
    const fold = folded.get(index);
    if (fold) {
      hiddenUpTo = fold.to;
      result.push({
        kind: "fold", key: `fold ${fold.first}`, height: size.fold, onOpen: () => onUnfold(fold.first), style: styleOf(event.eventType),
        text: `${plural(fold.to - fold.from, "more like this", "more like these")}, within ${duration(fold.elapsed)}`,
      });
    }
    if (index < hiddenUpTo) return;
    const previous = events[index - 1];
    const elapsed = previous ? event.timestamp - previous.timestamp : 0;
    if (previous && dayName(previous.timestamp, 0) !== dayName(event.timestamp, 0)) {
      result.push({ kind: "day", key: `day ${event.id}`, height: size.day, text: day(event.timestamp) });
    } else if (elapsed >= pause) {
      result.push({ kind: "gap", key: `gap ${event.id}`, height: size.gap, text: `${duration(elapsed)} later` });
    }
    if (!seen.has(event.launchId)) {
      seen.add(event.launchId);
      if (previous) {
        const number = launches.indexOf(event.launchId) + 1;
        result.push({
          kind: "boundary", key: `begin ${event.launchId}`, height: size.boundary, tone: "",
          text: number ? `Launch ${number} of this session` : "Another launch",
        });
      }
    }
    const screen = event.eventType === "navigation";
    result.push({
      kind: "event", key: event.id, height: screen ? size.screen : size.event, event, screen,
    });
    const end = lastOf.get(event.launchId) === index ? ends.get(event.launchId) : undefined;
    if (end) result.push({ kind: "boundary", key: `end ${event.launchId}`, height: size.boundary, ...end });
  });
  return result;
}

/** The element of a row; `start` is the time from which offsets count. */
export function row(item, { start, selected, onSelect }) {
  switch (item.kind) {
    case "event": return eventRow(item, start, selected, onSelect);
    case "gap": return h("div.row.gap", { role: "presentation" }, h("span.rail"), h("span.words", null, item.text));
    case "fold": return h(`div.row.fold.${item.style}`, { role: "presentation" }, h("span.rail"),
      h("button.link", { type: "button", onClick: item.onOpen }, item.text));
    case "day": return h("div.row.day", { role: "presentation" }, h("span.words", null, item.text));
    default: {
      const act = item.onOpen ? h("button.link", { type: "button", onClick: item.onOpen }, item.action) : null;
      return h(`div.row.boundary${item.tone ? `.${item.tone}` : ""}`, { role: "presentation" },
        h("span.words", null, item.text), act);
    }
  }
}

function eventRow({ event, screen }, start, selected, onSelect) {
  const { title, detail, badge, measure, tone } = describe(event);
  const at = valid(event.timestamp) ? offset(event.timestamp - start) : "–";
  return h(
    `div.row.event.${styleOf(event.eventType)}${tone ? `.${tone}` : ""}${screen ? ".screen" : ""}`,
    {
      role: "option", id: rowId(event.id), onClick: () => onSelect(event.id),
      aria: { selected: String(event.id === selected), label: `${singular(event.eventType)}: ${title}. ${detail} ${badge} ${measure}` },
    },
    h("time.at", { title: preciseTime(event.timestamp) }, at),
    h("span.rail", null, h("span.mark", null, icon(iconOf(event.eventType)))),
    h("span.what", null, h("span.title", null, title), h("span.more", null, detail)),
    h("span.badge", null, badge, measure ? h("span.measure", null, measure) : null),
  );
}

export const rowId = (id) => `event-${encodeURIComponent(id)}`;
