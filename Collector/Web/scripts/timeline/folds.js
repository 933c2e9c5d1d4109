// Long runs of like events, shown as their beginning, a count and their end: a burst must not bury what is around it.

import { describe } from "../events/describe.js";

const shortest = 30;
const shownBefore = 3;
const shownAfter = 1;

/**
 * The runs worth folding.
 *
 * @param {object[]} events     in time order
 * @param {number} pause        events further apart, in ms, are not one run
 * @param {string|null} keep    the event that must stay visible
 * @param {Set<string>} opened  the first events of runs that are shown whole; a run that holds `keep` is added
 * @returns {Map<number, {from: number, to: number, first: string, elapsed: number}>} `from..<to` is hidden; by `from`
 */
export function folds(events, { pause, keep, opened }) {
  const found = new Map();
  let start = 0;
  for (let index = 1; index <= events.length; index++) {
    if (index < events.length && alike(events[index - 1], events[index], pause)) continue;
    if (index - start >= shortest) {
      const first = events[start].id;
      for (let at = start; at < index && keep !== null && !opened.has(first); at++) {
        if (events[at].id === keep) opened.add(first);
      }
      if (!opened.has(first)) {
        const from = start + shownBefore;
        const to = index - shownAfter;
        found.set(from, { from, to, first, elapsed: events[to].timestamp - events[from].timestamp });
      }
    }
    start = index;
  }
  return found;
}

/** Of one kind and one origin. What went wrong is never part of a run. */
function alike(a, b, pause) {
  return a.eventType === b.eventType && a.launchId === b.launchId && b.timestamp - a.timestamp < pause
    && a.eventType !== "navigation" && origin(a) === origin(b) && !describe(a).tone && !describe(b).tone;
}

function origin({ eventType, payload }) {
  switch (eventType) {
    case "log": return payload?.tag;
    case "custom": return payload?.name;
    case "storage_changed": return payload?.suiteName;
    default: return eventType;
  }
}
