// What of the tracks is at a point.

import { findSpan } from "../spans/paint-spans.js";
import { clusters } from "./paint.js";
import { firstFrom, laneHeight } from "./tracks.js";

const reach = 6;

/** @returns {{track: object, first: number, last: number, title?: string, time?: number}|null}  places among the track's events; −1, with a title, for what is none */
export function hit(scene, x, y) {
  const track = scene.tracks.find(({ top, height }) => y >= top && y < top + height);
  if (!track) return null;
  const found = finders[track.kind](scene, track, x, y);
  return found && { track, ...found };
}

const finders = {
  recording({ recording, from, to, width }, _, x) {
    const time = from + (x / width) * (to - from);
    const gap = recording.gapAt(time, (3 / width) * (to - from));
    if (gap) return { first: -1, last: -1, title: gap.title, time: gap.from };
    return recording.backgrounds.some(([first, last]) => time >= first && time <= last) ? { first: -1, last: -1, title: "In the background", time } : null;
  },
  spans({ outline, from, to, width }, { events }, x) {
    const time = from + (x / width) * (to - from);
    const at = firstFrom(outline, events, time + 1e-6) - 1;
    return at < 0 ? null : { first: at, last: at };
  },
  points(scene, { events }, x) {
    let found = null;
    clusters(scene, events, (cluster) => {
      if (Math.abs(cluster.x - x) <= (cluster.last > cluster.first ? 14 : reach)) found ??= { first: cluster.first, last: cluster.last };
    });
    return found;
  },
  blocks: (scene, track, x) => lasting(scene, track, x, () => true),
  waterfall(scene, track, x, y) {
    const lane = Math.floor((y - track.top - 4) / laneHeight);
    return lasting(scene, track, x, (at) => track.lanes[at] === lane) ?? lasting(scene, track, x, () => true);
  },
  nested: findSpan,
  levels({ outline, from, to, width }, { events }, x) {
    const each = (to - from) / width;
    const time = from + x * each;
    const first = firstFrom(outline, events, time - each * 2);
    let last = firstFrom(outline, events, time + each * 2) - 1;
    // The worst is what one points at.
    let worst = first;
    for (let at = first; at <= last; at++) if (outline.severities[events[at]] > outline.severities[events[worst]]) worst = at;
    if (last < first) return null;
    if (outline.severities[events[worst]] >= 3) last = worst;
    return { first: outline.severities[events[worst]] >= 3 ? worst : first, last };
  },
};

/** The nearest of what lasts from one time to another. */
function lasting({ outline, x: place }, { events }, x, passes) {
  let best = null;
  let least = reach;
  for (let at = 0; at < events.length; at++) {
    const time = outline.times[events[at]];
    const left = place(time);
    if (left > x + reach) break;
    if (!passes(at)) continue;
    const right = Math.max(place(time + Math.max(outline.durations[events[at]], 0)), left + 3);
    const away = x < left ? left - x : x > right ? x - right : 0;
    if (away <= least) {
      least = away;
      best = { first: at, last: at };
    }
  }
  return best;
}
