// Draws the track of spans, and finds what of it is at a point.

import { fittingText } from "../timeline/text.js";

export const spanLane = 14;
const margin = 4;
const reach = 4;

/** Names when there is room; red what went wrong; open at its end what was never ended. */
export function nested(context, { x, from, to, width, colours }, { spans: { rows, ends, lanes }, top }) {
  context.font = `10.5px ${colours.get("sans")}`;
  // Of what is narrower than a pixel, as much is drawn as is seen.
  const covered = new Float64Array(16).fill(-Infinity);
  for (let at = 0; at < rows.length; at++) {
    const { timestamp, durationMs, status, name } = rows[at];
    if (timestamp > to) break;
    if (ends[at] < from) continue;
    const left = Math.max(x(timestamp), -4);
    const right = Math.min(Math.max(x(ends[at]), left + 1.5), width + 4);
    const isError = status === "error";
    if (right <= covered[lanes[at]] + 0.5 && !isError) continue;
    covered[lanes[at]] = right;
    const y = top + margin + lanes[at] * spanLane;
    const isOpen = durationMs === undefined;
    context.fillStyle = colours.get(isError ? "error" : "type-span");
    context.globalAlpha = isOpen ? 0.45 : 1;
    context.beginPath();
    context.roundRect(left, y, right - left, spanLane - 2, isOpen ? [2, 0, 0, 2] : 2);
    context.fill();
    context.globalAlpha = 1;
    if (isOpen) openEnd(context, right, y);
    if (right - left < 30) continue;
    context.fillStyle = isOpen ? colours.get("text") : colours.get("on");
    fittingText(context, name, left + 5, y + spanLane / 2 - 0.5, right - left - 9);
  }
}

/** Teeth, as where a page was torn off. */
function openEnd(context, right, y) {
  const height = (spanLane - 2) / 3;
  context.beginPath();
  for (let tooth = 0; tooth < 3; tooth++) {
    context.moveTo(right, y + tooth * height);
    context.lineTo(right + 4, y + (tooth + 0.5) * height);
    context.lineTo(right, y + (tooth + 1) * height);
  }
  context.fill();
}

/** @returns {{first: number, last: number}|null}  the place of the span among the track's */
export function findSpan({ x: place }, { spans: { rows, ends, lanes }, top }, x, y) {
  const lane = Math.floor((y - top - margin) / spanLane);
  let best = -1;
  let least = reach;
  for (let at = 0; at < rows.length; at++) {
    const left = place(rows[at].timestamp);
    if (left > x + reach) break;
    if (lanes[at] !== lane) continue;
    const right = Math.max(place(ends[at]), left + 2);
    const away = x < left ? left - x : x > right ? x - right : 0;
    if (away <= least) {
      least = away;
      best = at;
    }
  }
  return best < 0 ? null : { first: best, last: best };
}

export const spansHeight = (laneCount) => margin * 2 + laneCount * spanLane;
