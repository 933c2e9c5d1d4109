// Each version beside the one before it: the numbers that a release is judged by, and by how much they changed.

import { h } from "../base/dom.js";
import { count, duration } from "../base/format.js";
import { enough, nothing, numbers, ofSample, rate, section, version } from "./parts.js";

/** Versions that are compared. */
const most = 8;

/**
 * `value`: what is compared, null where the sample is too small for a rate; `cell`: what is shown; `sample`: of how many;
 * `better`: the sign of a change for the better; `text`: a change in words
 */
const points = (n) => `${n > 0 ? "+" : "−"}${Math.abs(n).toFixed(Math.abs(n) < 1 ? 2 : 1)} pp`;
const percent = (part, whole) => enough(whole) ? part / whole * 100 : null;
const columns = [
  { name: "Crash-free sessions", better: 1, text: points, sample: ({ sessions }) => sessions.count,
    value: ({ sessions }) => percent(sessions.count - sessions.crashed, sessions.count),
    cell: ({ sessions }) => rate(sessions.count - sessions.crashed, sessions.count) },
  { name: "Crash-free users", better: 1, text: points, sample: ({ sessions }) => sessions.users.count,
    value: ({ sessions: { users } }) => percent(users.count - users.crashed, users.count),
    cell: ({ sessions: { users } }) => rate(users.count - users.crashed, users.count) },
  { name: "Sessions with a hang", better: -1, text: points, sample: ({ sessions }) => sessions.count,
    value: ({ sessions, hangs }) => percent(hangs?.sessions ?? 0, sessions.count),
    cell: ({ sessions, hangs }) => rate(hangs?.sessions ?? 0, sessions.count) },
  { name: "Slow frames", better: -1, text: points, sample: ({ frames }) => frames?.frames ?? 0,
    value: ({ frames }) => frames ? percent(frames.slow, frames.frames) : null,
    cell: ({ frames }) => frames ? rate(frames.slow, frames.frames) : "–" },
  { name: "Launch time, p90", better: -1, text: (n) => `${n > 0 ? "+" : "−"}${duration(Math.abs(n))}`, sample: ({ launchTime }) => launchTime?.count ?? 0,
    value: ({ launchTime }) => enough(launchTime?.count) ? launchTime.p90 : null,
    cell: ({ launchTime }) => launchTime?.count ? duration(launchTime.p90) : "–" },
  { name: "Failed requests", better: -1, text: points, sample: ({ requests }) => requests?.count ?? 0,
    value: ({ requests }) => requests ? percent(requests.failed, requests.count) : null,
    cell: ({ requests }) => requests ? rate(requests.failed, requests.count) : "–" },
];

/** @param {object} health  of all versions: without one before it, a version says little */
export function compare(health, isAlone) {
  const rows = joined(health).slice(0, most);
  if (!rows.length) return section("versions", "Versions", null, nothing("No sessions in this period."));
  return section("versions", "Versions", "Is the new version better than the previous one?",
    numbers("Versions, each compared with the previous one", rows, [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Sessions", n: true, cell: (row) => count(row.sessions.count) },
      ...columns.map((column) => ({ name: column.name, n: true, cell: (row) => [
        h("span.value", null, column.cell(row)), h("small.sample", null, ofSample(column.sample(row)) ?? ""), change(row, column)] })),
    ]));
}

/** By how much a number differs from the version before; nothing where there is none, or where either sample is too small. */
function change(row, { value, better, text, name }) {
  const [now, before] = [value(row), row.before ? value(row.before) : null];
  if (now === null || before === null) return null;
  const difference = now - before;
  const title = `${name}, compared with ${row.before.version ?? "the previous version"}`;
  if (Math.abs(difference) < 0.005) return h("small.change", { title }, "=");
  const isBetter = Math.sign(difference) === better;
  return h(`small.change.${isBetter ? "good" : "bad"}`, { title }, `${isBetter ? "▲" : "▼"} ${text(difference)}`,
    h("span.visually-hidden", null, isBetter ? ", better" : ", worse"));
}

/** What the parts say of each version, the newest first, with the version of the same app before it. */
function joined(health) {
  const key = ({ bundleId = "", version = "" }) => `${bundleId}\u0000${version}`;
  const parts = Object.fromEntries(["hangs", "frames", "launchTime", "requests"].map((name) =>
    [name, new Map((health[name].versions ?? []).map((row) => [key(row), row]))]));
  const rows = health.sessions.versions.map((sessions) => ({
    bundleId: sessions.bundleId, version: sessions.version, sessions,
    ...Object.fromEntries(Object.entries(parts).map(([name, rows]) => [name, rows.get(key(sessions))])),
  }));
  // They come by app and from the newest version on.
  rows.forEach((row, index) => {
    const before = rows[index + 1];
    row.before = before && before.bundleId === row.bundleId && before.version && row.version ? before : null;
  });
  return rows;
}
