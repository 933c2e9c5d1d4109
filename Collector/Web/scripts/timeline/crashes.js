// Which of a session's launches died of a crash: the launch that came next reported it, in its first moments.

import * as api from "../base/api.js";

/** @returns {Promise<Map<string, object|null>>} by launch: the crash; null when it is known that there was none */
export async function findCrashes(session, signal) {
  const crashes = new Map();
  const { launches } = await api.get("launches", { limit: 1000 }, signal);
  const following = new Map();
  for (const launch of launches.filter(({ launchId }) => session.launches.includes(launchId))) {
    const [next] = launches
      // The first that the next one tells is the crash, at the time when it was.
      .filter((other) => other !== launch && other.bundleId === launch.bundleId && other.last > launch.last && other.first >= launch.last - 1000)
      .sort((a, b) => a.first - b.first);
    if (next) following.set(launch.launchId, next);
  }
  if (!following.size) return crashes;
  const { events, next: more } = await api.get("events", { type: "crash", limit: 1000 }, signal);
  for (const [launchId, next] of following) {
    const report = events.find((event) => event.launchId === next.launchId && event.timestamp - next.first < 10_000);
    if (report) crashes.set(launchId, report);
    // Among more crashes than were asked for it may be missing: then nothing is claimed.
    else if (!more) crashes.set(launchId, null);
  }
  return crashes;
}
