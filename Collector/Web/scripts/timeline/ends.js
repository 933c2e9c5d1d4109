// How a launch ended: as the launch after it told, or else from what is known about it. The page claims no more than that.

import { count, plural } from "../base/format.js";
import * as route from "../base/route.js";

// What is unknown to the launch after it as well is left to what this page can infer.
const VERDICTS = {
  clean_exit: ["The app exited normally", "ended"],
  crash: ["The process crashed here", "crashed"],
  hang_kill: ["Killed during a hang", "killed"],
  out_of_memory: ["Killed: out of memory", "killed"],
  user_kill: ["Closed by user", "killed"],
  updated: ["Ended for an update", "ended"],
  rebooted: ["The device was restarted", "ended"],
  debugger: ["Ended with a debugger attached", "ended"],
};

/**
 * @param {object} ledger      the launch's, from the session's launchLedgers
 * @param {object|undefined} last  the launch's last event
 * @param {object|null|undefined} crash  what the next launch reported; null: no crash, undefined: not known
 * @returns {{text: string, tone: string, action?: string}|undefined}  undefined while it may still be running
 */
function ending(ledger, last, crash) {
  if (crash) {
    const name = crash.payload?.errorDomain || "unknown reason";
    return { text: `The process crashed here: ${name}`, tone: "crashed", action: "Show the report" };
  }
  const known = VERDICTS[ledger?.end?.verdict];
  if (known) {
    const [text, tone] = known;
    return { text: ledger.end.evidence ? `${text}: ${ledger.end.evidence}` : text, tone };
  }
  if (!ledger?.final) return undefined;
  const state = last?.eventType === "lifecycle" ? last.payload?.state : undefined;
  if (state === "terminated") return { text: "The app ended", tone: "ended" };
  const torn = ledger.torn ? `, in the middle of ${plural(ledger.torn, "call")}` : "";
  if (state === "background") return { text: `Ended in the background${torn}`, tone: "ended" };
  return { text: `The process ended unexpectedly here${torn}${crash === null ? " — killed" : ""}`, tone: "killed" };
}

/**
 * How each of a session's launches ended.
 *
 * @param {{outline, details, session: object|null, crashes: Map<string, object|null>}} about  `crashes`: by launch, as `ending` wants them
 * @returns {Map<string, object>} by launch
 */
export function endings({ outline, details, session, crashes }) {
  const ends = new Map();
  const last = new Map();
  for (let at = outline.length - 1; at >= 0 && last.size < outline.launchNames.length; at--) {
    const name = outline.launchNames[outline.launches[at]];
    if (!last.has(name)) last.set(name, at);
  }
  for (const ledger of session?.launchLedgers ?? []) {
    const crash = crashes.get(ledger.launchId);
    const at = last.get(ledger.launchId);
    const end = ending(ledger, at === undefined ? undefined : details.get(outline.ids[at]), crash);
    if (!end) continue;
    if (crash) end.onOpen = () => route.go({ session: crash.sessionId, event: crash.id });
    ends.set(ledger.launchId, end);
  }
  return ends;
}

/**
 * One sentence about a launch's counts. When nothing is missing, it names the session's events: a launch records some of other
 * sessions, and what ended it is told by the next one, so its own count is another.
 */
export function balance({ recorded, dropped = {}, stored, lost, final, kept, agedOut = 0 }, events = stored) {
  const drops = Object.values(dropped ?? {}).reduce((sum, n) => sum + n, 0) - agedOut;
  if (recorded === null || recorded === undefined) return { text: `${plural(stored, "event")} stored, no ledger`, tone: "" };
  if (lost > 0) return { text: `${plural(lost, "event")} missing`, tone: "error" };
  if (drops) return { text: `${count(drops)} of ${count(recorded)} dropped`, tone: "warning" };
  const resting = [kept > 0 ? `${count(kept)} kept on the device` : "", agedOut > 0 ? `${count(agedOut)} aged out there` : ""].filter(Boolean);
  if (resting.length) return { text: `${plural(stored, "event")} received, ${resting.join(", ")}`, tone: "" };
  if (!final) return { text: `${plural(events, "event")} received so far${recorded > stored ? `, ${count(recorded - stored)} still on the device` : ""}`, tone: "" };
  return { text: `All ${plural(events, "recorded event")} received`, tone: "good" };
}
