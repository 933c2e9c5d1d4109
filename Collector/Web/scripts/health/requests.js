// Requests that failed, and the slowest routes; taps that nothing answered.

import { h } from "../base/dom.js";
import { count, duration, plural } from "../base/format.js";
import * as route from "../base/route.js";
import { fact, nothing, numbers, ofSample, ofWhatCame, rate, section, sessionLink, version, withOthers } from "./parts.js";

export function requests({ requests: all }, { isAlone, filter }) {
  if (!all.count) return section("requests", "Requests", null, nothing("No requests in this period."));
  const link = (row, more) => h("a", {
    href: route.address({ view: "network", host: row.host, route: row.route, method: row.method, app: filter.app, from: filter.from, to: filter.to, status: [], ...more }),
  }, h("b", null, row.method), ` ${row.host}${row.route}`);
  return section("requests", "Requests", "Which requests fail or are slow?",
    h("dl.figures", null, fact("Failed", rate(all.failed, all.count), `of ${plural(all.count, "request")}`, all.failed ? "error" : ""),
      all.medianMs === undefined ? null : [fact("Median", duration(all.medianMs)), fact("p95", duration(all.p95Ms))]),
    h("p.faint", null, Object.entries(all.statuses).map(([status, n]) => `${status === "none" ? "no answer" : status} ${count(n)}`).join(" · ")),
    all.bySummary ? h("p.faint", null, `${count(all.bySummary)} of ${plural(all.count, "request")} by summary: routes and times are those of the others.`) : null,
    all.partial ? h("p.faint", null, `Of the newest ${count(200_000)} requests.`) : null,
    all.failing.length ? numbers("Requests by route, most failures first", all.failing, [
      { name: "Most failures", cell: (row) => link(row, { failed: "true" }) },
      { name: "Failed", n: true, cell: (row) => rate(row.failed, row.count) },
      { name: "Requests", n: true, cell: (row) => count(row.count) },
    ]) : null,
    all.slowest.length ? numbers("Requests by route, the slowest first", all.slowest, [
      { name: "Slowest routes", cell: (row) => link(row, { sort: "slowest" }) },
      { name: "p95", n: true, cell: (row) => duration(row.p95Ms) },
      { name: "Median", n: true, cell: (row) => duration(row.medianMs) },
      { name: "Requests", n: true, cell: (row) => count(row.count) },
    ]) : null,
    numbers("Requests by version", withOthers(all.versions, all.otherVersions), [
      { name: "Version", cell: (row) => version(row, isAlone) },
      { name: "Failed", n: true, cell: (row) => rate(row.failed, row.count) },
      { name: "p95", n: true, cell: (row) => row.p95Ms === undefined ? "–" : duration(row.p95Ms) },
      { name: "Requests", n: true, cell: (row) => count(row.count) },
    ]));
}

export function taps({ taps: all, sessions }) {
  if (!all.rage && !all.dead) {
    return section("taps", "Taps", null, nothing("No rage or dead taps in this period.", "On iOS the SDK records them automatically."), ofWhatCame(all.sessionsBySummary));
  }
  return section("taps", "Taps", "Where do taps have no effect?",
    h("dl.figures", null, fact("Rage taps", count(all.rage), null, all.rage ? "warn" : ""), fact("Dead taps", count(all.dead)),
      fact("Affected sessions", rate(all.sessions, sessions.count), ofSample(sessions.count))),
    ofWhatCame(all.sessionsBySummary),
    all.partial ? h("p.faint", null, `Of the newest ${count(200_000)} rage and dead taps.`) : null,
    numbers("Rage and dead taps by screen and element", withOthers(all.places, all.otherPlaces), [
      { name: "Element", cell: (row) => row.names ? h("span.faint", null, plural(row.names, "other")) : sessionLink(row.sessionId, row.event, row.element || "empty space") },
      { name: "Screen", cell: (row) => row.names ? "" : row.screen || "–" },
      { name: "Rage", n: true, cell: (row) => count(row.rage) },
      { name: "Dead", n: true, cell: (row) => count(row.dead) },
      { name: "Sessions", n: true, cell: (row) => count(row.sessions) },
    ]));
}
