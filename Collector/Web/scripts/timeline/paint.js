// Draws the tracks into a canvas: spans, points and their clusters, the waterfall, the log by level.

import { count } from "../base/format.js";
import { styleOf } from "../events/types.js";
import { nested } from "../spans/paint-spans.js";
import { fittingText } from "./text.js";
import { firstFrom, laneHeight } from "./tracks.js";

/** Points nearer than this, in pixels, are one cluster. */
const near = 13;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{outline: object, tracks: object[], from: number, to: number, width: number, colours: Map<string, string>}} scene
 */
export function paint(context, scene) {
  const { tracks, width, colours } = scene;
  const height = tracks.length ? tracks.at(-1).top + tracks.at(-1).height : 0;
  context.clearRect(0, 0, width, height);
  context.textBaseline = "middle";
  scene.x = (time) => ((time - scene.from) / (scene.to - scene.from)) * width;
  for (const track of tracks) {
    context.fillStyle = colours.get("line");
    context.fillRect(0, track.top + track.height - 1, width, 1);
    painters[track.kind](context, scene, track);
  }
}

const painters = { recording, spans, points, blocks, waterfall, nested, levels };

function spans(context, { outline, x, from, to, width, colours }, { events, top, height }) {
  context.font = `11px ${colours.get("sans")}`;
  let at = Math.max(firstFrom(outline, events, from) - 1, 0);
  for (; at < events.length && outline.times[events[at]] < to; at++) {
    // Screens that are left within a pixel are drawn as the last of them.
    const end = at + 1 < events.length ? outline.times[events[at + 1]] : outline.end;
    const left = Math.max(x(outline.times[events[at]]), 0);
    const right = Math.min(x(end), width);
    if (right < 0 || (right - left < 0.7 && at + 1 < events.length)) continue;
    context.fillStyle = at % 2 ? colours.get("span-a") : colours.get("span-b");
    context.beginPath();
    context.roundRect(left + 0.5, top + 3, Math.max(right - left - 1, 1.5), height - 7, 3);
    context.fill();
    if (right - left < 26) continue;
    context.fillStyle = colours.get("span-text");
    fittingText(context, outline.screens.get(outline.ids[events[at]]) ?? "", left + 6, top + height / 2 - 0.5, right - left - 10);
  }
}

/** Where there are pictures, where the app was in the background, and where frames were lost. */
function recording(context, { recording, x, from, to, colours }, { top, height }) {
  const bar = (first, last, colour, inset, least) => {
    if (last < from || first > to) return;
    context.fillStyle = colours.get(colour);
    context.fillRect(x(first), top + inset, Math.max(x(last) - x(first), least), height - inset * 2 - 1);
  };
  for (const [first, last] of recording.ranges) bar(first, last, "accent", 6, 1.5);
  for (const [first, last] of recording.backgrounds) bar(first, last, "line-strong", 7, 1.5);
  for (const { from: first, to: last } of recording.gaps) bar(first, last, "warning", 3, 3);
}

/** Calls `draw` for each cluster that is seen: the first and last place among `events`, and where it is. */
export function clusters({ outline, from, to, x }, events, draw) {
  const margin = ((to - from) / x(to)) * near;
  let at = firstFrom(outline, events, from - margin);
  while (at < events.length && outline.times[events[at]] <= to + margin) {
    const first = at;
    const left = x(outline.times[events[at]]);
    let severity = 0;
    let last = left;
    for (; at < events.length; at++) {
      const here = x(outline.times[events[at]]);
      if (here - left > near) break;
      severity = Math.max(severity, outline.severities[events[at]]);
      last = here;
    }
    draw({ first, last: at - 1, x: (left + last) / 2, severity });
  }
}

function points(context, scene, { events, top, height }) {
  const { outline, colours } = scene;
  const middle = top + height / 2 - 0.5;
  context.font = `600 10px ${colours.get("sans")}`;
  context.textAlign = "center";
  clusters(scene, events, ({ first, last, x, severity }) => {
    const colour = severity >= 4 ? colours.get("error") : severity === 3 ? colours.get("warning")
      : colours.get(styleOf(outline.typeOf(events[first])));
    context.fillStyle = colour;
    context.beginPath();
    const number = last - first + 1;
    if (number === 1) {
      context.arc(x, middle, 4, 0, Math.PI * 2);
      context.fill();
      return;
    }
    const label = number > 999 ? `${Math.floor(number / 1000)}k` : count(number);
    const half = Math.max(context.measureText(label).width / 2 + 5, 8);
    context.roundRect(x - half, middle - 7, half * 2, 14, 7);
    context.fill();
    context.fillStyle = colours.get("on");
    context.fillText(label, x, middle + 0.5);
  });
  context.textAlign = "start";
}

function blocks(context, { outline, x, from, to, colours }, { events, top, height }) {
  for (let at = 0; at < events.length; at++) {
    const time = outline.times[events[at]];
    const end = time + Math.max(outline.durations[events[at]], 0);
    if (time > to) break;
    if (end < from) continue;
    const left = x(time);
    context.fillStyle = outline.severities[events[at]] >= 4 ? colours.get("error") : colours.get(styleOf(outline.typeOf(events[at])));
    context.beginPath();
    context.roundRect(left, top + 4, Math.max(x(end) - left, 4), height - 9, 2);
    context.fill();
  }
}

function waterfall(context, { outline, x, from, to, colours }, { events, lanes, top }) {
  for (let at = 0; at < events.length; at++) {
    const index = events[at];
    const time = outline.times[index];
    if (time > to) break;
    const end = time + Math.max(outline.durations[index], 0);
    if (end < from) continue;
    const severity = outline.severities[index];
    context.fillStyle = severity >= 4 ? colours.get("error") : severity === 3 ? colours.get("warning")
      : colours.get(styleOf(outline.typeOf(index)));
    const left = x(time);
    context.fillRect(left, top + 4 + lanes[at] * laneHeight, Math.max(x(end) - left, 2.5), laneHeight - 1.5);
  }
}

/** Columns of a few pixels: how much was logged, the worst on top of the rest. */
function levels(context, { outline, x, from, to, width, colours }, { events, top, height }) {
  const column = 3;
  const columns = Math.ceil(width / column);
  const bars = [new Uint32Array(columns), new Uint32Array(columns), new Uint32Array(columns)];
  for (let at = firstFrom(outline, events, from); at < events.length && outline.times[events[at]] <= to; at++) {
    const severity = outline.severities[events[at]];
    const place = Math.min(Math.floor(x(outline.times[events[at]]) / column), columns - 1);
    bars[severity >= 4 ? 2 : severity === 3 ? 1 : 0][place] += 1;
  }
  let most = 1;
  for (let place = 0; place < columns; place++) most = Math.max(most, bars[0][place] + bars[1][place] + bars[2][place]);
  const room = height - 6;
  const floor = top + height - 3;
  for (let place = 0; place < columns; place++) {
    const total = bars[0][place] + bars[1][place] + bars[2][place];
    if (!total) continue;
    // By the logarithm: one line beside a burst of a thousand is still seen.
    const full = Math.max((Math.log1p(total) / Math.log1p(Math.max(most, 6))) * room, 3);
    let y = floor;
    for (const [level, colour] of [[0, "type-log"], [1, "warning"], [2, "error"]]) {
      const n = bars[level][place];
      if (!n) continue;
      const part = Math.max((n / total) * full, level ? 3 : 1);
      context.fillStyle = colours.get(colour);
      context.fillRect(place * column, y - part, column - 1, part);
      y -= part;
    }
  }
}
