// Where the events of a session are that did not come: its device keeps them, and has told what the session was like.

import { count, dayName, plural, timeOfDayShort, valid } from "../base/format.js";

/** What was recorded of a session: what is here, or what its device says, whichever is more. */
export function recorded({ events, errors, counts, summary }) {
  const all = { ...counts };
  // What a device says of a session is nothing that happened in it.
  delete all.session_summary;
  for (const [type, n] of Object.entries(summary?.counts ?? {})) all[type] = Math.max(all[type] ?? 0, n);
  return { events: Math.max(events, summary?.events ?? 0), errors: Math.max(errors, summary?.errors ?? 0), counts: all };
}

/** "On the device until Thu 3 Dec", or that it is gone; null where everything is here. */
export function onDevice({ summary }) {
  if (!summary?.missing) return null;
  const { place, until, missing, events } = summary;
  const part = missing === events ? plural(events, "event") : `${count(missing)} of ${plural(events, "event")}`;
  if (place === "gone") {
    return { text: "No longer on the device", title: `${part} did not come: too old, no room, or dropped. This is what the device said of the session.`, tone: "gone" };
  }
  return {
    text: valid(until) ? `On the device until ${dayName(until)}` : "On the device",
    title: `${part} on the device${valid(until) ? ` until ${dayName(until)} ${timeOfDayShort(until)}, unless the room is needed before` : ""}`, tone: "",
  };
}
