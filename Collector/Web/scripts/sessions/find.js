// What the collector knows, for the command palette: issues, and sessions, the most relevant first.

import * as api from "../base/api.js";
import { dayName, offset, plural, timeOfDayShort } from "../base/format.js";
import * as route from "../base/route.js";
import { shortName } from "./name.js";

/** @returns {Promise<{title: string, hint: string, group: string, marks: string[], run: () => void}[]>} */
export async function findSessions(text, signal) {
  const [issues, sessions] = await Promise.all([
    // Some fields are only one's, and are no mistake for the other.
    api.get("issues", { q: text, status: "all", limit: 4 }, signal).catch(unread),
    api.get("sessions", { q: text, sort: "relevance", limit: 6 }, signal).catch(unread),
  ]);
  const refused = issues.error && sessions.error ? [{ title: sessions.error.message, hint: "", group: "Search", run: () => {} }] : [];
  return [
    ...refused,
    ...(issues.issues ?? []).map(({ id, title, subtitle, count, last, match }) => ({
      title, group: "Issues", marks: issues.marks,
      // With what was found the moment of the report that says it.
      hint: [match?.text ? `${moment(match.timestamp)} ${match.field} ${match.text}` : null, subtitle, plural(count, "report"),
        match?.text ? null : moment(last)].filter(Boolean).join(" · "),
      run: () => route.go({ view: "issue", issue: id, event: match ? String(match.event) : null }),
    })),
    ...(sessions.sessions ?? []).map(({ sessionId, userId, bundleId, appVersion, lastScreen, first, last, match }) => ({
      title: userId || "Anonymous", group: "Sessions", marks: sessions.marks,
      hint: [match?.text ? `${offset(match.timestamp - first)} ${match.text}` : null, shortName(bundleId), appVersion, match?.text ? null : lastScreen,
        moment(last)].filter(Boolean).join(" · "),
      run: () => route.go({ session: sessionId, event: match ? String(match.event) : null }),
    })),
    ...(refused.length ? [] : [{
      title: `Search sessions for “${text}”`, hint: "", group: "Sessions",
      run: () => { location.hash = `#/?q=${encodeURIComponent(text)}`; },
    }]),
  ];
}

const moment = (ms) => `${dayName(ms)} ${timeOfDayShort(ms)}`;

function unread(error) {
  if (error.code === "invalid_query") return { error };
  throw error;
}
