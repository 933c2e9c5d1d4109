// How well the apps do: stability, launch time, hangs, frames, memory, and what the recorder itself lost.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { count, duration, plural } from "../base/format.js";
import * as route from "../base/route.js";
import { same } from "../base/same.js";
import { bad, memory, stability, terminations } from "./ends.js";
import { compare } from "./compare.js";
import { enough, partName, rate } from "./parts.js";
import { ranges } from "./place.js";
import { recorder } from "./recorder.js";
import { requests, taps } from "./requests.js";
import { savings } from "./savings.js";
import { frames, hangs, launches } from "./speed.js";

const interval = 30_000;

export class HealthView {
  #place;
  #onState;
  #abort = new AbortController();
  #timer = 0;
  #drawn = null;
  #body = h("div.scroll.health", { id: "timeline", tabIndex: -1 });
  #selects = h("div.chips", { role: "group", aria: { label: "Filter by" } });

  /** @param {{element: HTMLElement, place: object, onState: (error: Error|null) => void}} options */
  constructor({ element, place, onState }) {
    this.#place = place;
    this.#onState = onState;
    fill(element, h("div.filters.health-filters", null, h("h1", null, "App health"), h("span.spring"), this.#selects), this.#body);
    fill(this.#body, h("div.notice", { role: "status" }, h("span.spinner"), "Counting…"));
    this.#load();
  }

  get place() { return this.#place; }

  close() {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  focusFilter() { this.#selects.querySelector("select")?.focus(); }

  #change(changes) {
    Object.assign(this.#place, changes);
    route.replace(this.#place);
    this.#body.classList.add("loading");
    this.#load();
  }

  async #load() {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#abort = new AbortController();
    const { app, version, days } = this.#place;
    const to = Date.now() + 1;
    try {
      const asked = { app, from: to - Number(days) * 86_400_000, to };
      // A version is compared with the one before it, which it alone knows nothing of.
      const [health, all, saved] = await Promise.all([
        api.get("health", { ...asked, version }, this.#abort.signal), version ? api.get("health", asked, this.#abort.signal) : null,
        api.get("health/savings", asked, this.#abort.signal)]);
      this.#onState(null);
      this.#draw(health, all ?? health, saved);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#onState(error);
      if (!this.#drawn) fill(this.#body, h("p.hint", null, error.message));
    }
    this.#body.classList.remove("loading");
    this.#timer = setTimeout(() => this.#load(), interval);
  }

  /** @param {object} all  the same of all versions */
  #draw(health, all, saved) {
    const { from, to, ...numbers } = health;
    // Nothing is drawn anew under the eyes of somebody who reads, unless the numbers changed.
    const state = [toMinutes(numbers), saved.weeks, { ...this.#place }];
    if (same(state, this.#drawn)) return;
    this.#drawn = state;
    this.#drawSelects(health.apps);
    const about = { time: partName(health.bucketMs), isAlone: health.apps.length < 2 || Boolean(this.#place.app), filter: { app: this.#place.app, from, to } };
    const top = this.#body.scrollTop;
    fill(this.#body, health.apps.length ? [tiles(health), h("div.sections.wide", null, compare(all, about.isAlone)), h("div.sections", null,
      h("div.column", null, stability(health, about), launches(health, about), frames(health, about), memory(health, about)),
      h("div.column", null, terminations(health, about), requests(health, about), taps(health), hangs(health, about), recorder(health, about), savings(saved, about)))]
      : h("div.notice", null, h("strong", null, "No data yet"),
        h("span", null, "App health appears with the first session. No data? Run diagnostics: ", h("code", null, "automobile doctor"))));
    this.#body.scrollTop = top;
  }

  #drawSelects(apps) {
    const { app, version, days } = this.#place;
    const focused = document.activeElement?.id;
    const chosen = app ? apps.filter((known) => known.bundleId === app) : apps;
    const versions = [...new Set(chosen.flatMap((known) => known.versions))];
    const option = (value, text, current) => h("option", { value, selected: value === current }, text);
    fill(this.#selects,
      h("label.select", null, h("span", null, "App"), h("select", { id: "health-app", onChange: (event) => this.#change({ app: event.target.value, version: "" }) },
        option("", "All apps", app), apps.filter((known) => known.bundleId).map((known) => option(known.bundleId, known.bundleId, app)))),
      h("label.select", null, h("span", null, "Version"), h("select", { id: "health-version", onChange: (event) => this.#change({ version: event.target.value }) },
        option("", "All versions", version), versions.map((name) => option(name, name, version)))),
      h("label.select", null, h("span", null, "Time"), h("select", { id: "health-days", onChange: (event) => this.#change({ days: event.target.value }) },
        ranges.map(([value, text]) => option(value, text, days)))));
    if (focused?.startsWith("health-")) document.getElementById(focused)?.focus();
  }
}

/** "3 of 700"; where the value above is "2 of 5" already, "3". */
const ofAll = (part, whole) => enough(whole) ? `${count(part)} of ${count(whole)}` : count(part);

/** The five numbers that one looks at first; each leads to its section. */
function tiles({ sessions, ends, launchTime, hangs, frames, recorder }) {
  const dropped = Object.values(recorder.dropped).reduce((sum, n) => sum + n, 0);
  const told = ends.count - (ends.verdicts.untold ?? 0);
  const tile = (id, name, value, more, tone = "") => h(`a.tile${tone ? `.${tone}` : ""}`, {
    href: `#health-${id}`, onClick: (event) => {
      event.preventDefault();
      const target = document.getElementById(`health-${id}`);
      target?.scrollIntoView({ block: "start" });
      target?.querySelector(".chart-plot, a, summary")?.focus({ preventScroll: true });
    },
  }, h("span.name", null, name), h("b", null, value), h("span.faint", null, more));
  return h("div.tiles", { role: "navigation", aria: { label: "At a glance" } },
    tile("stability", "Crash-free sessions", rate(sessions.count - sessions.crashed, sessions.count),
      [sessions.count ? `${ofAll(sessions.crashed, sessions.count)} crashed` : "no sessions",
        sessions.bySummary ? `${count(sessions.bySummary)} by summary` : "",
        sessions.users.count ? `users ${rate(sessions.users.count - sessions.users.crashed, sessions.users.count)}${enough(sessions.users.count) ? ` of ${count(sessions.users.count)}` : ""}` : ""].filter(Boolean).join(" · "), sessions.crashed ? "bad" : ""),
    tile("ends", "Clean exits", rate(told - bad(ends.verdicts), told),
      told ? `${ofAll(bad(ends.verdicts), told)} unexpected` : "none known yet", bad(ends.verdicts) ? "bad" : ""),
    tile("launch", "Launch time, p90", launchTime.count ? duration(launchTime.p90) : "–",
      launchTime.count ? `median ${duration(launchTime.p50)}` : "not recorded"),
    tile("hangs", "Sessions with a hang", rate(hangs.sessions, sessions.count),
      [enough(sessions.count) ? `of ${plural(sessions.count, "session")}` : null,
        hangs.count ? `${plural(hangs.count, "hang")}, longest ${duration(hangs.longestMs)}` : "no hangs",
        hangs.sessionsBySummary ? "of what came" : null].filter(Boolean).join(" · "), hangs.count ? "warn" : ""),
    tile("frames", "Slow frames", frames.frames ? rate(frames.slow, frames.frames) : "–",
      [frames.frames ? `${ofAll(frames.frozen, frames.frames)} frozen` : "not measured", frames.sessionsBySummary ? "of what came" : null].filter(Boolean).join(" · "), frames.frozen ? "warn" : ""),
    tile("recorder", "Dropped by the recorder", rate(dropped, recorder.recorded),
      [enough(recorder.recorded) ? `of ${plural(recorder.recorded, "event")}` : null,
        recorder.lost ? `${count(recorder.lost)} unaccounted for` : dropped ? `${plural(dropped, "event")} with a reason` : null].filter(Boolean).join(" · ") || "nothing",
      recorder.lost ? "bad" : ""));
}

/** An answer with its times to the minute: more of them is not shown. */
function toMinutes(value, name = "") {
  if (Array.isArray(value)) return value.map((one) => toMinutes(one));
  if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toMinutes(one, name)]));
  return name === "at" && typeof value === "number" ? Math.round(value / 60_000) : value;
}
