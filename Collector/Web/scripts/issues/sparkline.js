// How often something happened over time, as small bars.

import { h } from "../base/dom.js";
import { plural } from "../base/format.js";

/**
 * @param {number[]} values  the oldest first
 * @param {{unit: string, name?: (index: number) => string}} about  `unit`: what a bar is; with `name` each bar says what it is
 */
export function sparkline(values, { unit, name = null }) {
  const most = Math.max(...values, 1);
  const total = values.reduce((sum, n) => sum + n, 0);
  const label = `${plural(total, "report")} in ${plural(values.length, unit)}, most in one ${unit}: ${most}`;
  const bars = h("span.spark", { role: "img", aria: { label } });
  values.forEach((value, index) => {
    const bar = h(value ? "span" : "span.none", name ? { title: `${name(index)}: ${plural(value, "report")}` } : null, h("i"));
    // Something is never drawn as nothing.
    bar.firstChild.style.height = value ? `${Math.max((value / most) * 100, 12)}%` : "1px";
    bars.append(bar);
  });
  return bars;
}
