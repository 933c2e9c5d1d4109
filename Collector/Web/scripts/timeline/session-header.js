// Above the timeline: whose session it is.

import { h } from "../base/dom.js";
import { count, dayName, duration, plural, timeOfDayShort, when, zone } from "../base/format.js";
import { icon } from "../base/icons.js";
import { originOf } from "../sessions/imported.js";
import { chromeTrace, downloadSession, sessionFile } from "./session-file.js";
import { shortName } from "../sessions/name.js";
import { recorded } from "../sessions/on-device.js";
import { told } from "./told.js";
import { userLink } from "../users/link.js";

/** @param {{back: string, errors: number, onErrors: () => void, ask: HTMLElement}} about  `ask`: what its device keeps is asked for with it */
export function sessionHeader(session, { back, onErrors, ask }) {
  const { sessionId, userId, bundleId, appVersion, device, first, last, errors, live, tags, imported } = session;
  const { events } = recorded(session);
  const system = [device?.systemName, device?.osVersion].filter(Boolean).join(" ");
  return h("div.head", null,
    h("a.plain.back", { href: back, title: "All sessions (Esc)", aria: { label: "All sessions" } }, icon("back")),
    h("div.names", null,
      h("h1", { tabIndex: -1 }, userLink(userId, bundleId), live ? h("span.live", null, "Live") : null),
      h("p", { title: `${bundleId ?? ""}\n${sessionId}` },
        [[shortName(bundleId), appVersion].filter(Boolean).join(" "), device?.model, system].filter(Boolean).join(" · "))),
    h("div.facts", null,
      h("span", { title: zone(first) }, `${dayName(first)} ${timeOfDayShort(first)}`),
      h("span", null, duration(last - first)),
      h("span", null, events > session.events ? `${plural(events, "event")}, ${count(session.events)} here` : plural(events, "event")),
      imported ? h("span.tag.imported", { title: originOf(imported) }, `From a file, ${when(imported.at)}`) : null,
      Object.entries(tags ?? {}).slice(0, 12).map(([key, value]) => h("span.tag", null, h("b", null, key), ` ${value}`))),
    h("span.spring"),
    // What came from a file is on no device that could be asked.
    imported ? null : ask,
    h("button.small.save-file", {
      type: "button", title: "Save the session with its replay as one file", onClick: ({ currentTarget }) => downloadSession(sessionId, sessionFile, currentTarget),
    }, sessionFile.label),
    h("button.small.save-file.chrome-trace", {
      type: "button", title: "Save the session as a Chrome trace: Perfetto opens it", onClick: ({ currentTarget }) => downloadSession(sessionId, chromeTrace, currentTarget),
    }, chromeTrace.label),
    errors ? h("button.small.errors", { type: "button", title: "Show the errors", onClick: onErrors }, plural(errors, "error")) : null,
    told(session));
}
