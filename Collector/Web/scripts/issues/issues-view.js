// What goes wrong, by problem: the list of issues, the last one that happened first.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { count, plural, preciseTime, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { same } from "../base/same.js";
import { iconOf, styleOf } from "../events/types.js";
import { marked } from "../search/marks.js";
import { QueryField } from "../search/query-field.js";
import { shortName } from "../sessions/name.js";
import { about, kinds } from "./kinds.js";
import { sparkline } from "./sparkline.js";
import { decide, decided, isSaid, mark, orders, statuses, undo } from "./status.js";

const interval = 5000;
const page = 50;

export class IssuesView {
  #place;
  #list = h("ol.issues", { aria: { label: "Issues" } });
  #chips = h("div.chips", { role: "group", aria: { label: "Kinds of issues" } });
  #selects = h("div.issue-selects");
  #apps = [];
  #notice = h("div.notice", { role: "status" }, h("span.spinner"), "Loading…");
  #more = h("button.wide", { type: "button", hidden: true, onClick: () => this.#loadMore() }, "Older issues");
  #field;
  #issues = [];
  #older = [];
  #next = null;
  #timer = 0;
  #abort = new AbortController();
  #onState;
  #drawn = null;
  /** What is searched for, as the collector read it. */
  #marks = [];
  /** Whether the search says which statuses it wants, and the list's own way gave way to it. */
  #isByStatus = false;
  /** What was decided last here, and can be taken back. */
  #last = null;
  #undoBar = h("div.undo", { role: "status", hidden: true });
  #undoTimer = 0;

  /**
   * @param {{element: HTMLElement, place: object, focus: string|null, onState: (error: Error|null) => void}} options
   *   `focus`: the issue that one comes back from
   */
  constructor({ element, place, focus, onState }) {
    this.#focus = focus;
    const { kinds: chosen, version, text, app = "", status = "", sort = "" } = place;
    this.#place = { view: "issues", kinds: chosen, version, text, app, status, sort };
    this.#onState = onState;
    this.#field = new QueryField({
      domain: "issues", text: place.text, label: "Search issues", placeholder: "Search titles, messages, functions, users",
      onChange: (text) => { this.#place.text = text; this.#changed(); }, onResults: () => this.#toFirst(),
    });
    fill(element, h("h1.visually-hidden", null, "Issues"),
      h("div.filters", { role: "search" },
        this.#field.element, this.#chips, h("span.spring"), this.#selects),
      h("div.stage", null,
        h("div.scroll", { id: "timeline" },
          h("div.issue-head", { aria: { hidden: "true" } }, h("span", null, "Issue"), h("span", null, "14 days"),
            h("span.n", null, "Reports"), h("span.n", null, "Sessions"), h("span", null, "Versions"), h("span.n", null, "Last")),
          this.#list, this.#more),
        this.#notice, this.#undoBar));
    this.#drawChips();
    this.#drawSelects();
    api.get("apps").then(({ apps }) => { this.#apps = apps; this.#drawSelects(); }).catch(() => {});
    this.#list.addEventListener("focusin", (event) => { this.#remembered = event.target.dataset.id ?? null; });
    this.#refresh();
  }

  #remembered = null;
  #focus;

  get place() { return this.#place; }
  close() { clearTimeout(this.#timer); clearTimeout(this.#undoTimer); this.#abort.abort(); }
  focusFilter() { this.#field.focus(); }

  /** They decide about the issue that has the focus. */
  commands = [
    { title: "Resolve or reopen the issue", group: "Issues", keys: ["r"], palette: false, run: () => this.#decide("resolved") },
    { title: "Ignore the issue, or stop ignoring it", group: "Issues", keys: ["x"], palette: false, run: () => this.#decide("ignored") },
    { title: "Undo the last decision", group: "Issues", keys: ["z"], palette: false, run: () => this.#undo() },
  ];

  async #decide(status) {
    const links = [...this.#list.querySelectorAll("a.issue")];
    const index = links.indexOf(document.activeElement);
    const issue = [...this.#issues, ...this.#older][index];
    if (!issue) return;
    try {
      const next = issue.status === status ? "open" : status;
      await decide(issue.id, next);
      this.#offerUndo(issue, next);
      // What left the list leaves the focus to the next one.
      await this.#refresh();
      if (document.activeElement === document.body) this.#list.querySelectorAll("a.issue")[Math.min(index, this.#list.children.length - 1)]?.focus();
    } catch (error) {
      this.#onState(error);
    }
  }

  /** What left the list by one key comes back by another. */
  #offerUndo(issue, status) {
    this.#last = issue;
    clearTimeout(this.#undoTimer);
    fill(this.#undoBar, h("span", null, `${decided(status)}: `, h("b", null, issue.title)),
      h("button.small", { type: "button", title: "Undo the last decision (z)", onClick: () => this.#undo() }, "Undo"), h("kbd", null, "z"));
    this.#undoBar.hidden = false;
    this.#undoTimer = setTimeout(() => { this.#undoBar.hidden = true; }, 12_000);
  }

  async #undo() {
    const issue = this.#last;
    if (!issue) return;
    this.#last = null;
    this.#undoBar.hidden = true;
    try {
      await undo(issue.id);
      await this.#refresh();
      this.#list.querySelector(`[data-id="${CSS.escape(issue.id)}"]`)?.focus();
    } catch (error) {
      this.#onState(error);
    }
  }

  /** Moves the focus `by` issues further on. */
  step(by) {
    const links = [...this.#list.querySelectorAll("a.issue")];
    const index = links.indexOf(document.activeElement);
    const next = index < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(index + by, 0), links.length - 1);
    links[next]?.focus();
  }

  edge(last) {
    const links = this.#list.querySelectorAll("a.issue");
    (last ? links[links.length - 1] : links[0])?.focus();
  }

  #changed() {
    route.replace(this.#place);
    this.#older = [];
    this.#drawChips();
    this.#answer = this.#refresh();
  }

  /** From the search to the first of what it finds, when that is here. */
  async #toFirst() {
    await this.#answer;
    if (document.activeElement === document.body) this.edge(false);
  }

  #answer = null;

  async #refresh() {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#abort = new AbortController();
    try {
      const answer = await api.get("issues", this.#query(), this.#abort.signal);
      this.#issues = answer.issues;
      this.#marks = answer.marks ?? [];
      const isByStatus = answer.status !== (this.#place.status || "open");
      if (isByStatus !== this.#isByStatus) {
        this.#isByStatus = isByStatus;
        this.#drawSelects();
      }
      this.#field.say(null);
      if (!this.#older.length) this.#next = answer.next;
      const known = new Set(this.#issues.map(({ id }) => id));
      this.#older = this.#older.filter(({ id }) => !known.has(id));
      this.#onState(null);
      this.#draw();
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#field.say(error);
      if (error.code !== "invalid_query") this.#onState(error);
    }
    this.#timer = setTimeout(() => this.#refresh(), interval);
  }

  async #loadMore() {
    try {
      const answer = await api.get("issues", { ...this.#query(), before: this.#next }, this.#abort.signal);
      this.#older.push(...answer.issues);
      this.#next = answer.next;
      this.#draw();
    } catch (error) {
      if (error.name !== "AbortError") this.#onState(error);
    }
  }

  #query() {
    const { kinds: chosen, version, text, app, status, sort } = this.#place;
    return { kind: chosen.join(","), version, q: text, app, status: status || "open", sort, limit: page };
  }

  #drawChips() {
    const { kinds: chosen } = this.#place;
    const focused = document.activeElement?.closest?.(".chip")?.dataset.kind;
    fill(this.#chips, kinds.map((kind) => {
      const { many, type } = about(kind);
      return h(`button.chip.${styleOf(type)}`, {
        type: "button", data: { kind }, aria: { pressed: String(chosen.includes(kind)) },
        onClick: () => {
          this.#place.kinds = chosen.includes(kind) ? chosen.filter((other) => other !== kind) : [...chosen, kind];
          this.#changed();
        },
      }, icon(iconOf(type)), h("span", null, many));
    }));
    if (focused) this.#chips.querySelector(`[data-kind="${CSS.escape(focused)}"]`)?.focus();
  }

  #drawSelects() {
    const { version, app, status, sort } = this.#place;
    const focused = document.activeElement?.id;
    const known = app ? this.#apps.filter(({ bundleId }) => bundleId === app) : this.#apps;
    const versions = [...new Set([...known.flatMap((entry) => entry.versions), version].filter(Boolean))].sort(newestFirst);
    const select = (name, label, options, current) => h("label.select", null, h("span", null, label),
      h("select", { id: `issues-${name}`, onChange: (event) => { this.#place[name] = event.target.value || null; this.#changed(); this.#drawSelects(); } },
        options.map(([value, text]) => h("option", { value, selected: value === (current ?? "") }, text))));
    fill(this.#selects,
      select("status", "Status", statuses.map(([value, text]) => value === "open" ? ["", this.#isByStatus ? "As searched" : text] : [value, text]), status),
      this.#apps.length > 1 ? select("app", "App", [["", "All apps"], ...this.#apps.filter(({ bundleId }) => bundleId).map(({ bundleId }) => [bundleId, bundleId])], app) : null,
      select("version", "Version", [["", "All versions"], ...versions.map((name) => [name, name])], version),
      select("sort", "Sort", orders.map(([value, text]) => [value === "last" ? "" : value, text]), sort));
    if (focused?.startsWith("issues-")) document.getElementById(focused)?.focus();
  }

  #draw() {
    const issues = [...this.#issues, ...this.#older];
    this.#more.hidden = !this.#next;
    // As they are read: what says "a minute ago" changes by itself.
    const state = [issues, issues.map(({ last }) => when(last)), this.#marks];
    if (same(state, this.#drawn)) return;
    this.#drawn = state;
    const focused = this.#focus ?? (this.#list.contains(document.activeElement) ? this.#remembered : null);
    const { kinds: chosen, version, text, app, status } = this.#place;
    this.#notice.hidden = issues.length > 0;
    if (!issues.length) {
      const filtered = chosen.length || version || text || app || status;
      fill(this.#notice, h("strong", null, filtered ? "No issue matches the filter" : "No open issues"),
        filtered ? h("button.small", { type: "button", onClick: () => this.#clear() }, "Clear the filter")
          : [h("span", null, "Crashes, hangs and failures appear here, grouped by cause."),
            h("button.small", { type: "button", onClick: () => { this.#place.status = "all"; this.#changed(); this.#drawSelects(); } }, "Show resolved and ignored")]);
    }
    fill(this.#list, issues.map((issue) => h("li", null, this.#row(issue))));
    if (focused) this.#list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: this.#focus === null });
    this.#focus = null;
  }

  #clear() {
    this.#place = { view: "issues", kinds: [], version: null, text: "", app: "", status: "", sort: this.#place.sort };
    this.#field.value = "";
    this.#changed();
    this.#drawSelects();
  }

  #row(issue) {
    const { one, type } = about(issue.kind);
    const versions = Object.keys(issue.versions).sort(newestFirst);
    const place = issue.file ? `${issue.file.split("/").at(-1)}${issue.line ? `:${issue.line}` : ""}` : null;
    const label = `${one}: ${issue.title}. ${plural(issue.count, "report")} in ${plural(issue.sessions, "session")}, last ${when(issue.last)}`;
    return h(`a.issue.${styleOf(type)}`, {
      // What was found is said by one report.
      href: route.address({ view: "issue", issue: issue.id, event: issue.match ? String(issue.match.event) : null }), data: { id: issue.id }, aria: { label },
    },
      h("span.mark", { title: one }, icon(iconOf(type))),
      h("span.what", null,
        h("span.title", null, isSaid(issue) ? h("b", null, marked(issue.title, this.#marks))
          : [h("b", null, marked(issue.cause, this.#marks)), issue.culprit ? [" in ", h("code", null, marked(issue.culprit, this.#marks))] : null],
          mark(issue), issue.assignee ? h("span.tag", { title: "Assignee" }, marked(issue.assignee, this.#marks)) : null),
        h("span.more", null, issue.match ? h("span.found", { title: preciseTime(issue.match.timestamp) },
          when(issue.match.timestamp), " ", issue.match.field, " ", marked(issue.match.text, this.#marks), " · ") : null,
          marked([issue.subtitle, place, shortName(issue.bundleId)].filter(Boolean).join(" · "), this.#marks))),
      sparkline(issue.trend, { unit: "day" }),
      h("span.n.reports", null, count(issue.count), h("small", null, issue.count === 1 ? " report" : " reports")),
      h("span.n.sessions-of", null, count(issue.sessions), h("small", null, issue.sessions === 1 ? " session" : " sessions")),
      h("span.versions", null, versions.slice(0, 2).map((version) => h("span.tag", null, version)),
        versions.length > 2 ? h("span.faint", null, `+${versions.length - 2}`) : null),
      h("time.n", { title: preciseTime(issue.last) }, when(issue.last)));
  }
}

/** "1.10" before "1.9". */
export const newestFirst = (a, b) => b.localeCompare(a, undefined, { numeric: true });
