// Where a request's time went: a bar for each phase, one below the other.

import { h } from "../base/dom.js";
import { duration } from "../base/format.js";

const phases = [
  ["Queued", "queue", (t) => [0, first(t)]],
  ["DNS lookup", "dns", (t) => [t.domainLookupStart, t.domainLookupEnd]],
  ["Connecting", "connect", (t) => [t.connectStart, t.secureConnectionStart ?? t.connectEnd]],
  ["TLS handshake", "tls", (t) => [t.secureConnectionStart, t.secureConnectionEnd ?? t.connectEnd]],
  ["Sending", "send", (t) => [t.requestStart, t.requestEnd]],
  // Where nothing before it was measured, all of that is in it.
  ["Waiting", "wait", (t) => [t.requestEnd ?? t.requestStart ?? (first(t) === undefined ? 0 : undefined), t.responseStart]],
  ["Receiving", "receive", (t) => [t.responseStart, t.responseEnd]],
];

const first = (t) => [t.domainLookupStart, t.connectStart, t.requestStart].find(Number.isFinite);

/** The phases that were measured: label, style, from, to. */
export const phasesOf = (timings) => timings === null || typeof timings !== "object" ? [] : phases.map(([label, style, span]) => [label, style, ...span(timings)])
  .filter(([, , from, to]) => Number.isFinite(from) && Number.isFinite(to) && from >= 0 && to >= from)
  // Less than this is nothing that one would ask about.
  .filter(([, style, from, to]) => style !== "queue" || to - from >= 1);

/** Nothing where no phase was measured. */
export function timing({ timings, durationMs, redirects }) {
  const measured = phasesOf(timings);
  if (!measured.length) return null;
  const end = Math.max(...measured.map(([, , , to]) => to), Number.isFinite(durationMs) ? durationMs : 0, 0.001);
  const part = (ms) => `${Math.min((ms / end) * 100, 100)}%`;
  const marks = (Array.isArray(redirects) ? redirects : []).filter((redirect) => redirect?.atMs >= 0 && redirect.atMs <= end);
  return h("ol.phases", { aria: { label: `Phases of ${duration(end)}` } },
    measured.map(([label, style, from, to]) => {
      const bar = h(`i.${style}`);
      bar.style.left = part(from);
      bar.style.width = `max(2px, ${part(to - from)})`;
      return h("li", { title: `${label}: from ${duration(from)} to ${duration(to)}` },
        h("span", null, label), h("span.lane", null, bar, marks.map(({ atMs }) => {
          const mark = h("b", { title: `Redirected after ${duration(atMs)}` });
          mark.style.left = part(atMs);
          return mark;
        })), h("span.n", null, duration(to - from)));
    }));
}
