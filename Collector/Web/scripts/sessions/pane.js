// The list of sessions: newest first, searched as one types, kept current.

import { debounce, fill, h } from "../base/dom.js";
import { ago, count, dayName, duration, plural } from "../base/format.js";
import { icon } from "../base/icons.js";
import * as api from "../base/api.js";
import { nav } from "../base/nav.js";
import * as route from "../base/route.js";
import { label, rank, styleOf } from "../events/types.js";
import { firstSteps } from "./first-steps.js";

const interval = 2000;
const page = 50;

export class SessionsPane {
  #list = h("div.list");
  #more = h("button.wide", { type: "button", hidden: true, onClick: () => this.#loadMore() }, "Older sessions");
  #field;
  #sessions = [];
  #older = [];
  #next = null;
  #selected = null;
  #query = "";
  #timer = 0;
  #request = null;
  #onState;
  #drawn = "";
  #loaded = false;

  /** @param {{onState: (error: Error|null) => void}} options */
  constructor(element, { onState }) {
    this.#onState = onState;
    const search = debounce(120, () => {
      this.#query = this.#field.value.trim();
      this.#older = [];
      this.refresh();
    });
    this.#field = h("input", {
      type: "search", placeholder: "Search sessions", onInput: search, autocomplete: "off", spellcheck: false,
      aria: { label: "Search sessions by app, user, tag or device" },
    });
    fill(element,
      h("header", null,
        nav("sessions"),
        h("label.field", null, icon("search"), this.#field)),
      h("div.scroll", null, this.#list, this.#more));
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.refresh(); });
  }

  get sessions() { return [...this.#sessions, ...this.#older]; }

  set selected(id) {
    this.#selected = id;
    this.#draw();
  }

  /** Opens the session `by` places further down. */
  step(by) {
    const sessions = this.sessions;
    const index = sessions.findIndex((session) => session.sessionId === this.#selected);
    const next = sessions[Math.min(Math.max(index + by, 0), sessions.length - 1)];
    if (next) route.go({ session: next.sessionId });
  }

  /** Asks now, and then again and again while the page is seen. */
  async refresh() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = new AbortController();
    try {
      const answer = await api.get("sessions", { q: this.#query, limit: page }, this.#request.signal);
      this.#sessions = answer.sessions;
      this.#loaded = true;
      if (!this.#older.length) this.#next = answer.next;
      const known = new Set(this.#sessions.map((session) => session.sessionId));
      this.#older = this.#older.filter((session) => !known.has(session.sessionId));
      this.#onState(null);
      this.#draw();
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#onState(error);
      this.#draw(error);
    }
    if (!document.hidden) this.#timer = setTimeout(() => this.refresh(), interval);
  }

  async #loadMore() {
    try {
      const answer = await api.get("sessions", { q: this.#query, limit: page, before: this.#next });
      this.#older.push(...answer.sessions);
      this.#next = answer.next;
      this.#draw();
    } catch (error) {
      this.#onState(error);
    }
  }

  #draw(error = null) {
    const sessions = this.sessions;
    this.#more.hidden = !this.#next;
    if (this.#loaded && !this.#selected && !this.#query) firstSteps.update(sessions.length);
    // The relative times change as well, so they are part of what is compared.
    const state = JSON.stringify([sessions, this.#selected, sessions.map((s) => ago(s.last)), error?.message, this.#query, this.#loaded]);
    if (state === this.#drawn) return;
    this.#drawn = state;
    const focused = document.activeElement?.closest?.(".card")?.dataset.id;
    if (!sessions.length) {
      if (error) fill(this.#list);
      else if (this.#query) fill(this.#list, h("p.hint", null, "No session matches “", this.#query, "”."));
      else fill(this.#list, this.#loaded ? h("p.hint", null, "No sessions yet.") : null);
    } else {
      let current = "";
      fill(this.#list, sessions.map((session) => {
        const name = dayName(session.last);
        const head = name === current ? null : h("h2", null, name);
        current = name;
        return [head, this.#card(session)];
      }));
    }
    if (focused) this.#list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    document.body.classList.toggle("no-sessions", this.#loaded && !sessions.length && !this.#query && !error);
  }

  #card(session) {
    const { sessionId, userId, bundleId, appVersion, device, first, last, events, errors, live, lastScreen } = session;
    const selected = sessionId === this.#selected;
    const app = [[shortName(bundleId), appVersion].filter(Boolean).join(" "), device?.model].filter(Boolean).join(" · ");
    const facts = `${duration(last - first)} · ${plural(events, "event")}`;
    return h(`a.card${selected ? ".selected" : ""}`, {
      href: route.address({ session: sessionId }), data: { id: sessionId }, aria: selected ? { current: "page" } : {},
      title: sessionId,
    },
      h("span.line", null, h("span.who", null, userId || "Anonymous"),
        live ? h("span.live", null, "Live") : h("time", null, ago(last))),
      h("span.line.app", null, h("span", null, app), lastScreen ? h("span.faint", null, lastScreen) : null),
      h("span.line.facts", null, h("span", null, facts),
        errors ? h("span.errors", null, plural(errors, "error")) : null),
      mix(session.counts ?? {}));
  }
}

/** The parts of a session by type, as a thin bar. */
function mix(counts) {
  const parts = Object.entries(counts).filter(([, n]) => n > 0).sort((a, b) => rank(a[0]) - rank(b[0]));
  const text = parts.map(([type, n]) => `${label(type)} ${count(n)}`).join(", ");
  const bar = h("span.mix", { role: "img", aria: { label: text }, title: text });
  for (const [type, n] of parts) {
    const part = h(`span.${styleOf(type)}`);
    // By the square root, as in the strip: the rare ones stay visible.
    part.style.flexGrow = Math.sqrt(n);
    bar.append(part);
  }
  return bar;
}

/** "com.example.coffee" is "coffee" to people. */
export const shortName = (bundleId) => String(bundleId ?? "").split(".").at(-1) || "Unknown app";
