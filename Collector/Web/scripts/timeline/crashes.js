// Which of a session's launches died of a crash: a later one reported it, and names the one that it happened in.

import * as api from "../base/api.js";

/** @returns {Promise<Map<string, object|null>>} by launch: the crash; null when it is known that there was none */
export async function findCrashes(session, signal) {
  const crashes = new Map();
  const [{ events }, { launches }] = await Promise.all([
    api.get("events", { session: session.sessionId, type: "crash", limit: 100 }, signal), api.get("launches", { limit: 1000 }, signal),
  ]);
  for (const launchId of session.launches) {
    const report = events.find(({ payload }) => payload?.ofLaunch === launchId);
    if (report) crashes.set(launchId, report);
    else if (hasSuccessor(launchId, launches)) crashes.set(launchId, null);
  }
  return crashes;
}

/** Whether the app was started again, and has had the occasion to tell. */
function hasSuccessor(launchId, launches) {
  const launch = launches.find((one) => one.launchId === launchId);
  return launches.some(({ bundleId, first }) => launch && bundleId === launch.bundleId && first >= launch.last);
}
