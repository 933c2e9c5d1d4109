// One issue: how often, since when, in which versions; and one of its reports, whole.

import * as api from "../base/api.js";
import { copyFrom, fill, h } from "../base/dom.js";
import { count, dayName, duration, plural, preciseTime, timeOfDayShort } from "../base/format.js";
import { icon } from "../base/icons.js";
import { save, text } from "../base/download.js";
import * as route from "../base/route.js";
import { iconOf, styleOf } from "../events/types.js";
import { report } from "../report/report.js";
import { shortName } from "../sessions/name.js";
import { newestFirst } from "./issues-view.js";
import { about } from "./kinds.js";
import { affected } from "./affected.js";
import { History } from "./history.js";
import { askToMerge, mergedList } from "./merging.js";
import { Owners } from "./owners.js";
import { sparkline } from "./sparkline.js";
import { isSaid, StatusBar } from "./status.js";
import { send } from "../base/send.js";
import { userLink } from "../users/link.js";

const dayLength = 86_400_000;

export class IssueView {
  #element;
  #parts;
  #place;
  #issue = null;
  #index = 0;
  #abort = new AbortController();
  #onState;
  #back;

  /** @param {{element: HTMLElement, place: object, back: string, onState: (error: Error|null) => void}} options */
  constructor({ element, place, back, onState }) {
    this.#element = element;
    this.#place = { view: "issue", issue: place.issue, event: place.event };
    this.#back = back;
    this.#onState = onState;
    this.#load();
  }

  #status = null;
  #owners = null;
  #history = null;

  commands = [
    { title: "Resolve or reopen the issue", group: "Issues", keys: ["r"], run: () => this.#status?.toggle() },
    { title: "Ignore the issue, or stop ignoring it", group: "Issues", keys: ["x"], run: () => this.#status?.toggleIgnored() },
    { title: "Undo the last decision", group: "Issues", keys: ["z"], run: () => this.#status?.undo() },
    { title: "Assign the issue", group: "Issues", keys: ["a"], run: () => this.#owners?.assign() },
    { title: "Comment on the issue", group: "Issues", keys: ["m"], run: () => this.#history?.write() },
    { title: "Merge other issues into this one", group: "Issues", run: () => this.#merge() },
  ];

  get place() { return this.#place; }
  close() { this.#abort.abort(); }

  /** Shows the report `by` places further on: the newest is the first. */
  step(by) {
    const reports = this.#issue?.reports ?? [];
    const next = Math.min(Math.max(this.#index + by, 0), reports.length - 1);
    if (reports.length && next !== this.#index) this.#show(next);
  }

  edge(last) { this.step(last ? Infinity : -Infinity); }
  select() { location.hash = this.#back; }

  async #load() {
    const { signal } = this.#abort;
    try {
      let first = null;
      if (!this.#place.issue) {
        first = await api.get(`events/${encodeURIComponent(this.#place.event)}/report`, {}, signal);
        this.#place.issue = first.issue;
        if (first.issue) route.replace(this.#place);
      }
      this.#issue = first && !first.issue ? alone(first) : await api.get(`issues/${encodeURIComponent(this.#place.issue)}`, {}, signal);
      this.#frame();
      const index = this.#issue.reports.findIndex(({ event }) => String(event) === this.#place.event);
      await this.#show(Math.max(index, 0), index < 0 && this.#place.event ? first ?? this.#place.event : first);
      this.#onState(null);
    } catch (error) {
      if (error.name !== "AbortError") this.#fail(error);
    }
  }

  #fail(error) {
    if (error.status !== 404) this.#onState(error);
    fill(this.#element, h("div.stage", null, h("div.notice", { role: "status" },
      h("strong", null, error.status === 404 ? "Issue not found" : "The issue could not be loaded"),
      h("span", null, error.status === 404 ? "Its reports may have moved to another issue when symbols were added." : error.message),
      h("a", { href: "#/issues" }, "All issues"))));
  }

  #frame() {
    const issue = this.#issue;
    const { one, type } = about(issue.kind);
    if (issue.id) {
      this.#place.issue = issue.id;
      this.#status = new StatusBar(issue, { onChange: (changed) => this.#changed(changed), onError: this.#onState, onMerge: () => this.#merge() });
      this.#owners = new Owners(issue, (changed) => this.#changed(changed), this.#onState);
      this.#history = new History(async (text) => this.#changed(await send("POST", `issues/${encodeURIComponent(issue.id)}/comments`, { text })));
      this.#history.set(issue.history);
    }
    const said = isSaid(issue);
    this.#parts = { bar: h("div.report-bar"), body: h("div.report-body", { aria: { live: "polite" } }) };
    fill(this.#element,
      h("div.scroll.issue-page", { id: "timeline", tabIndex: -1 },
        h(`div.issue-title.${styleOf(type)}`, null,
          h("a.plain", { href: this.#back, aria: { label: "All issues" }, title: "All issues (Esc)" }, icon("back")),
          h("div", null,
            h("p.kind", null, icon(iconOf(type)), one),
            h("h1", { tabIndex: -1 }, said ? h("span", null, issue.title) : [h("span", null, issue.cause), issue.culprit ? [" in ", h("code", null, issue.culprit)] : null]),
            said ? h("p.message", null, issue.cause, issue.culprit ? [" in ", h("code", null, issue.culprit)] : null) : null,
            issue.message && issue.message !== issue.title ? h("p.message", null, issue.message) : null)),
        this.#status?.element, this.#owners?.element, this.#numbers(), issue.id ? mergedList(issue, () => this.#reload(), this.#onState) : null,
        issue.id ? affected(issue) : null, this.#history?.element, this.#parts.bar, this.#parts.body));
    this.#element.querySelector("h1").focus({ preventScroll: true });
  }

  /** Something about it is another now. */
  #changed(changed) {
    this.#issue = { ...this.#issue, ...changed, reports: this.#issue.reports };
    this.#status?.set(this.#issue);
    this.#owners?.set(this.#issue);
    this.#history?.set(this.#issue.history);
    this.#onState(null);
  }

  #merge() { if (this.#issue?.id) askToMerge(this.#issue, () => this.#reload()); }

  /** Its reports are others now: everything anew. */
  #reload() {
    this.#place = { ...this.#place, event: null };
    this.#load();
  }

  #numbers() {
    const issue = this.#issue;
    const today = Date.now();
    const day = (index) => dayName(today - (issue.trend.length - 1 - index) * dayLength, today);
    const versions = Object.entries(issue.versions).sort((a, b) => newestFirst(a[0], b[0]));
    const most = Math.max(...versions.map(([, n]) => n), 1);
    const fact = (name, value, more) => h("div.fact", null, h("dt", null, name), h("dd", null, value, more ? h("small", null, more) : null));
    return h(`section.numbers.${styleOf(about(issue.kind).type)}`, { aria: { label: "How often" } },
      h("dl", null,
        fact("Reports", count(issue.count)), fact("Sessions", count(issue.sessions)), issue.users ? fact("Users", count(issue.users)) : null,
        fact("First", dayName(issue.first), timeOfDayShort(issue.first)), fact("Last", dayName(issue.last), timeOfDayShort(issue.last)),
        issue.longestMs ? fact("Longest", duration(issue.longestMs)) : null,
        fact("App", shortName(issue.bundleId))),
      h("figure", null, sparkline(issue.trend, { unit: "day", name: day }), h("figcaption", null, "14 days")),
      versions.length ? h("ul.versions-of", { aria: { label: "Versions" } }, versions.slice(0, 6).map(([version, n]) => {
        const bar = h("i");
        bar.style.width = `${(n / most) * 100}%`;
        return h("li", null, h("a", { href: route.address({ view: "issues", version }), title: `All issues of version ${version}` },
          h("span", null, version), h("span.bar", null, bar), h("span.n", null, count(n))));
      })) : null);
  }

  async #show(index, known = null) {
    const reports = this.#issue.reports;
    this.#index = index;
    const event = known === null ? reports[index]?.event : known.event ?? known;
    if (event === undefined) return;
    this.#place.event = String(event);
    if (this.#place.issue) route.replace(this.#place);
    this.#parts.body.classList.add("loading");
    try {
      const path = `events/${encodeURIComponent(event)}/report`;
      const loaded = known?.report ? known : await api.get(path, {}, this.#abort.signal);
      if (this.#place.event !== String(event)) return;
      this.#bar(loaded, reports);
      fill(this.#parts.body, report(loaded));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#parts.body, h("p.hint", null, error.message));
    }
    this.#parts.body.classList.remove("loading");
  }

  #bar(loaded, reports) {
    const { event, timestamp, sessionId, appVersion, device } = loaded;
    const listed = reports[this.#index]?.event === event ? reports[this.#index] : {};
    const path = `events/${encodeURIComponent(event)}/report`;
    const copy = h("button.small", { type: "button", data: { action: "copy" }, title: "Copy the report as text (c)", onClick: async () => {
      try {
        await copyFrom(copy, await text(`${path}.txt`));
      } catch (error) {
        this.#onState(error);
      }
    } }, "Copy as text");
    const step = (by, name, label) => h("button.plain", {
      type: "button", title: label, aria: { label }, disabled: !reports[this.#index + by], onClick: () => this.step(by),
    }, icon(name));
    const user = listed.userId ?? loaded.context?.userId;
    const facts = [[appVersion, device?.model].filter(Boolean).join(" on "),
      [device?.systemName ?? loaded.report.os, device?.osVersion].filter(Boolean).join(" ")].filter(Boolean);
    fill(this.#parts.bar,
      reports.length > 1 ? h("span.steps", null, step(-1, "up", "Newer report (k)"), step(1, "down", "Older report (j)")) : null,
      h("div.which", null,
        h("h2", null, reports.length > 1 ? `Report ${count(this.#index + 1)} of ${count(Math.max(this.#issue.count, reports.length))}` : "Report",
          h("time", { title: preciseTime(timestamp) }, ` · ${dayName(timestamp)} ${preciseTime(timestamp)}`)),
        h("p", null, user ? [userLink(user, this.#issue.bundleId), facts.length ? " · " : ""] : null, facts.join(" · "))),
      h("span.spring"),
      h("a.small.primary", { href: route.address({ session: sessionId, event }) }, "Show in session"),
      copy,
      h("button.small", { type: "button", onClick: () => save(`${path}.ips`, `report-${event}.ips`).catch(this.#onState) }, "Download .ips"));
  }
}

/** An event that no issue has counted is one of its own. */
const alone = (report) => ({
  id: null, kind: report.kind, cause: report.cause, culprit: null, subtitle: report.message, count: 1, sessions: 1, trend: [],
  first: report.timestamp, last: report.timestamp, versions: {}, bundleId: report.bundleId, reports: [],
});
