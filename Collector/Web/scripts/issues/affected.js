// The sessions and users that an issue affects: the last reports with their sessions, and on which devices and systems.

import { h } from "../base/dom.js";
import { count, dayName, preciseTime } from "../base/format.js";
import * as route from "../base/route.js";
import { userLink } from "../users/link.js";

export function affected(issue) {
  const { reports } = issue;
  if (!reports.length) return null;
  const groups = [
    ["Systems", (report) => [report.device?.systemName, report.device?.osVersion].filter(Boolean).join(" ")],
    ["Devices", (report) => report.device?.model ?? ""], ["Versions", (report) => report.version ?? ""], ["Screens", (report) => report.screen ?? ""],
  ].map(([name, key]) => [name, counted(reports, key)]).filter(([, found]) => found.length);
  return h("details.affected", null,
    h("summary", null, `Affected sessions: ${count(issue.sessions)}${issue.users ? `, users: ${count(issue.users)}` : ""}`,
      reports.length < issue.count ? h("span.faint", null, `, last ${count(reports.length)} of ${count(issue.count)} reports`) : null),
    h("div.spread", null, groups.map(([name, found]) => h("dl", null, h("dt", null, name), found.slice(0, 5).map(([key, n]) => {
      const bar = h("i");
      bar.style.width = `${(n / reports.length) * 100}%`;
      return h("dd", null, h("span", null, key), h("span.bar", null, bar), h("span.n", null, count(n)));
    })))),
    h("div.wide-table", { tabIndex: 0, role: "region", aria: { label: "Reports" } }, h("table", null,
      h("thead", null, h("tr", null, ["Report", "Version", "User", "Device", "Session"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, reports.map((report) => h("tr", null,
        h("th", { scope: "row" }, h("a", { href: route.address({ view: "issue", issue: issue.id, event: String(report.event) }) }, `${dayName(report.timestamp)} ${preciseTime(report.timestamp)}`)),
        h("td", null, report.version ?? "–"), h("td", null, report.userId ? userLink(report.userId, issue.bundleId) : "–"),
        h("td", null, [report.device?.model, report.device?.osVersion].filter(Boolean).join(", ") || "–"),
        h("td", null, h("a", { href: route.address({ session: report.sessionId, event: String(report.event) }) }, report.sessionId.slice(0, 8)))))))));
}

function counted(reports, key) {
  const counts = new Map();
  for (const report of reports) {
    const name = key(report);
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}
