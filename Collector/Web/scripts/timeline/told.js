// What a session's device says of it, where not all of its events came.

import { h } from "../base/dom.js";
import { bytes, count, duration, plural } from "../base/format.js";
import { label, rank } from "../events/types.js";
import { endedName } from "../sessions/ended.js";
import { onDevice } from "../sessions/on-device.js";

/** @returns {HTMLElement|null}  null where everything is here */
export function told(session) {
  const mark = onDevice(session);
  if (!mark) return null;
  const { counts, screens, screenVisits, launchMs, launchKind, slowFrames, frozenFrames, requests, logErrors, crashes, end,
    memoryPeak, memoryLeft, memoryWarnings } = session.summary;
  const types = Object.entries(counts).sort((a, b) => rank(a[0]) - rank(b[0]));
  const statuses = Object.entries(requests).sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const fact = (name, value) => value ? h("div", null, h("dt", null, name), h("dd", null, value)) : null;
  // Where nothing else is to be seen, it is what one came for.
  return h("details.told", { open: session.events === 0 },
    h("summary", null, h(`span.on-device${mark.tone ? `.${mark.tone}` : ""}`, null, mark.text), h("span.faint", null, mark.title)),
    h("dl", null,
      fact("Events", types.map(([type, n]) => `${label(type)} ${count(n)}`).join(", ")),
      fact("Screens", screens.length ? `${screens.join(", ")} (${plural(screenVisits, "visit")})` : ""),
      fact("Launch time", launchMs === undefined ? "" : `${duration(launchMs)}${launchKind ? `, ${launchKind}` : ""}`),
      fact("Requests", statuses.map(([status, n]) => `${status === "none" ? "no answer" : status} ${count(n)}`).join(", ")),
      fact("Slow frames", slowFrames || frozenFrames ? `${count(slowFrames)}, ${count(frozenFrames)} frozen` : ""),
      fact("Errors in the log", logErrors ? count(logErrors) : ""), fact("Crashes", crashes ? count(crashes) : ""),
      fact("Memory", memory(memoryPeak, memoryLeft, memoryWarnings)),
      // That the next session began is no news.
      fact("End", end && end !== "ended" ? endedName(end) : "")));
}

/** Of an earlier collector there is none. */
const memory = (peak, left, warnings) => [
  peak === undefined ? "" : `${bytes(peak)} at most`, left === undefined ? "" : `${bytes(left)} left at least`,
  warnings ? plural(warnings, "warning") : "",
].filter(Boolean).join(", ");
