// Which track an event is on, and the events of each track.

import { layOut } from "../spans/spans.js";
import { spansHeight } from "../spans/paint-spans.js";

/** In the order in which they are shown. `kind`: how it is drawn. */
export const tracks = [
  { name: "screens", title: "Screens", kind: "spans", types: ["navigation"] },
  { name: "replay", title: "Replay", kind: "recording", types: [] },
  // All that counts as one; what has a track of its own besides is on both.
  { name: "errors", title: "Errors", kind: "points", types: ["crash", "handled_exception"], hasErrors: true },
  { name: "performance", title: "Hangs, frames", kind: "blocks", types: ["hang", "frames", "app_launch", "view_body_snapshot"] },
  { name: "taps", title: "Taps", kind: "points", types: ["interaction"] },
  { name: "spans", title: "Spans", kind: "nested", types: ["span"] },
  { name: "network", title: "Network", kind: "waterfall", types: ["network_request", "websocket_frame"] },
  { name: "log", title: "Log", kind: "levels", types: ["log"] },
  { name: "lifecycle", title: "Lifecycle", kind: "points", types: ["lifecycle", "notification_action", "broadcast"] },
  { name: "storage", title: "Storage", kind: "points", types: ["storage_changed"] },
  { name: "custom", title: "Custom", kind: "points", types: [] },
];

const heights = { spans: 24, recording: 18, points: 22, blocks: 20, waterfall: 0, nested: 0, levels: 30 };
const lanes = 6;
export const laneHeight = 6;

/**
 * @param {object} recording  of the screen
 * @param {import("../spans/spans.js").Spans} spans
 * @returns the tracks that have events: with `events`, places in the outline, in the order of time; and where each is drawn
 */
export function lay(outline, recording, spans) {
  const byType = outline.typeNames.map((name) => {
    const at = tracks.findIndex(({ types }) => types.includes(name));
    return at < 0 ? tracks.length - 1 : at;
  });
  const errors = tracks.findIndex(({ hasErrors }) => hasErrors);
  const counts = new Uint32Array(tracks.length);
  const each = (add) => {
    for (let index = 0; index < outline.length; index++) {
      const at = byType[outline.types[index]];
      add(at, index);
      if (at !== errors && outline.isError(index)) add(errors, index);
    }
  };
  each((at) => { counts[at] += 1; });
  const members = tracks.map((_, at) => new Uint32Array(counts[at]));
  counts.fill(0);
  each((at, index) => { members[at][counts[at]++] = index; });
  const laidSpans = layOut(spans, outline);
  members[tracks.findIndex(({ name }) => name === "spans")] = laidSpans.events;
  let top = 0;
  return tracks.map((track, at) => ({ ...track, events: members[at] })).filter(({ events, name }) => events.length || name === "screens" || (name === "replay" && !recording.isEmpty)).map((track) => {
    const laid = { ...track, top, height: heights[track.kind] };
    if (track.kind === "waterfall") {
      laid.lanes = assignLanes(outline, track.events);
      // As many lanes as are used, and not fewer than two, for there must be something to point at.
      laid.laneCount = Math.max(laid.lanes.reduce((most, lane) => Math.max(most, lane), 0) + 1, 2);
      laid.height = 8 + laid.laneCount * laneHeight;
    }
    if (track.kind === "nested") {
      laid.spans = laidSpans;
      laid.height = spansHeight(laidSpans.laneCount);
    }
    top += laid.height;
    return laid;
  });
}

/** Requests that are under way at the same time stand below each other, as far as there is room. */
function assignLanes(outline, events) {
  const free = new Float64Array(lanes);
  const result = new Uint8Array(events.length);
  events.forEach((index, at) => {
    const time = outline.times[index];
    let lane = 0;
    for (let one = 0; one < lanes; one++) {
      if (free[one] <= time) { lane = one; break; }
      if (free[one] < free[lane]) lane = one;
    }
    result[at] = lane;
    free[lane] = Math.max(free[lane], time + Math.max(outline.durations[index], 0));
  });
  return result;
}

/** The first of a track's events at a time or after it, as a place among them. */
export function firstFrom(outline, events, time) {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (outline.times[events[middle]] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
