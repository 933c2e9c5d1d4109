// How launches end: the verdicts, in the order in which people care, and how they are called and drawn.

import { h } from "../base/dom.js";
import { count, plural, when } from "../base/format.js";
import { userName } from "../users/link.js";
import { chart } from "./chart.js";
import { fact, nothing, numbers, ofSample, rate, section, sessionLink, version, withOthers } from "./parts.js";

export const verdicts = [
  ["crash", "Crash", "bad", "A signal or an uncaught exception, with a report."],
  ["hang_kill", "Killed during a hang", "hang", "The system killed the app because its main thread was unresponsive."],
  ["out_of_memory", "Out of memory", "doubtful", "Killed for using too much memory, or because the device ran out of it."],
  ["user_kill", "Closed by user", "other", "Swiped away, or killed from outside."],
  ["clean_exit", "Exited normally", "fine", "The process returned, or was suspended as usual."],
  ["updated", "Updated", "neutral", "The app or the system was updated."],
  ["rebooted", "Device restarted", "neutral", "The device was restarted."],
  ["debugger", "Debugger", "neutral", "A debugger was attached."],
  ["ended", "Ended", "fine", "By what its device says: nothing else is known of its end."],
  ["unknown", "Unknown", "faintly", "No cause could be determined."],
  ["untold", "Not known yet", "faintly", "The session has ended; the next launch reports why."],
];

const abnormal = ["crash", "hang_kill", "out_of_memory"];
export const bad = (all) => abnormal.reduce((sum, name) => sum + (all[name] ?? 0), 0);

export function stability({ sessions }, { time, isAlone }) {
  if (!sessions.count) return section("stability", "Stability", null, nothing("No sessions in this period.", "Choose a longer period or another version."));
  return section("stability", "Stability", "How many sessions were crash-free?",
    h("dl.figures", null,
      fact("Crash-free sessions", rate(sessions.count - sessions.crashed, sessions.count), ofSample(sessions.count)), fact("Sessions", count(sessions.count), sessions.bySummary ? `${count(sessions.bySummary)} by summary` : null),
      sessions.users.count ? fact("Crash-free users", rate(sessions.users.count - sessions.users.crashed, sessions.users.count), ofSample(sessions.users.count)) : null, fact("With a crash", count(sessions.crashed), null, sessions.crashed ? "error" : "")),
    chart({
      label: "Sessions over time, with and without a crash", points: sessions.trend, time, top: count,
      series: [
        { name: "With a crash", tone: "bad", value: (point) => point.crashed, text: count },
        { name: "Without", tone: "fine", value: (point) => point.count - point.crashed, text: count },
      ],
    }),
    numbers("Stability by version", withOthers(sessions.versions, sessions.otherVersions), [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Crash-free", n: true, cell: (row) => rate(row.count - row.crashed, row.count) },
      { name: "Sessions", n: true, cell: (row) => count(row.count) },
      { name: "Crash-free users", n: true, cell: ({ users }) => rate(users.count - users.crashed, users.count) },
      { name: "Users", n: true, cell: ({ users }) => count(users.count) },
      { name: "With a crash", n: true, cell: (row) => count(row.crashed) },
    ]));
}

export function terminations({ ends }, { time, isAlone }) {
  if (!ends.count) {
    return section("ends", "How launches ended", null,
      nothing("No launch has ended yet.", "The next launch reports why the previous one ended."));
  }
  const present = verdicts.filter(([name]) => ends.verdicts[name]);
  const others = Object.keys(ends.verdicts).filter((name) => !verdicts.some(([known]) => known === name));
  const all = [...present, ...others.map((name) => [name, name, "faintly", ""])];
  return section("ends", "How launches ended", `Why did ${plural(ends.count, "launch", "launches")} end?`,
    h("ul.shares", null, all.map(([name, text, tone, meaning]) => {
      const bar = h("i");
      bar.style.width = `${(ends.verdicts[name] / ends.count) * 100}%`;
      return h("li", { title: meaning }, h("span.name", null, h(`i.dot.${tone}`),
        name === "crash" ? h("a", { href: "#/issues?kinds=crash" }, text) : name === "hang_kill" ? h("a", { href: "#/issues?kinds=hang" }, text) : text),
      h(`span.bar.${tone}`, null, bar), h("span.n", null, count(ends.verdicts[name])), h("span.n.faint", null, rate(ends.verdicts[name], ends.count)));
    })),
    chart({
      label: "How launches ended, over time", points: ends.trend, time, top: count,
      series: all.map(([name, text, tone]) => ({ name: text, tone, value: (point) => point.verdicts[name] ?? 0, text: count })),
    }),
    ends.recent.length ? [h("h3", null, "Recent unexpected exits"), h("ul.moments", null, ends.recent.map((end) => {
      const [, text = end.verdict, tone = "faintly"] = verdicts.find(([name]) => name === end.verdict) ?? [];
      return h("li", null, sessionLink(end.sessionId, null, h(`i.dot.${tone}`), h("b", null, text),
        h("span.why", null, end.evidence || "–"), h("span.faint", null, end.version, end.version && end.userId ? " · " : null, end.userId ? userName(end.userId, end.bundleId) : null),
        h("time", null, when(end.at))));
    }))] : null,
    numbers("How launches ended, by version", withOthers(ends.versions, ends.otherVersions), [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Launches", n: true, cell: (row) => count(row.count) },
      ...abnormal.map((name) => ({ name: verdicts.find(([known]) => known === name)[1], n: true, cell: (row) => count(row.verdicts[name] ?? 0) })),
      { name: "All others", n: true, cell: (row) => count(row.count - bad(row.verdicts)) },
    ]));
}

export function memory({ ends }, { isAlone }) {
  const all = ends.memoryMB;
  if (!all.count) {
    return section("memory", "Memory", null,
      nothing("No memory data in this period.", "Each launch reports how much memory the previous one used."));
  }
  const megabytes = (n) => `${count(Math.round(n))} MB`;
  return section("memory", "Memory", "Memory in use shortly before launches ended",
    h("dl.figures", null, fact("Median", megabytes(all.p50)), fact("p90", megabytes(all.p90)), fact("p99", megabytes(all.p99)),
      fact("Maximum", megabytes(all.max)), fact("Out of memory", count(ends.verdicts.out_of_memory ?? 0), null, ends.verdicts.out_of_memory ? "error" : "")),
    numbers("Memory by version", withOthers(ends.versions, ends.otherVersions).filter((row) => row.memoryMB.count), [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Median", n: true, cell: (row) => megabytes(row.memoryMB.p50) },
      { name: "p90", n: true, cell: (row) => megabytes(row.memoryMB.p90) },
      { name: "p99", n: true, cell: (row) => megabytes(row.memoryMB.p99) },
      { name: "Launches", n: true, cell: (row) => count(row.memoryMB.count) },
    ]));
}
