// One session in the list.

import { h } from "../base/dom.js";
import { ago, count, dayName, duration, offset, plural, preciseTime, timeOfDayShort, valid } from "../base/format.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { iconOf, label, rank, styleOf } from "../events/types.js";
import { marked } from "../search/marks.js";
import { endedName, endedTone } from "./ended.js";
import { originOf } from "./imported.js";
import { shortName } from "./name.js";
import { onDevice, recorded } from "./on-device.js";
import { userName } from "../users/link.js";

/** What failed has a line of its own, and so has the event by which a session was found. */
export const heightOf = (isNarrow, session) => (isNarrow ? 88 : 54) + (told(session).length ? 20 : 0) + (session.match?.text ? 24 : 0);

/** What failed, and is not shown anyway as what was found. */
const told = ({ failures, match }) => (failures ?? []).filter(({ event }) => !match?.text || String(event) !== String(match.event));

/** @param {string[]} marks  what was searched for  @param {{isOfUser?: boolean}} about  on a user's own page, which says whose it is */
export function sessionRow(session, marks = [], { isOfUser = false } = {}) {
  const { match, sessionId, userId, bundleId, appVersion, device, first, last, live, lastScreen, lastEnd, tags, imported, failures } = session;
  const { events, errors, counts } = recorded(session);
  const away = onDevice(session);
  // Beside whose it is there is room for it, and on a phone beside the end: one of the two is shown.
  const mark = () => away ? h(`span.on-device${away.tone ? `.${away.tone}` : ""}`, { title: away.title }, away.text) : null;
  const app = [shortName(bundleId), appVersion].filter(Boolean).join(" ");
  const model = [device?.model, [device?.systemName, device?.osVersion].filter(Boolean).join(" ")].filter(Boolean).join(" · ");
  const end = live ? h("span.live", null, "Live")
    : lastEnd ? h(`span.ended${endedTone(lastEnd) ? `.${endedTone(lastEnd)}` : ""}`, null, endedName(lastEnd)) : null;
  return h("div.session-row", { role: "listitem" }, h("a", {
    // What was found is a moment of the session.
    href: route.address({ session: sessionId, event: match ? String(match.event) : null }), data: { id: sessionId }, title: sessionId,
    aria: { label: [isOfUser ? moment(first) : userId || "Anonymous", app, model, duration(last - first), plural(events, "event"), errors ? plural(errors, "error") : "no errors",
      ...(failures ?? []).map(({ title }) => title), live ? "live" : lastEnd ? endedName(lastEnd) : "", moment(last), away?.text ?? "", imported ? "from a file" : ""].filter(Boolean).join(", ") },
  },
    h("span.who", null, isOfUser ? h("b.began", { title: "Start" }, moment(first)) : userName(userId, bundleId, marked(userId || "Anonymous", marks)),
      h("span.more", null, mark(), imported ? h("span.imported", { title: originOf(imported) }, "From a file") : null, Object.entries(tags ?? {}).slice(0, 3).map(([key, value]) => h("span.tag", null, h("i", null, key), " ", marked(String(value), marks))))),
    h("span.app", null, h("b", null, marked(app, marks)), h("span.more", null, marked(model, marks))),
    h("span.at", null, lastScreen ? h("span.screen", null, marked(lastScreen, marks)) : null, end, mark()),
    h("span.activity", null, mix(counts), h("span.more", null, plural(events, "event"))),
    h("span.n.errors", null, errors ? h("b", null, count(errors)) : null, errors ? h("small", null, errors === 1 ? " error" : " errors") : null),
    h("span.n.length", null, duration(last - first)),
    h("time.n", { title: preciseTime(last) }, live ? ago(last) : moment(last)),
    told(session).length ? h("span.failed", null, told(session).map(({ type, title }) => h(`span.${styleOf(type)}`, null, icon(iconOf(type)), h("span", null, marked(title, marks))))) : null,
    match?.text ? found(match, first, marks) : null));
}

/** The event by which it was found. */
const found = ({ timestamp, type, text }, first, marks) => h(`span.found.${styleOf(type)}`, null,
  icon(iconOf(type)), h("span.at", null, offset(timestamp - first)), h("span.text", null, marked(text, marks)));

/** "Today 14:03". */
const moment = (ms) => valid(ms) ? `${dayName(ms)} ${timeOfDayShort(ms)}` : "–";

/** The parts of a session by type, as a thin bar. */
function mix(counts) {
  const parts = Object.entries(counts).filter(([, n]) => n > 0).sort((a, b) => rank(a[0]) - rank(b[0]));
  const bar = h("span.mix", { title: parts.map(([type, n]) => `${label(type)} ${count(n)}`).join(", ") });
  for (const [type, n] of parts) {
    const part = h(`span.${styleOf(type)}`);
    // By the square root: the rare ones stay visible.
    part.style.flexGrow = Math.sqrt(n);
    bar.append(part);
  }
  return bar;
}
