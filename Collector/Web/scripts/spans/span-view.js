// A span in the panel: how it went, what it is part of, and what is part of it.

import { h } from "../base/dom.js";
import { duration } from "../base/format.js";
import { icon } from "../base/icons.js";
import { list, pair, section } from "../detail/fields.js";

/** Members of the event that this shows; the attributes are shown as they come. */
export const shownOfSpan = new Set(["name", "traceId", "spanId", "parentSpanId", "kind", "durationMs", "status", "statusMessage"]);

const most = 50;

/** @param {object} event  a span  @param {{spans, onPick: (event: number) => void}|undefined} about  the session's spans, where there is one */
export function spanView(event, about) {
  const { kind, durationMs, status, statusMessage } = event.payload ?? {};
  const isError = status === "error";
  const span = about?.spans.of(event.payload ?? {});
  const parent = span && about.spans.parentOf(span);
  const children = span ? about.spans.childrenOf(span) : [];
  return [
    h("div.exchange-head", null,
      h(`span.status.${isError ? "error" : durationMs === undefined ? "warning" : "fine"}`, null, isError ? "failed" : durationMs === undefined ? "not ended" : status === "ok" ? "ok" : "ended"),
      durationMs === undefined ? null : h("span.faint", null, duration(durationMs)),
      kind ? h("span.faint", null, String(kind)) : null),
    statusMessage ? h(isError ? "p.failure" : "p.hint", null, String(statusMessage)) : null,
    durationMs === undefined ? h("p.hint", null, "Its begin was recorded, and no end: the app may have ended before it did.") : null,
    parent ? section("Part of", steps([parent], about)) : null,
    children.length ? section(children.length > most ? `Consists of ${children.length}, the first ${most}` : "Consists of", steps(children.slice(0, most), about)) : null,
  ];
}

/** By which a span is found elsewhere. */
export const spanNames = ({ payload: { traceId, spanId } = {} }) => section("Names", list([
  traceId ? pair("Trace", String(traceId), false) : null, spanId ? pair("Span", String(spanId), false) : null,
]));

const steps = (spans, { onPick }) => h("ol.led-here", null, spans.map((span) => h("li", null,
  h(`button.type-span${span.status === "error" ? ".error" : ""}`, { type: "button", onClick: () => onPick(span.event) },
    h("span.mark", null, icon("span")), h("span.title", null, span.name), h("span.n", null, span.durationMs === undefined ? "not ended" : duration(span.durationMs))))));
