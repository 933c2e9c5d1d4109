// One scale for all durations: by powers of ten, from a millisecond to a hundred seconds, whatever else is in the list.

import { h } from "../base/dom.js";

const decades = 5;

/** How much of a full bar a duration is, in percent. */
export const part = (ms) => ms >= 0 ? Math.min(Math.max((Math.log10(Math.max(ms, 1)) / decades) * 100, 2), 100) : 0;

export const barWidth = (ms) => `${part(ms)}%`;

/** What stands above the bars. */
export function ticks() {
  return h("span.ticks", { aria: { hidden: "true" } }, [[10, "10 ms"], [1000, "1 s"]].map(([ms, text]) => {
    const tick = h("i", null, text);
    tick.style.left = barWidth(ms);
    return tick;
  }));
}
