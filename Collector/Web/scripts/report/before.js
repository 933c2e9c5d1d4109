// What was on the timeline before it, each line a link to that moment in the session.

import { h } from "../base/dom.js";
import { duration, preciseTime } from "../base/format.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { describe, titleOn } from "../events/describe.js";
import { about } from "../issues/kinds.js";
import { iconOf, singular, styleOf } from "../events/types.js";

const most = 30;

export function before({ before: events, timestamp, event, kind }) {
  let screen = "";
  const lines = events.map((one) => {
    if (one.eventType === "navigation") screen = one.payload?.destination ?? "";
    return row(one, timestamp, screen);
  }).slice(-most);
  return h("section.before", null, h("h3", null, `Before the ${about(kind).one.toLowerCase()}`),
    lines.length ? h("ol", null, lines, h("li.end", null, icon(kind === "hang" ? "hang" : "crash"),
      kind === "hang" ? "The main thread was blocked" : kind === "crash" ? "The process ended" : "The failure was recorded"))
      : h("p.hint", null, "Nothing was recorded before it."));
}

/** The breadcrumbs that the report itself brought. */
export function breadcrumbs({ report: { breadcrumbs: crumbs = [] }, timestamp }) {
  if (!crumbs.length) return null;
  return h("details.thread.crumbs", null, h("summary", null, `Breadcrumbs (${crumbs.length})`),
    h("ol", null, crumbs.map(({ timestamp: at, category, message }) => h("li", { title: preciseTime(at) },
      h("time", null, at === null ? "" : `−${duration(Math.max(timestamp - at, 0))}`), h("span.faint", null, category ?? ""), h("span", null, message)))));
}

function row(event, end, screen) {
  const { detail, tone } = describe(event);
  const name = event.eventType === "breadcrumb" ? "Breadcrumb" : singular(event.eventType);
  return h("li", null, h(`a.${styleOf(event.eventType)}${tone ? `.${tone}` : ""}`, {
    href: route.address({ session: event.sessionId, event: event.id }), title: `${name}, ${preciseTime(event.timestamp)}\n${detail}`,
  },
    h("time", null, `−${duration(Math.max(end - event.timestamp, 0))}`),
    h("span.mark", null, icon(iconOf(event.eventType))),
    h("span.title", null, titleOn(event, screen))));
}
