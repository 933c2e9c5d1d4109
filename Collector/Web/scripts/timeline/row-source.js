// From an outline to the rows of a list: events, pauses, days, runs that are folded, and where a process began or ended.
// All of it in arrays of numbers, so that a hundred thousand rows are laid out in a few milliseconds.

import { day, dayName, duration, plural } from "../base/format.js";
import { styleOf } from "../events/types.js";

const pause = 5000;
/** Shorter runs of like events are shown whole. */
const shortestRun = 30;
const shownBefore = 3;
const shownAfter = 1;

/** What stands between two events, and how high it is. Touch screens get higher rows with two lines. */
const sizes = (isNarrow) => isNarrow ? { event: 52, screen: 56, gap: 30, day: 36, boundary: 40, fold: 44 }
  : { event: 28, screen: 34, gap: 24, day: 32, boundary: 34, fold: 32 };

/** Stands for an event that is still on its way. */
export const pending = Object.freeze({ kind: "event", event: null });

/**
 * @param {object} outline
 * @param {Int32Array|null} chosen  places in the outline, ascending; null: all
 * @param {{details, ends: Map<string, object>, launches: string[], isNarrow: boolean, isPlain: boolean, opened: Set<string>|null,
 *   keep: number, onUnfold: (first: string) => void}} about
 *   `opened`: the first events of runs that are shown whole; null folds nothing. `keep`: the place of an event that must stay
 *   visible. `isPlain`: nothing but events
 * @returns {import("../list/source.js").Source & {rowOf: (place: number) => number, rowAt: (place: number) => number, placeOf: (row: number) => number}}
 */
export function rowSource(outline, chosen, about) {
  const size = sizes(about.isNarrow);
  const length = chosen ? chosen.length : outline.length;
  const place = (at) => chosen ? chosen[at] : at;
  /** An event's place in the outline; below 0 something else: −1 − its place among `others`. */
  let refs = new Int32Array(length + 64);
  let tops = new Float64Array(length + 65);
  /** For each row the last event at it or before it. */
  let upTo = new Int32Array(length + 64);
  const others = [];
  let rows = 0;
  let top = 0;
  let latest = -1;
  const push = (ref, height) => {
    if (rows + 1 >= refs.length) {
      refs = grown(refs);
      upTo = grown(upTo);
      tops = grown(tops);
    }
    refs[rows] = ref;
    tops[rows] = top;
    upTo[rows] = latest;
    rows += 1;
    top += height;
  };
  const other = (item) => { others.push(item); push(-others.length, item.height); };

  const lastOf = new Int32Array(outline.launchNames.length).fill(-1);
  for (let at = 0; at < length; at++) lastOf[outline.launches[place(at)]] = place(at);
  const seen = new Set();
  const navigation = outline.typeNames.indexOf("navigation");
  const { times, launches, types } = outline;
  let hiddenUpTo = 0;
  let run = null;

  for (let at = 0; at < length; at++) {
    const index = place(at);
    if (about.opened && at >= (run?.end ?? 0)) run = nextRun(outline, place, at, length, navigation);
    if (run && at === run.start + shownBefore && run.end - run.start >= shortestRun) {
      const first = String(outline.ids[place(run.start)]);
      const isKept = about.keep >= place(run.start) && about.keep <= place(run.end - 1);
      if (isKept) about.opened.add(first);
      if (!about.opened.has(first)) {
        hiddenUpTo = run.end - shownAfter;
        const elapsed = times[place(hiddenUpTo)] - times[index];
        other({
          kind: "fold", key: `fold ${first}`, height: size.fold, onOpen: () => about.onUnfold(first), style: styleOf(outline.typeOf(index)),
          text: `${plural(hiddenUpTo - at, "more like this", "more like these")}, within ${duration(elapsed)}`,
        });
      }
    }
    if (at < hiddenUpTo) continue;
    const id = outline.ids[index];
    const launch = launches[index];
    if (!about.isPlain && at > 0) {
      const before = times[place(at - 1)];
      const elapsed = times[index] - before;
      if (elapsed >= pause && dayName(before, 0) !== dayName(times[index], 0)) other({ kind: "day", key: `day ${id}`, height: size.day, text: day(times[index]) });
      else if (elapsed >= pause) other({ kind: "gap", key: `gap ${id}`, height: size.gap, text: `${duration(elapsed)} later` });
    }
    if (!seen.has(launch)) {
      seen.add(launch);
      // Of others there is only what they told about this session's.
      const number = about.launches.indexOf(outline.launchNames[launch]) + 1;
      if (at > 0 && number && !about.isPlain) {
        other({ kind: "boundary", key: `begin ${launch}`, height: size.boundary, tone: "", text: `Launch ${number} of this session` });
      }
    }
    latest = index;
    push(index, types[index] === navigation ? size.screen : size.event);
    const end = !about.isPlain && lastOf[launch] === index ? about.ends.get(outline.launchNames[launch]) : undefined;
    if (end) other({ kind: "boundary", key: `end ${launch}`, height: size.boundary, ...end });
  }
  tops[rows] = top;

  const keys = new Map(others.map((item, at) => [item.key, at]));
  /** The last row at an event or before it. */
  const rowAt = (index) => {
    let low = -1;
    let high = rows - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (upTo[middle] <= index) low = middle;
      else high = middle - 1;
    }
    // What follows an event without being one belongs to the next.
    while (low >= 0 && refs[low] < 0) low -= 1;
    return low;
  };
  const rowOf = (index) => {
    const row = index < 0 ? -1 : rowAt(index);
    return row >= 0 && refs[row] === index ? row : -1;
  };
  const wrapped = new WeakMap();
  return {
    length: rows,
    top: (row) => tops[row],
    key: (row) => refs[row] >= 0 ? String(outline.ids[refs[row]]) : others[-1 - refs[row]].key,
    indexOf: (key) => {
      const at = keys.get(key);
      return at === undefined ? rowOf(outline.indexOf(key)) : refs.indexOf(-1 - at);
    },
    item(row) {
      if (refs[row] < 0) return others[-1 - refs[row]];
      const event = about.details.get(outline.ids[refs[row]]);
      if (!event) return pending;
      let item = wrapped.get(event);
      if (!item) wrapped.set(event, item = { kind: "event", event });
      return item;
    },
    /** The event of a row; −1 for what is none. */
    placeOf: (row) => refs[row] >= 0 ? refs[row] : -1,
    rowOf, rowAt,
    events: length,
  };
}

/** From `at` on: events of one kind and one origin, with no pause between them. What went wrong is never part of a run. */
function nextRun({ types, launches, origins, severities, times }, place, at, length, navigation) {
  const first = place(at);
  let end = at + 1;
  if (types[first] !== navigation && severities[first] < 3) {
    for (let before = first; end < length; end++) {
      const index = place(end);
      if (types[index] !== types[first] || launches[index] !== launches[first] || origins[index] !== origins[first]
        || severities[index] >= 3 || times[index] - times[before] >= pause) break;
      before = index;
    }
  }
  return { start: at, end };
}

function grown(array) {
  const larger = new array.constructor(array.length * 2);
  larger.set(array);
  return larger;
}
