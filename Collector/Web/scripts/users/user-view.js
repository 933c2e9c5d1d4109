// One user: all of their sessions in order, with what apps, versions and devices, and what went wrong for them.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { count, dayName, plural, timeOfDayShort, when } from "../base/format.js";
import { AsksAbout } from "../asks/about.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { same } from "../base/same.js";
import { iconOf, styleOf } from "../events/types.js";
import { fact, ofSample, rate } from "../health/parts.js";
import { about } from "../issues/kinds.js";
import { shortName } from "../sessions/name.js";
import { sessionRow } from "../sessions/rows.js";
import { eraseForm } from "../settings/erasing.js";

const interval = 5000;
/** When there is too much to add all of it up, that takes the collector long. */
const slowInterval = 30_000;
const page = 50;
/** Traits as the collector names them, and what `#/` filters sessions by. */
const traits = [["apps", "Apps"], ["versions", "Versions"], ["devices", "Devices"], ["systems", "Systems"], ["tags", "Tags"]];

export class UserView {
  #element;
  #place;
  #back;
  #onState;
  #abort = new AbortController();
  #timer = 0;
  #interval = interval;
  #sessions = [];
  #older = [];
  #next = null;
  #drawn = null;
  #head = h("div.user-head");
  #list = h("div.user-sessions", { role: "list", aria: { label: "Sessions" } });
  #erasing = h("div");
  #asks;
  #more = h("button.wide", { type: "button", hidden: true, onClick: () => this.#loadMore() }, "Older sessions");

  /** @param {{element: HTMLElement, place: object, back: string, onState: (error: Error|null) => void}} options  `place.app`: of this app alone */
  constructor({ element, place, back, onState }) {
    this.#element = element;
    this.#place = { view: "users", id: place.id, app: place.app ?? "" };
    this.#back = back;
    this.#onState = onState;
    fill(element, h("div.notice", { role: "status" }, h("span.spinner"), "Loading…"));
    this.#load();
  }

  get place() { return this.#place; }
  get title() { return this.#place.id; }

  close() {
    clearTimeout(this.#timer);
    this.#asks?.close();
    this.#abort.abort();
  }

  /** Moves the focus `by` sessions further on. */
  step(by) {
    const links = [...this.#list.querySelectorAll("a[data-id]")];
    const index = links.indexOf(document.activeElement);
    const next = index < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(index + by, 0), links.length - 1);
    links[next]?.focus();
  }

  edge(last) {
    const links = this.#list.querySelectorAll("a[data-id]");
    (last ? links[links.length - 1] : links[0])?.focus();
  }

  select(id) { if (id === null) location.hash = this.#back; }

  get #path() { return `users/${encodeURIComponent(this.#place.id)}`; }

  async #load() {
    clearTimeout(this.#timer);
    const { signal } = this.#abort;
    try {
      const [user, { sessions, next }] = await Promise.all([
        api.get(this.#path, { app: this.#place.app }, signal), api.get(`${this.#path}/sessions`, { app: this.#place.app, limit: page }, signal)]);
      const known = new Set(sessions.map(({ sessionId }) => sessionId));
      const isOther = ({ sessionId }) => !known.has(sessionId);
      // What newer ones pushed off this page comes before the older ones; what was deleted is in neither.
      const end = sessions.length < page ? -Infinity : sessions.at(-1).last;
      const fallen = this.#older.length ? this.#sessions.filter((session) => isOther(session) && session.last <= end) : [];
      this.#sessions = sessions;
      this.#older = [...fallen, ...this.#older.filter(isOther)];
      if (!this.#older.length) this.#next = next;
      this.#onState(null);
      this.#draw(user);
      this.#interval = user.partial ? slowInterval : interval;
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === 404) return this.#drawNobody();
      this.#onState(error);
      if (!this.#drawn) fill(this.#element, h("div.notice", { role: "status" }, h("strong", null, "The user could not be loaded"), h("span", null, error.message)));
    }
    this.#timer = setTimeout(() => this.#load(), this.#interval);
  }

  async #loadMore() {
    try {
      const before = this.#next;
      const { sessions, next } = await api.get(`${this.#path}/sessions`, { app: this.#place.app, limit: page, before }, this.#abort.signal);
      // The first page has become another one meanwhile.
      if (before !== this.#next) return this.#next ? this.#loadMore() : undefined;
      this.#older.push(...sessions);
      this.#next = next;
      this.#drawSessions();
    } catch (error) {
      if (error.name !== "AbortError") this.#onState(error);
    }
  }

  #drawNobody() {
    fill(this.#element, h("div.stage", null, h("div.notice", { role: "status" }, h("strong", null, "No sessions of this user"),
      h("span", null, "Their sessions may have been deleted since."), h("a", { href: "#/" }, "All sessions"))));
  }

  #draw(user) {
    const state = [user, this.#sessions, when(user.last)];
    if (same(state, this.#drawn)) return;
    if (!this.#drawn) {
      fill(this.#element, h("div.scroll.user-page", { id: "timeline", tabIndex: -1 }, this.#head,
        h("section", { aria: { label: "Sessions" } }, h("h2", null, "Sessions"), this.#list, this.#more),
        h("section", { aria: { label: "On their devices" } }, h("h2", null, "On their devices"),
          h("p.hint", null, "Apps in flight recorder mode keep what no rule sends. Ask for it: it comes at once while the app is open, else when it is opened next."),
          (this.#asks = new AsksAbout({ kind: "user", id: this.#place.id })).element),
        h("section", { aria: { label: "Erasing" } }, h("button.small.danger", { type: "button", onClick: () => this.#erase() }, "Erase everything of this user…"), this.#erasing)));
    }
    this.#asks.apps = this.#place.app ? [this.#place.app] : user.apps.map(({ name }) => name);
    const isFirst = !this.#drawn;
    this.#drawn = state;
    const hadFocus = this.#head.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    fill(this.#head, this.#title(user), this.#numbers(user), this.#issues(user), this.#traits(user));
    if (hadFocus) this.#head.querySelector(`a[href="${CSS.escape(hadFocus)}"]`)?.focus();
    this.#drawSessions();
    if (isFirst) this.#head.querySelector("h1").focus({ preventScroll: true });
  }

  /** What is of other apps stays, when the page is of one. */
  #erase() {
    const { id, app } = this.#place;
    const done = () => fill(this.#erasing, h("p.note", { role: "status" }, "Everything of this user is being erased. ", h("a", { href: "#/settings" }, "Receipts are in Settings")));
    fill(this.#erasing, eraseForm({ kind: "user", id, project: app }, done, () => fill(this.#erasing)));
    this.#erasing.querySelector("input").focus();
  }

  #title(user) {
    return h("header.user-title", null,
      h("a.plain", { href: this.#back, aria: { label: "All sessions" }, title: "All sessions (Esc)" }, icon("back")),
      h("div", null, h("h1", { tabIndex: -1 }, user.userId),
        h("p", null, `Last seen ${when(user.last)}`, user.partial ? `, of the newest ${count(user.sessions)} sessions` : "", this.#scope())));
  }

  /** Which app it is about, and the way to all that have a user of this name. */
  #scope() {
    const { id, app } = this.#place;
    return app ? [" · ", h("span", { title: app }, shortName(app)), " · ", h("a", { href: route.address({ view: "users", id }) }, "All apps")] : null;
  }

  #numbers(user) {
    const day = (ms) => [dayName(ms), timeOfDayShort(ms)];
    return h("dl.figures.user-figures", null,
      fact("Sessions", count(user.sessions)),
      fact("Crash-free sessions", rate(user.sessions - user.crashed, user.sessions), ofSample(user.sessions), user.crashed ? "error" : ""),
      fact("Errors", count(user.errors), null, user.errors ? "error" : ""), fact("Events", count(user.events)),
      fact("First seen", ...day(user.first)), fact("Last seen", ...day(user.last)));
  }

  #issues({ issues, issueSessions }) {
    const title = h("h2", null, "Issues");
    const some = issueSessions ? h("p.faint", null, `Of the newest ${plural(issueSessions, "session")}.`) : null;
    if (!issues.length) return h("section", null, title, some ?? h("p.hint", null, "No crash, hang or failure in any of their sessions."));
    return h("section", null, title, some, h("ul.moments", null, issues.map((issue) => {
      const { one, type } = about(issue.kind);
      return h(`li.${styleOf(type)}`, null, h("a", { href: route.address({ view: "issue", issue: issue.id }) },
        h("span.mark", { title: one }, icon(iconOf(type))), h("span.why", null, issue.title),
        issue.status === "open" ? null : h("span.tag", null, issue.status === "resolved" ? "Resolved" : "Ignored"),
        h("span.faint", null, `${plural(issue.count, "report")} in ${plural(issue.sessions, "session")}`), h("time", null, when(issue.last))));
    })));
  }

  #traits(user) {
    const shown = traits.map(([name, title]) => [name, title, user[name]]).filter(([, , values]) => values.length);
    return h("section.spread", { aria: { label: "With" } }, shown.map(([name, title, values]) => h("dl", null, h("dt", null, title),
      values.slice(0, 6).map((value) => {
        const bar = h("i");
        bar.style.width = `${(value.sessions / user.sessions) * 100}%`;
        return h("dd", { title: `last ${when(value.last)}` }, h("span", null, value.name), h("span.bar", null, bar), h("span.n", null, count(value.sessions)));
      }), values.length > 6 ? h("dd.faint", null, `${plural(values.length - 6, "other")}`) : null)));
  }

  #drawSessions() {
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    fill(this.#list, [...this.#sessions, ...this.#older].map((session) => sessionRow(session, [], { isOfUser: true })));
    this.#more.hidden = !this.#next;
    if (focused) this.#list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}
