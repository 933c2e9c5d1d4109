// How fast the app is: launches, hangs, frames.

import { h } from "../base/dom.js";
import { count, duration, plural, when } from "../base/format.js";
import * as route from "../base/route.js";
import { words } from "../base/format.js";
import { chart } from "./chart.js";
import { enough, fact, nothing, numbers, ofSample, ofWhatCame, rate, section, sessionLink, share, version, withOthers } from "./parts.js";

const spread = (isAlone) => [
  { name: "Version", cell: (row) => version(row, isAlone) },
  { name: "Median", n: true, cell: (row) => duration(row.p50) },
  { name: "p90", n: true, cell: (row) => duration(row.p90) },
  { name: "p99", n: true, cell: (row) => duration(row.p99) },
  { name: "Launches", n: true, cell: (row) => count(row.count) },
];

export function launches({ launchTime }, { time, isAlone }) {
  if (!launchTime.count) {
    return section("launch", "Launch time", null,
      nothing("No launch times in this period.", "On iOS the SDK records them automatically, as the event “App Launch”."));
  }
  const value = (name) => (point) => point.count ? point[name] : null;
  return section("launch", "Launch time", "How long does the app take to launch?",
    h("dl.figures", null, fact("Median", duration(launchTime.p50)), fact("p90", duration(launchTime.p90)), fact("p99", duration(launchTime.p99)),
      launchTime.kinds.map((kind) => fact(words(kind.kind || "unknown"), duration(kind.p50), `median of ${count(kind.count)}`)),
      launchTime.preMain.count ? fact("Before main", duration(launchTime.preMain.p50), "median") : null),
    chart({
      label: "Launch time over time: median, p90, p99", points: launchTime.trend, time, kind: "lines", top: duration,
      sample: { name: "Launches", value: (point) => point.count },
      series: [
        { name: "Median", tone: "fine", value: value("p50"), text: duration },
        { name: "p90", tone: "doubtful", value: value("p90"), text: duration },
        { name: "p99", tone: "bad", value: value("p99"), text: duration },
      ],
    }),
    numbers("Launch time by version", withOthers(launchTime.versions, launchTime.otherVersions), spread(isAlone)),
    h("h3", null, "Slowest launches"),
    h("ul.moments", null, launchTime.slowest.map((launch) => h("li", null, sessionLink(launch.sessionId, launch.event,
      h("b", null, duration(launch.totalMs)), h("span.why", null, words(launch.kind)), h("span.faint", null, launch.version),
      h("time", null, when(launch.timestamp)))))));
}

export function hangs({ hangs: all, sessions }, { time, isAlone }) {
  if (!all.count) {
    return section("hangs", "Hangs", null, nothing(sessions.count ? "No hangs in this period." : "No sessions in this period."), ofWhatCame(all.sessionsBySummary));
  }
  return section("hangs", "Hangs", "How often does the app freeze?",
    h("dl.figures", null, fact("Hangs", count(all.count)),
      fact("Affected sessions", rate(all.sessions, sessions.count), ofSample(sessions.count)),
      enough(sessions.count) ? fact("Per 100 sessions", (all.count / sessions.count * 100).toFixed(all.count / sessions.count < 0.1 ? 1 : 0)) : null,
      fact("Total", duration(all.totalMs)), fact("Longest", duration(all.longestMs))),
    ofWhatCame(all.sessionsBySummary),
    chart({
      label: "Hangs over time", points: all.trend, time, top: count,
      series: [{ name: "Hangs", tone: "hang", value: (point) => point.count, text: count }],
    }),
    all.issues.length ? [h("h3", null, "Where"), h("ul.moments", null, all.issues.map((issue) => h("li", null,
      h("a", { href: route.address({ view: "issue", issue: issue.id }) }, h("b", null, count(issue.count)), h("span.why", null, issue.title)))))] : null,
    numbers("Hangs by version", withOthers(all.versions, all.otherVersions), [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Hangs", n: true, cell: (row) => count(row.count) },
      { name: "Affected sessions", n: true, cell: (row) => row.ofSessions ? rate(row.sessions, row.ofSessions) : count(row.sessions) },
      { name: "Sessions", n: true, cell: (row) => row.ofSessions ? count(row.ofSessions) : "–" },
      { name: "Longest", n: true, cell: (row) => duration(row.longestMs) },
    ]));
}

export function frames({ frames: all }, { time, isAlone }) {
  if (!all.frames) {
    return section("frames", "Frames", null,
      nothing("No frames measured in this period.", "On iOS the SDK counts them automatically for each screen, as the event “Frames”."),
      ofWhatCame(all.sessionsBySummary), all.screens.length ? screenTable(all) : null);
  }
  return section("frames", "Frames", "Where does it stutter?",
    h("dl.figures", null, fact("Slow", rate(all.slow, all.frames), counted(all.slow, all.frames)),
      fact("Frozen", rate(all.frozen, all.frames), counted(all.frozen, all.frames), all.frozen ? "error" : ""),
      fact("Worst", duration(all.worstMs)), fact("Frames", count(all.frames), `in ${duration(all.durationMs)}`)),
    ofWhatCame(all.sessionsBySummary),
    chart({
      label: "Slow and frozen frames over time, in per cent", points: all.trend, time, kind: "lines", top: (n) => `${Number(n.toPrecision(2))} %`,
      sample: { name: "Frames", value: (point) => point.frames },
      series: [
        { name: "Slow", tone: "doubtful", value: (point) => enough(point.frames) ? point.slow / point.frames * 100 : null, text: (n) => share(n, 100) },
        { name: "Frozen", tone: "bad", value: (point) => enough(point.frames) ? point.frozen / point.frames * 100 : null, text: (n) => share(n, 100) },
      ],
    }),
    screenTable(all),
    numbers("Frames by version", withOthers(all.versions, all.otherVersions), [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Slow", n: true, cell: (row) => rate(row.slow, row.frames) },
      { name: "Frozen", n: true, cell: (row) => rate(row.frozen, row.frames) },
      { name: "Frames", n: true, cell: (row) => count(row.frames) },
    ]));
}

/** What stands beside a rate of frames. */
const counted = (part, whole) => enough(whole) ? `${count(part)} of ${plural(whole, "frame")}` : null;

const screenTable = (all) => [
  numbers("Frames by screen, worst first", withOthers(all.screens, all.otherScreens), [
    { name: "Screen", cell: (row) => row.names ? h("span.faint", null, plural(row.names, "other")) : sessionLink(row.sessionId, row.event, row.screen || "unnamed") },
    { name: "Crashes", n: true, cell: (row) => row.crashes ? h("b.error", null, count(row.crashes)) : count(row.crashes) },
    { name: "Frozen", n: true, cell: (row) => row.visits ? count(row.frozen) : "–" },
    { name: "Slow", n: true, cell: (row) => rate(row.slow, row.frames) },
    { name: "Frames", n: true, cell: (row) => count(row.frames) },
    { name: "Worst", n: true, cell: (row) => row.visits ? duration(row.worstMs) : "–" },
    { name: "Visits", n: true, cell: (row) => count(row.visits) },
  ]),
  all.partial ? h("p.faint", null, `Of the newest ${count(200_000)} crashes.`) : null,
  all.unfinished ? h("p.faint", null, `${plural(all.unfinished, "visit")} ended with the process: of ${all.unfinished === 1 ? "it" : "them"}, only the seconds with late frames are known.`) : null,
];
