// One session: loads its events, follows the new ones, and keeps header, strip, filters, list and panel together.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { count, plural } from "../base/format.js";
import { tail } from "../base/tail.js";
import { isError } from "../events/describe.js";
import { EventStore } from "../events/store.js";
import { ending } from "./ends.js";
import { Filters } from "./filters.js";
import { Ledger } from "./ledger.js";
import { Overview } from "./overview.js";
import { row, rowId, rows } from "./rows.js";
import { sessionHeader } from "./session-header.js";
import { VirtualList } from "./virtual-list.js";

const page = 1000;
/** More than this is not loaded at once; the filter on the server finds the rest. */
const most = 200_000;
const narrow = matchMedia("(max-width: 700px)");

export class SessionView {
  #parts;
  #list;
  #store = new EventStore();
  #session = null;
  /** By launch: the crash that ended it; null when it is known that none did. */
  #crashes = new Map();
  #selected = null;
  #follow = false;
  /** The runs of like events that are shown whole. */
  #opened = new Set();
  #unseen = 0;
  #loading = true;
  #tailState = "waiting";
  #abort = new AbortController();
  #pending = 0;
  #onSelect;
  #id;

  /**
   * @param {{id: string, element: HTMLElement, types: string[], text: string, event: string|null,
   *   onSelect: (event: object|null, start: number) => void, onPlace: () => void}} options
   */
  constructor({ id, element, types, text, event, onSelect, onPlace }) {
    this.#id = id;
    this.#selected = event;
    this.#onSelect = onSelect;
    const header = h("header");
    const overview = new Overview((time) => this.#goTo(time));
    const filters = new Filters(() => { onPlace(); this.#show({ redraw: true }); });
    const screen = h("div.current-screen", { hidden: true, aria: { hidden: "true" } });
    const surface = h("div.surface");
    const scroller = h("div.scroll", {
      id: "timeline", tabIndex: 0, role: "listbox", aria: { label: "Timeline" }, onScroll: () => this.#scrolled(),
    }, surface);
    const fresh = h("button.fresh", { type: "button", hidden: true, onClick: () => this.setFollow(true) });
    const notice = h("div.notice", { role: "status" }, h("span.spinner"), "Loading…");
    const progress = h("progress", { hidden: true, aria: { label: "Loading events" } });
    const ledger = new Ledger();
    this.#parts = { header, overview, filters, progress, screen, scroller, fresh, notice, ledger };
    fill(element, header, overview.element, filters.element,
      h("div.stage", null, progress, screen, scroller, notice, fresh), ledger.element);
    this.#list = new VirtualList(scroller, surface, (item) => row(item, {
      start: this.start, selected: this.#selected, onSelect: (key) => this.select(key, { scroll: false }),
    }));
    filters.reset(types, text);
    narrow.addEventListener("change", () => this.#show({ redraw: true }), { signal: this.#abort.signal });
    this.#load();
  }

  get events() { return this.#store.events; }
  get start() { return this.#store.events[0]?.timestamp ?? this.#session?.first ?? 0; }
  get place() {
    const { types, text } = this.#parts.filters;
    return { session: this.#id, event: this.#selected, types: [...types], text };
  }

  close() { this.#abort.abort(); }
  focusFilter() { this.#parts.filters.focus(); }
  focus() { this.#parts.scroller.focus({ preventScroll: true }); }

  /** Takes what the list of sessions learned: counts, whether it is live. */
  update(session) {
    if (!this.#session) return;
    const before = this.#session;
    this.#session = { ...before, ...session };
    this.#head();
    // The launch ended, or its ledger came: ask for the whole.
    if (before.live !== session.live || before.events !== session.events) this.#refreshLater();
  }

  // MARK: Loading

  async #load() {
    const { signal } = this.#abort;
    // The tail first: what happens while the pages load must not fall between the two.
    tail({ session: this.#id }, {
      signal,
      onEvent: (event) => this.#arrived([event]),
      onState: (state) => { this.#tailState = state; this.#drawLedger(); if (state === "live") this.#catchUp(); },
    });
    try {
      this.#session = await api.get(`sessions/${encodeURIComponent(this.#id)}`, {}, signal);
      this.#head();
      await this.#readPages();
      await this.#findCrashes();
      this.#loading = false;
      this.#settle();
    } catch (error) {
      if (error.name !== "AbortError") this.#fail(error);
    }
  }

  #cursor = null;

  async #readPages() {
    const { signal } = this.#abort;
    do {
      const answer = await api.get(`sessions/${encodeURIComponent(this.#id)}/events`,
        { after: this.#cursor, limit: page }, signal);
      this.#store.add(answer.events);
      this.#cursor = answer.next;
      this.#show();
    } while (this.#cursor && this.#store.events.length < most);
  }

  /** Reads again from the start after the tail was interrupted: what is known already is passed over. */
  #catchUp() {
    if (this.#loading) return;
    this.#cursor = null;
    this.#readPages().catch(() => { /* the banner says that nobody answers; the tail comes back here */ });
  }

  #timer = 0;
  #refreshLater() {
    this.#timer ||= setTimeout(async () => {
      this.#timer = 0;
      try {
        this.#session = await api.get(`sessions/${encodeURIComponent(this.#id)}`, {}, this.#abort.signal);
        await this.#findCrashes();
        this.#head();
        this.#show();
      } catch { /* the next update tries again */ }
    }, 700);
  }

  /** Which of this session's launches died of a crash: the launch that came next reported it, in its first moments. */
  async #findCrashes() {
    const { signal } = this.#abort;
    const { launches } = await api.get("launches", { limit: 1000 }, signal);
    const following = new Map();
    for (const launch of launches.filter(({ launchId }) => this.#session.launches.includes(launchId))) {
      const [next] = launches
        // The first that the next one tells is the crash, at the time when it was.
        .filter((other) => other !== launch && other.bundleId === launch.bundleId && other.last > launch.last
          && other.first >= launch.last - 1000)
        .sort((a, b) => a.first - b.first);
      if (next) following.set(launch.launchId, next);
    }
    if (!following.size) return;
    const { events, next: more } = await api.get("events", { type: "crash", limit: 1000 }, signal);
    for (const [launchId, next] of following) {
      const report = events.find((event) => event.launchId === next.launchId && event.timestamp - next.first < 10_000);
      if (report) this.#crashes.set(launchId, report);
      // Among more crashes than were asked for it may be missing: then nothing is claimed.
      else if (!more) this.#crashes.set(launchId, null);
    }
  }

  #arrived(events) {
    const before = this.#store.events.length;
    if (!this.#store.add(events)) return;
    if (!this.#follow && !this.#loading) this.#unseen += this.#store.events.length - before;
    // The longer the list, the rarer it is drawn: following a burst must not take all of the processor.
    const pause = Math.min(60 + before / 50, 1000);
    this.#pending ||= setTimeout(() => { this.#pending = 0; this.#show(); }, pause);
  }

  #settle() {
    const linked = this.#selected !== null && this.#store.get(this.#selected);
    this.#show();
    if (linked) this.select(this.#selected, { where: "center" });
    else if (this.#selected !== null) this.#selected = null;
    if (!linked && this.#session.live) this.setFollow(true);
  }

  #fail(error) {
    const missing = error.status === 404;
    fill(this.#parts.notice, h("strong", null, missing ? "This session is not here" : "The session could not be loaded"),
      h("span", null, missing ? "It may have been deleted, or belongs to another collector's data directory." : error.message),
      missing ? h("a", { href: "#/" }, "All sessions")
        : h("button.small", { type: "button", onClick: () => this.#load() }, "Try again"));
    this.#parts.notice.hidden = false;
  }

  // MARK: Showing

  #head() {
    fill(this.#parts.header, sessionHeader(this.#session, {
      follow: this.#follow, onFollow: () => this.setFollow(!this.#follow), onNextError: () => this.nextError(),
    }));
    this.#drawLedger();
  }

  #drawLedger() {
    if (this.#session) this.#parts.ledger.set(this.#session.launchLedgers ?? [], this.#tailState);
  }

  #show({ redraw = false } = {}) {
    const { filters, overview, progress, notice, fresh } = this.#parts;
    const all = this.#store.events;
    const shown = this.#store.filter(filters.types, filters.text);
    progress.hidden = !this.#loading || !all.length;
    progress.max = Math.max(this.#session?.events ?? 0, 1);
    progress.value = all.length;
    filters.counts = this.#store.counts();
    overview.set(all);
    this.#list.set(rows(shown, {
      ends: this.#ends(), launches: this.#session?.launches ?? [], narrow: narrow.matches,
      // Who filters wants to see everything that is left.
      opened: filters.active ? null : this.#opened, keep: this.#selected,
      onUnfold: (first) => { this.#opened.add(first); this.#stopFollowing(); this.#show(); },
    }), { redraw });
    notice.hidden = shown.length > 0;
    if (!shown.length && !this.#loading) {
      fill(notice, filters.active
        ? [h("strong", null, "No event matches the filter"), h("button.small", {
          type: "button", onClick: () => { filters.reset([], ""); this.#show({ redraw: true }); },
        }, "Clear the filter")]
        : h("strong", null, "No events in this session yet"));
    }
    if (this.#follow) this.#toEnd();
    fresh.hidden = this.#follow || !this.#unseen;
    fresh.textContent = `${plural(this.#unseen, "new event")} ↓`;
    if (this.#store.events.length >= most && this.#cursor) {
      fresh.hidden = false;
      fresh.textContent = `The first ${count(most)} events are shown`;
    }
    this.#scrolled();
  }

  #ends() {
    const ends = new Map();
    // While events are still on their way, nobody knows where a launch ended.
    if (this.#loading) return ends;
    const last = new Map(this.#store.events.map((event) => [event.launchId, event]));
    for (const ledger of this.#session?.launchLedgers ?? []) {
      const crash = this.#crashes.get(ledger.launchId);
      const end = ending(ledger, last.get(ledger.launchId), crash);
      if (!end) continue;
      if (crash) end.onOpen = () => { location.hash = `#/sessions/${encodeURIComponent(crash.sessionId)}?event=${encodeURIComponent(crash.id)}`; };
      ends.set(ledger.launchId, end);
    }
    return ends;
  }

  #scrolled() {
    const { scroller, overview, screen } = this.#parts;
    const items = this.#list.items;
    const atEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 40;
    if (atEnd && this.#unseen) { this.#unseen = 0; this.#parts.fresh.hidden = true; }
    if (!items.length) { screen.hidden = true; return; }
    const first = this.#list.firstVisible();
    let index = first;
    while (index >= 0 && !items[index].screen) index -= 1;
    // A heading that is itself at the top needs no second one.
    screen.hidden = index < 0 || this.#list.top(index) >= scroller.scrollTop - 4;
    if (!screen.hidden) screen.textContent = items[index].event.payload?.destination ?? "";
    const time = (from, step) => {
      for (let at = from; at >= 0 && at < items.length; at += step) if (items[at].event) return items[at].event.timestamp;
      return this.start;
    };
    overview.view(time(first, 1), time(this.#list.lastVisible(), -1));
  }

  #toEnd() {
    const { scroller } = this.#parts;
    scroller.scrollTop = scroller.scrollHeight;
  }

  setFollow(on) {
    this.#follow = on;
    this.#unseen = 0;
    this.#parts.fresh.hidden = true;
    if (on) this.#toEnd();
    if (this.#session) this.#head();
  }

  #goTo(time) {
    this.#stopFollowing();
    const index = this.#list.items.findIndex((item) => item.event && item.event.timestamp >= time);
    this.#list.reveal(index < 0 ? this.#list.items.length - 1 : index, "center");
  }

  #stopFollowing() { if (this.#follow) this.setFollow(false); }

  // MARK: Selecting

  select(id, { scroll = true, where = "nearest" } = {}) {
    const event = id === null ? null : this.#store.get(id);
    const previous = this.#list.element(this.#selected);
    previous?.setAttribute("aria-selected", "false");
    this.#selected = event ? id : null;
    const { scroller } = this.#parts;
    if (event) {
      this.#stopFollowing();
      // Inside a folded run: drawing again opens it.
      if (this.#list.indexOf(id) < 0) this.#show();
      if (scroll) this.#list.reveal(this.#list.indexOf(id), where);
      this.#list.element(id)?.setAttribute("aria-selected", "true");
      scroller.setAttribute("aria-activedescendant", rowId(id));
    } else {
      scroller.removeAttribute("aria-activedescendant");
    }
    this.#onSelect(event ?? null, this.start);
  }

  /** Selects the event `by` places further on; the first that is seen when none is selected. */
  step(by, passes = () => true) {
    const items = this.#list.items;
    let index = this.#selected === null ? this.#list.firstVisible() - by : this.#list.indexOf(this.#selected);
    do index += by; while (items[index] && !(items[index].event && passes(items[index].event)));
    if (items[index]) this.select(items[index].key);
    return items[index] !== undefined;
  }

  /** The next error, and after the last one the first. */
  nextError() {
    if (this.step(1, isError)) return;
    const item = this.#list.items.find(({ event }) => event && isError(event));
    if (item) this.select(item.key);
  }

  edge(last) {
    const items = this.#list.items.filter((item) => item.event);
    const item = last ? items.at(-1) : items[0];
    if (item) this.select(item.key);
  }

  /** Follows only as long as one stays at the end. */
  wheel() {
    const { scroller } = this.#parts;
    if (this.#follow && scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 120) this.setFollow(false);
  }
}
