// Above the timeline: whose session it is.

import { h } from "../base/dom.js";
import { dayName, duration, plural, timeOfDayShort } from "../base/format.js";
import { icon } from "../base/icons.js";
import { shortName } from "../sessions/pane.js";

export function sessionHeader(session, { follow, onFollow, onNextError }) {
  const { sessionId, userId, bundleId, appVersion, device, first, last, events, errors, live, tags } = session;
  const system = [device?.systemName, device?.osVersion].filter(Boolean).join(" ");
  return [
    h("div.head", null,
      h("a.plain.back", { href: "#/", aria: { label: "All sessions" } }, icon("back")),
      h("div.names", null,
        h("h1", { tabIndex: -1 }, h("span", null, userId || "Anonymous"), live ? h("span.live", null, "Live") : null),
        h("p", { title: `${bundleId ?? ""}\n${sessionId}` },
          [[shortName(bundleId), appVersion].filter(Boolean).join(" "), device?.model, system].filter(Boolean).join(" · "))),
      h("span.spring"),
      errors ? h("button.small.errors", { type: "button", title: "Next error (e)", onClick: onNextError }, plural(errors, "error")) : null,
      live || follow ? h("button.small.follow", {
        type: "button", title: "Follow new events (f)", aria: { pressed: String(follow) }, onClick: onFollow,
      }, icon(follow ? "stop" : "follow"), follow ? "Following" : "Jump to live") : null),
    h("div.facts", null,
      h("span", null, `${dayName(first)} ${timeOfDayShort(first)}`),
      h("span", null, duration(last - first)),
      h("span", null, plural(events, "event")),
      Object.entries(tags ?? {}).map(([key, value]) => h("span.tag", null, h("b", null, key), ` ${value}`))),
  ];
}
