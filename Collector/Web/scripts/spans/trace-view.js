// A trace in the panel: its spans and requests, nested, whatever app they are of. What did the server do?

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { duration, plural } from "../base/format.js";
import * as route from "../base/route.js";
import { section } from "../detail/fields.js";

/** Rows that are shown. */
const most = 200;

/** The trace of an event, by its payload; "" when it has none. */
export function traceOf({ traceparent, traceId }) {
  const carried = typeof traceparent === "string" ? traceparent.split("-")[1] : undefined;
  const trace = carried ?? traceId;
  return typeof trace === "string" && /^[0-9a-f]{32}$/i.test(trace) && !/^0+$/.test(trace) ? trace.toLowerCase() : "";
}

/** A section that fills itself; null for an event of no trace. `isAlone`: it is left out when nothing but the event itself is of the trace. */
export function traceView(event, { isAlone = false } = {}) {
  const trace = traceOf(event.payload ?? {});
  if (!trace) return null;
  const box = h("div.trace", null, h("p.hint", null, "Looking for the rest of the trace…"));
  const whole = section("Trace", box);
  api.get(`traces/${trace}`, { limit: 1000 }).then(({ spans, requests, next }) => {
    const rows = nest(spans, requests);
    if (isAlone && rows.length < 2) return whole.remove();
    fill(box, list(rows, event), rows.length > most || next ? h("p.hint", null, next ? `The first ${plural(most, "step")} of many.` : `${plural(rows.length - most, "more step", "more steps")}.`) : null);
  }).catch(() => fill(box, h("p.hint", null, "The rest of the trace could not be loaded.")));
  return whole;
}

/** Spans and requests below their parents, each with its depth. A circle is broken where it is found. */
function nest(spans, requests) {
  const nodes = [
    ...spans.map((span) => ({
      id: span.event, session: span.sessionId, app: span.bundleId, title: span.name, spanId: span.spanId, parent: span.parentSpanId,
      start: span.timestamp, duration: span.durationMs, isError: span.status === "error", kind: "span",
    })),
    ...requests.map(({ spanId, parentSpanId, request }) => ({
      id: request.id, session: request.sessionId, app: request.bundleId, title: `${request.method} ${request.path}`, spanId, parent: parentSpanId,
      start: request.timestamp, duration: request.durationMs, isError: request.failed, kind: "network_request",
    })),
  ];
  const bySpan = new Map();
  // A request is what the server's span hangs on, even where a library has told of a span with its name.
  for (const node of nodes) if (node.spanId) bySpan.set(node.spanId, node);
  const children = new Map();
  const roots = [];
  for (const node of nodes.sort((a, b) => a.start - b.start)) {
    const parent = node.parent ? bySpan.get(node.parent) : undefined;
    if (!parent || parent === node) roots.push(node);
    else if (children.has(parent)) children.get(parent).push(node);
    else children.set(parent, [node]);
  }
  const rows = [];
  const seen = new Set();
  const walk = (first) => {
    const open = [[first, 0]];
    while (open.length) {
      const [node, depth] = open.pop();
      if (seen.has(node)) continue;
      seen.add(node);
      rows.push({ ...node, depth });
      for (const child of [...children.get(node) ?? []].reverse()) open.push([child, depth + 1]);
    }
  };
  roots.forEach(walk);
  nodes.forEach((node) => { if (!seen.has(node)) walk(node); });
  return rows;
}

function list(rows, event) {
  const shown = rows.slice(0, most);
  const from = Math.min(...shown.map(({ start }) => start));
  const to = Math.max(...shown.map(({ start, duration }) => start + (duration ?? 0)), from + 1);
  return h("ol.steps-of-trace", null, shown.map((row) => {
    const isItself = String(row.id) === String(event.id);
    const bar = h("span.bar-of-step", null, h("i"));
    bar.firstChild.style.left = `${((row.start - from) / (to - from)) * 100}%`;
    bar.firstChild.style.width = `${Math.max(((row.duration ?? 0) / (to - from)) * 100, 0.8)}%`;
    const title = h("span.title", null, row.title);
    title.style.paddingLeft = `${Math.min(row.depth, 12) * 12}px`;
    return h(`li.type-${row.kind}${row.isError ? ".error" : ""}${isItself ? ".itself" : ""}`, null,
      h("a", { href: route.address({ session: row.session, event: String(row.id) }), aria: { current: isItself ? "true" : null } },
        title, h("span.app", null, appName(row, event)), h("span.n", null, row.duration === undefined ? "not ended" : duration(row.duration)), bar));
  }));
}

/** Whose it is, when it is not of this session. */
const appName = (row, event) => row.session === event.sessionId ? "" : String(row.app ?? "another session").split(".").at(-1);
