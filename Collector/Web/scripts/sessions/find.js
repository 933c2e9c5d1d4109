// Sessions for the command palette.

import * as api from "../base/api.js";
import { dayName, timeOfDayShort } from "../base/format.js";
import * as route from "../base/route.js";
import { shortName } from "./name.js";

/** @returns {Promise<{title: string, hint: string, group: string, run: () => void}[]>} */
export async function findSessions(text, signal) {
  const { sessions } = await api.get("sessions", { q: text, limit: 6 }, signal);
  return [...sessions.map(({ sessionId, userId, bundleId, appVersion, lastScreen, last }) => ({
    title: userId || "Anonymous", group: "Sessions",
    hint: [shortName(bundleId), appVersion, lastScreen, `${dayName(last)} ${timeOfDayShort(last)}`].filter(Boolean).join(" · "),
    run: () => route.go({ session: sessionId }),
  })), {
    title: `Search sessions for “${text}”`, hint: "", group: "Sessions",
    run: () => { location.hash = `#/?q=${encodeURIComponent(text)}`; },
  }];
}
