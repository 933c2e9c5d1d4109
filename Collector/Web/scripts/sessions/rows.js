// One session in the list.

import { h } from "../base/dom.js";
import { ago, count, dayName, duration, plural, preciseTime, timeOfDayShort, valid } from "../base/format.js";
import * as route from "../base/route.js";
import { label, rank, styleOf } from "../events/types.js";
import { endedName, endedTone } from "./ended.js";
import { originOf } from "./imported.js";
import { shortName } from "./name.js";
import { userName } from "../users/link.js";

export const heightOf = (isNarrow) => isNarrow ? 88 : 54;

export function sessionRow(session) {
  const { sessionId, userId, bundleId, appVersion, device, first, last, events, errors, live, lastScreen, lastEnd, tags, imported } = session;
  const app = [shortName(bundleId), appVersion].filter(Boolean).join(" ");
  const model = [device?.model, [device?.systemName, device?.osVersion].filter(Boolean).join(" ")].filter(Boolean).join(" · ");
  const end = live ? h("span.live", null, "Live")
    : lastEnd ? h(`span.ended${endedTone(lastEnd) ? `.${endedTone(lastEnd)}` : ""}`, null, endedName(lastEnd)) : null;
  return h("div.session-row", { role: "listitem" }, h("a", {
    href: route.address({ session: sessionId }), data: { id: sessionId }, title: sessionId,
    aria: { label: [userId || "Anonymous", app, model, duration(last - first), plural(events, "event"), errors ? plural(errors, "error") : "no errors",
      live ? "live" : lastEnd ? endedName(lastEnd) : "", moment(last), imported ? "from a file" : ""].filter(Boolean).join(", ") },
  },
    h("span.who", null, userName(userId),
      h("span.more", null, imported ? h("span.imported", { title: originOf(imported) }, "From a file") : null, Object.entries(tags ?? {}).slice(0, 3).map(([key, value]) => h("span.tag", null, h("i", null, key), ` ${value}`)))),
    h("span.app", null, h("b", null, app), h("span.more", null, model)),
    h("span.at", null, lastScreen ? h("span.screen", null, lastScreen) : null, end),
    h("span.activity", null, mix(session.counts ?? {}), h("span.more", null, plural(events, "event"))),
    h("span.n.errors", null, errors ? h("b", null, count(errors)) : null, errors ? h("small", null, errors === 1 ? " error" : " errors") : null),
    h("span.n.length", null, duration(last - first)),
    h("time.n", { title: preciseTime(last) }, live ? ago(last) : moment(last))));
}

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
