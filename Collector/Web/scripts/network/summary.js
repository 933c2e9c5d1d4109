// The strip above the list: how many requests when, how many of them failed, and how long they took.

import { fill, h } from "../base/dom.js";
import { bytes, count, dayName, duration, plural, timeOfDay } from "../base/format.js";
import { enough, rate } from "../health/parts.js";

/**
 * @param {object} stats  the answer of /api/network/stats
 * @param {(from: number, to: number) => void} onRange  a part of the time was chosen
 */
export function drawSummary(element, stats, onRange) {
  if (!stats.count) return fill(element);
  const { first, last, trend } = stats;
  const most = Math.max(...trend.map(([n]) => n), 1);
  const span = Math.max(last - first, 1);
  const edge = (index) => Math.round(first + (span * index) / trend.length);
  const day = dayName(first) === dayName(last) ? "" : `${dayName(first)} `;
  const bars = trend.map(([n, failed], index) => {
    const bar = h("button", {
      type: "button", tabIndex: -1, disabled: !n, aria: { hidden: "true" },
      title: n ? `${day}${timeOfDay(edge(index))}: ${plural(n, "request")}${failed ? `, ${count(failed)} failed` : ""}` : "",
      onClick: () => onRange(edge(index), edge(index + 1) + (index === trend.length - 1 ? 1 : 0)),
    }, h("i"), failed ? h("b") : null);
    // By the square root, and never nothing where something was.
    if (n) bar.firstChild.style.height = `${Math.max(Math.sqrt(n / most) * 100, 8)}%`;
    if (failed) bar.lastChild.style.height = `${Math.max(Math.sqrt(n / most) * (failed / n) * 100, 6)}%`;
    return bar;
  });
  fill(element,
    h("dl", null,
      fact("Requests", `${count(stats.count)}${stats.partial ? "+" : ""}`, stats.partial ? "Newest requests" : ""),
      fact("Failed", [rate(stats.failed, stats.count), enough(stats.count) ? h("small", null, ` ${count(stats.failed)} of ${count(stats.count)}`) : null], "", stats.failed ? "error" : ""),
      fact("Median", duration(stats.medianMs)), fact("p95", duration(stats.p95Ms), "95 % of requests took at most this long"),
      fact("Received", bytes(stats.received))),
    h("figure", null,
      h("div.trend", { role: "img", aria: { label: `${plural(stats.count, "request")} over time, ${count(stats.failed)} failed` } }, bars),
      h("figcaption", null, h("span", null, `${day}${timeOfDay(first)}`), h("span", null, `${day && `${dayName(last)} `}${timeOfDay(last)}`))));
}

const fact = (name, value, title = "", tone = "") => h(`div.fact${tone ? `.${tone}` : ""}`, { title }, h("dt", null, name), h("dd", null, value));
