// One request as a row.

import { h } from "../base/dom.js";
import { bytes, dayName, duration, preciseTime, timeOfDay } from "../base/format.js";
import { marked } from "../search/marks.js";
import { shortName } from "../sessions/name.js";
import { userName } from "../users/link.js";
import { barWidth } from "./scale.js";

export const heightOf = (narrow) => narrow ? 64 : 36;

/** How bad it is: "error", "warning", "off" (called off by the app) or "fine". */
export const toneOf = ({ statusCode, failed, unfinished }) => failed ? "error" : unfinished ? "warning" : statusCode ? "fine" : "off";

export const badgeOf = ({ statusCode, failed, unfinished }) => statusCode ? String(statusCode) : unfinished ? "unfinished" : failed ? "failed" : "cancelled";

/** @param {{columns: string[], selected: string|null, marks: string[], onSelect: (id: string) => void}} about  `columns`: those that are shown */
export function requestRow(request, { columns, selected, marks = [], onSelect }) {
  const { id, timestamp, method, host, path, durationMs } = request;
  const tone = toneOf(request);
  const bar = h("i");
  bar.style.width = barWidth(durationMs);
  const today = dayName(timestamp) === "Today";
  return h(`div.request.${tone}`, {
    role: "option", id: requestId(id), onClick: () => onSelect(String(id)),
    aria: {
      selected: String(String(id) === selected),
      label: `${badgeOf(request)} ${method} ${path} at ${host}, ${duration(durationMs)}, ${timeOfDay(timestamp)}`,
    },
  },
    cells({ ...request, tone, bar, today, marks }).filter(([name]) => columns.includes(name)).map(([, cell]) => cell));
}

function cells({ tone, bar, today, marks, method, path, query, host, graphQLOperation, mockRule, unfinished, error, tracerId, received, durationMs, userId, bundleId, timestamp, match, ...request }) {
  const badge = badgeOf({ ...request, unfinished });
  return [
    ["status", h("span.of-status", null, h(`span.status.${tone}`, null, marked(badge, marks)))],
    ["method", h("span.method", null, marked(method, marks))],
    ["target", h("span.target", null,
      h("span.path", null, marked(path, marks), query ? h("span.query", null, marked(`?${query}`, marks)) : null),
      graphQLOperation ? h("span.tag", { title: "GraphQL operation" }, marked(graphQLOperation, marks)) : null,
      mockRule ? h("span.tag.mock", { title: `Answered by the mock rule ${mockRule}` }, "mocked") : null,
      match?.text ? h("span.tag.found", { title: match.field }, marked(match.text, marks)) : null,
      h("span.host", null, marked([host, unfinished ? "the app ended before a response arrived" : error].filter(Boolean).join(" · "), marks)))],
    ["tracer", h("span.tracer", { title: tracerId ? `Tracer ID ${tracerId}` : "" }, marked(tracerId, marks))],
    ["size", h("span.size", null, received >= 0 && received !== null ? bytes(received) : "")],
    ["took", h("span.took", null, h("span.bar", null, bar), h("span.n", null, durationMs >= 0 ? duration(durationMs) : ""))],
    ["who", h("span.who", null, userId ? userName(userId, bundleId, marked(userId, marks)) : marked(shortName(bundleId), marks))],
    ["app", h("span.app", null, marked(shortName(bundleId), marks))],
    ["time", h("time", { title: `${dayName(timestamp)} ${preciseTime(timestamp)}` }, today ? timeOfDay(timestamp) : `${dayName(timestamp)} ${timeOfDay(timestamp)}`)],
  ];
}

export const requestId = (id) => `request-${id}`;
