// One request as a row.

import { h } from "../base/dom.js";
import { bytes, dayName, duration, preciseTime, timeOfDay } from "../base/format.js";
import { shortName } from "../sessions/name.js";

export const heightOf = (narrow) => narrow ? 64 : 36;

/**
 * What a full bar stands for: somewhat more than nearly all of these, in ms. One that took a minute must not make all others
 * look the same.
 */
export function fullBar(durations) {
  const ordered = durations.filter((ms) => ms >= 0).sort((a, b) => a - b);
  return Math.max(2 * (ordered[Math.floor((ordered.length - 1) * 0.9)] ?? 0), 1);
}

/** By the square root, so that short ones can be told apart, too. */
export const barWidth = (ms, full) => ms >= 0 ? `${Math.min(Math.max(Math.sqrt(ms / full) * 100, 2), 100)}%` : "0";

/** How bad it is: "error", "warning", "off" (called off by the app) or "fine". */
export const toneOf = ({ statusCode, failed, unfinished }) => unfinished ? "warning" : !failed ? (statusCode ? "fine" : "off") : statusCode >= 400 && statusCode < 500 ? "warning" : "error";

export const badgeOf = ({ statusCode, failed, unfinished }) => statusCode ? String(statusCode) : unfinished ? "unfinished" : failed ? "failed" : "cancelled";

/** @param {{longest: number, selected: string|null, onSelect: (id: string) => void}} about  `longest`: what a full bar is, in ms */
export function requestRow(request, { longest, selected, onSelect }) {
  const { id, timestamp, method, host, path, query, durationMs, received, error, unfinished, tracerId, mockRule, graphQLOperation } = request;
  const tone = toneOf(request);
  const who = request.userId || shortName(request.bundleId);
  const bar = h("i");
  bar.style.width = barWidth(durationMs, longest);
  const today = dayName(timestamp) === "Today";
  return h(`div.request.${tone}`, {
    role: "option", id: requestId(id), onClick: () => onSelect(String(id)),
    aria: {
      selected: String(String(id) === selected),
      label: `${badgeOf(request)} ${method} ${path} at ${host}, ${duration(durationMs)}, ${timeOfDay(timestamp)}`,
    },
  },
    h(`span.status.${tone}`, null, badgeOf(request)),
    h("span.method", null, method),
    h("span.target", null,
      h("span.path", null, path, query ? h("span.query", null, `?${query}`) : null),
      graphQLOperation ? h("span.tag", { title: "GraphQL operation" }, graphQLOperation) : null,
      mockRule ? h("span.tag.mock", { title: `Answered by the mock rule ${mockRule}` }, "mocked") : null,
      tracerId ? h("span.tag.tracer", { title: "Tracer id" }, tracerId) : null,
      h("span.host", null, [host, unfinished ? "the app ended before a response arrived" : error].filter(Boolean).join(" · "))),
    h("span.size", null, received >= 0 && received !== null ? bytes(received) : ""),
    h("span.took", null, h("span.bar", null, bar), h("span.n", null, durationMs >= 0 ? duration(durationMs) : "")),
    h("span.who", null, who),
    h("time", { title: `${dayName(timestamp)} ${preciseTime(timestamp)}` }, today ? timeOfDay(timestamp) : `${dayName(timestamp)} ${timeOfDay(timestamp)}`));
}

export const requestId = (id) => `request-${id}`;
